import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compare } from '../../../src/cli/sync/comparison.ts';
import type { SyncOperations } from '../../../src/memory/operations/sync-operations.ts';
import type { TestApp } from '../../helpers/app.ts';
import { daysAgo } from '../../helpers/past.ts';
import { exchange, forgetIds, later, openSide, planOf, send } from '../../helpers/syncing.ts';

let [mine, theirs, third]: [TestApp, TestApp, TestApp] = [undefined as never, undefined as never, undefined as never];
beforeEach(async () => {
  [mine, theirs, third] = [await openSide(), await openSide(), await openSide()];
});
afterEach(async () => {
  for (const side of [mine, theirs, third]) await side[Symbol.asyncDispose]();
});

const push = (namespace?: string) => send(mine.memories.sync, theirs.memories.sync, namespace);
const pull = (namespace?: string) => send(theirs.memories.sync, mine.memories.sync, namespace);

async function save(app: TestApp, content: string): Promise<string> {
  return (await app.memories.save({ content })).ids[0]!;
}
async function deleteForGood({ memories }: TestApp, id: string): Promise<void> {
  await later();
  await memories.forget(id);
}
async function texts({ memories }: TestApp): Promise<string> {
  const lines: unknown[] = [];
  for await (const line of memories.export({ all: true })) lines.push(line);
  return JSON.stringify(lines);
}
async function isGone(app: TestApp, content: string): Promise<boolean> {
  return !(await texts(app)).includes(content);
}
const tombstones = async ({ memories }: TestApp, namespace = 'test') =>
  (await memories.sync.stamps({ namespace, buckets: 1, of: [0], tombstones: true })).stamps.filter(({ state }) => state === 'removed');

/** A store as an earlier Lore has it open: it says nothing of tombstones, and refuses requests about them. */
function earlier({ memories: { sync } }: TestApp): SyncOperations {
  const refused = (request: object): void => {
    for (const name of ['tombstones', 'past', 'unrelated']) if (name in request) throw new Error(`${name} is not a field of the request`);
  };
  return {
    digests: async (request) => {
      const { entries, digests, embedder, maxBytes } = await sync.digests(request);
      return { entries, digests, embedder, maxBytes };
    },
    stamps: async (request) => {
      refused(request);
      const { stamps, relations } = await sync.stamps(request);
      return { stamps, relations };
    },
    entries: (request) => sync.entries(request),
    apply: async (request) => {
      refused(request);
      const { removed: _, tombstones: __, unrelated: ___, ...applied } = await sync.apply(request);
      return applied as typeof applied & Record<'removed' | 'tombstones' | 'unrelated', never>;
    },
  };
}

describe('a permanent deletion', () => {
  it('is applied on the other side by push and pull, with history and archived copy', async () => {
    const [edited, archived, back] = [
      await save(mine, 'first wording'),
      await save(mine, 'the archived one'),
      await save(mine, 'pulled one'),
    ];
    await push();
    await theirs.memories.update(edited, { content: 'second wording' });
    await pull();
    await forgetIds(theirs, [archived]);
    await deleteForGood(mine, edited);
    await deleteForGood(mine, archived);
    await deleteForGood(theirs, back);
    expect(await planOf(mine.memories.sync, theirs.memories.sync)).toEqual([`removed ${edited}`, `removed ${archived}`].toSorted());
    expect(await push()).toMatchObject({ removed: 2, tombstones: 0, forgotten: 0, newer: 1 });
    expect(await pull()).toMatchObject({ removed: 1, new: 0, restored: 0 });
    for (const side of [mine, theirs]) {
      for (const text of ['first wording', 'second wording', 'the archived one', 'pulled one']) expect(await isGone(side, text)).toBe(true);
    }
    expect(await planOf(mine.memories.sync, theirs.memories.sync)).toEqual([]);
    expect(await planOf(theirs.memories.sync, mine.memories.sync)).toEqual([]);
    expect(await push()).toMatchObject({ removed: 0, tombstones: 0, newer: 0 });
  });

  it('leaves id, namespace and time, and no text', async () => {
    const id = await save(mine, 'the code is 4711');
    await deleteForGood(mine, id);
    expect(await tombstones(mine)).toEqual([{ id, state: 'removed', at: expect.any(Number), version: '', text: '' }]);
    expect(JSON.stringify(await mine.memories.sync.digests({ namespace: 'test', buckets: 1 }))).not.toContain('4711');
  });

  it('leaves tombstones for many at once, and none for re-read files', async () => {
    const ids = [await save(mine, 'one'), await save(mine, 'two')];
    const { token } = await mine.memories.lifecycle.forgetMany({ ids, permanent: true });
    await mine.memories.lifecycle.forgetMany({ ids, permanent: true, confirm: token! });
    const passage = async (content: string) =>
      await mine.memories.sources.replace({
        kind: 'ingest',
        root: 'docs',
        files: [{ path: 'a.md', hash: content, passages: [{ content }] }],
      });
    await passage('before');
    await passage('after');
    const [entry] = (await mine.memories.list({})).entries;
    await mine.memories.forget(entry!.id);
    expect((await tombstones(mine)).map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  });

  it('is not undone by an older copy in a third store, in any order', async () => {
    const id = await save(mine, 'told to all');
    await push();
    await exchange(theirs, third);
    await deleteForGood(mine, id);
    await exchange(mine, theirs);
    await exchange(third, theirs);
    await exchange(third, mine);
    for (const side of [mine, theirs, third]) expect(await isGone(side, 'told to all')).toBe(true);
  });

  it('is respected by a store that never had the entry', async () => {
    const id = await save(mine, 'not for theirs');
    await exchange(mine, third);
    await deleteForGood(mine, id);
    expect(await push()).toMatchObject({ removed: 0, tombstones: 1 });
    expect(await push()).toMatchObject({ tombstones: 0 });
    expect(await send(third.memories.sync, theirs.memories.sync)).toMatchObject({ new: 0, newer: 1 });
    expect(await isGone(theirs, 'not for theirs')).toBe(true);
    expect(await send(theirs.memories.sync, third.memories.sync)).toMatchObject({ removed: 1 });
  });

  it('is overridden by a later change on both sides, and the tombstone is removed', async () => {
    const id = await save(mine, 'first');
    await push();
    await deleteForGood(mine, id);
    await later();
    await theirs.memories.update(id, { content: 'still needed' });
    expect(await push()).toMatchObject({ removed: 0, newer: 1 });
    expect(await pull()).toMatchObject({ new: 1 });
    for (const side of [mine, theirs]) {
      expect(await side.memories.get(id)).toMatchObject({ content: 'still needed' });
      expect(await tombstones(side)).toEqual([]);
    }
    expect(await planOf(mine.memories.sync, theirs.memories.sync)).toEqual([]);
  });

  it('wins over forgetting, whenever that was', async () => {
    const id = await save(mine, 'unwanted by both');
    await push();
    await deleteForGood(mine, id);
    await forgetIds(theirs, [id]);
    await exchange(theirs, mine);
    expect(await isGone(theirs, 'unwanted by both')).toBe(true);
    expect(await isGone(mine, 'unwanted by both')).toBe(true);
  });

  it('is respected when a stale plan sends the entry', async () => {
    const id = await save(mine, 'stale');
    await push();
    const { entries } = await theirs.memories.sync.entries({ namespace: 'test', ids: [id] });
    await deleteForGood(mine, id);
    expect(await mine.memories.sync.apply({ namespace: 'test', entries: [...entries] })).toMatchObject({ stored: 0, kept: 1 });
    expect(await isGone(mine, 'stale')).toBe(true);
  });

  it('is undone by an import, which other stores accept', async () => {
    const id = await save(mine, 'wanted after all');
    await push();
    const lines = Buffer.from(
      await texts(mine).then((json) => (JSON.parse(json) as object[]).map((line) => JSON.stringify(line)).join('\n')),
    );
    await deleteForGood(mine, id);
    await push();
    async function* chunks(): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(lines);
    }
    expect(await mine.memories.import(chunks(), {})).toMatchObject({ stored: 1 });
    expect(await tombstones(mine)).toEqual([]);
    expect(await push()).toMatchObject({ new: 1, newer: 0 });
    expect(await theirs.memories.get(id)).toMatchObject({ content: 'wanted after all' });
  });

  it('allows saving the same text again, as another entry', async () => {
    await deleteForGood(mine, await save(mine, 'said twice'));
    const id = await save(mine, 'said twice');
    expect(await push()).toMatchObject({ new: 1, tombstones: 1 });
    expect(await theirs.memories.get(id)).toMatchObject({ content: 'said twice' });
  });

  it('is known after the namespace of the other copy was renamed', async () => {
    const id = await save(mine, 'moved meanwhile');
    await push();
    await theirs.memories.moves.rename({ from: 'test', to: 'elsewhere' });
    await deleteForGood(mine, id);
    expect(await push('elsewhere')).toMatchObject({ removed: 1 });
    expect(await isGone(theirs, 'moved meanwhile')).toBe(true);
  });
});

describe('a deleted manual relation', () => {
  async function related(): Promise<{ sourceId: string; targetId: string; type: 'references' }> {
    const relation = { sourceId: await save(mine, 'one'), targetId: await save(mine, 'two'), type: 'references' as const };
    await mine.memories.relations.relate(relation);
    await push();
    return relation;
  }
  const count = async ({ memories }: TestApp): Promise<number> => (await memories.relations.list({ type: 'references' })).total;

  it('is deleted on the other side too, and not restored by a third store', async () => {
    const relation = await related();
    await exchange(theirs, third);
    await later();
    await mine.memories.relations.unrelate(relation);
    expect(await pull()).toMatchObject({ relations: 0 });
    expect(await count(mine)).toBe(0);
    expect(await planOf(mine.memories.sync, theirs.memories.sync)).toEqual(['no relation references']);
    expect(await push()).toMatchObject({ unrelated: 1, tombstones: 0 });
    expect(await push()).toMatchObject({ unrelated: 0, tombstones: 0 });
    await exchange(third, theirs);
    for (const side of [mine, theirs, third]) expect(await count(side)).toBe(0);
  });

  it('returns if it is created again later', async () => {
    const relation = await related();
    await later();
    await mine.memories.relations.unrelate(relation);
    await push();
    await later();
    await theirs.memories.relations.relate(relation);
    expect(await pull()).toMatchObject({ relations: 1 });
    expect(await planOf(mine.memories.sync, theirs.memories.sync)).toEqual([]);
    for (const side of [mine, theirs]) expect(await count(side)).toBe(1);
  });

  it('is not sent to an older version of Lore', async () => {
    const relation = await related();
    await later();
    await mine.memories.relations.unrelate(relation);
    const old = earlier(theirs);
    expect(await planOf(mine.memories.sync, old)).toEqual([]);
    expect(await send(old, mine.memories.sync)).toMatchObject({ relations: 0 });
    expect(await count(mine)).toBe(0);
  });

  it('stays if a key of another namespace deletes it', async () => {
    const relation = await related();
    const unrelated = [{ ...relation, at: Date.now() + 1000 }];
    const bound = { namespace: 'elsewhere' };
    expect(await mine.memories.sync.apply({ namespace: 'elsewhere', unrelated }, bound)).toMatchObject({ unrelated: 0, kept: 1 });
    expect(await count(mine)).toBe(1);
  });
});

describe('an older version of Lore on the other side', () => {
  it('archives permanent deletions, which are not restored from there', async () => {
    const [gone, kept] = [await save(mine, 'gone'), await save(mine, 'kept')];
    await push();
    await deleteForGood(mine, gone);
    const old = earlier(theirs);
    expect(await planOf(mine.memories.sync, old)).toEqual([`forgotten ${gone}`]);
    expect(await send(old, mine.memories.sync)).toMatchObject({ new: 0 });
    expect(await send(mine.memories.sync, old)).toMatchObject({ forgotten: 1, removed: 0, tombstones: 0 });
    expect(await send(mine.memories.sync, old)).toMatchObject({ forgotten: 0, newer: 0 });
    expect(await send(old, mine.memories.sync)).toMatchObject({ new: 0, newer: 0 });
    expect((await theirs.memories.list({})).entries.map(({ id }) => id)).toEqual([kept]);
    expect((await theirs.memories.lifecycle.archived({})).total).toBe(1);
  });

  it('receives a deletion as forgetting', async () => {
    const id = await save(mine, 'gone');
    await push();
    await deleteForGood(mine, id);
    const { stamps } = await mine.memories.sync.stamps({ namespace: 'test', ids: [id] });
    expect(stamps).toMatchObject([{ id, state: 'forgotten' }]);
  });
});

describe('a store offline for longer than deletions are remembered', () => {
  it('gets a warning about possibly deleted entries, which are sent anyway', async () => {
    const [old, kept] = await daysAgo(400, async () => {
      const ids = [await save(mine, 'deleted long ago'), await save(mine, 'kept')] as const;
      await push();
      return ids;
    });
    await daysAgo(300, () => deleteForGood(mine, old));
    await save(theirs, 'new today');
    const plan = await compare({ from: theirs.memories.sync, to: mine.memories.sync }, 'test');
    expect(plan).toMatchObject({ mayBeDeleted: [old], tombstones: [] });
    expect(await pull()).toMatchObject({ new: 2, mayBeDeleted: [old] });
    expect(await mine.memories.get(kept)).toMatchObject({ content: 'kept' });
  });

  it('gets no warning if the receiving store is new', async () => {
    await daysAgo(400, () => save(theirs, 'an old fact'));
    expect(await pull()).toMatchObject({ new: 1, mayBeDeleted: [] });
    await daysAgo(300, () => save(theirs, 'another old fact'));
    expect(await pull()).toMatchObject({ new: 1, mayBeDeleted: [] });
  });

  it('removes tombstones after sync.tombstoneDays, also those kept longer elsewhere', async () => {
    await using brief = await openSide({ 'sync.tombstoneDays': 5 });
    const id = await save(mine, 'short memory');
    await send(mine.memories.sync, brief.memories.sync);
    await daysAgo(10, () => mine.memories.sync.apply({ namespace: 'test', tombstones: [{ id: crypto.randomUUID(), at: Date.now() }] }));
    expect(await tombstones(mine)).toHaveLength(1);
    expect(await send(mine.memories.sync, brief.memories.sync)).toMatchObject({ removed: 0, tombstones: 0 });
    await deleteForGood(mine, id);
    expect(await send(mine.memories.sync, brief.memories.sync)).toMatchObject({ removed: 1, tombstones: 0 });
    expect(await tombstones(brief)).toHaveLength(1);
  });
});

describe('a key bound to a namespace', () => {
  it('learns of no deletions elsewhere, and changes nothing there', async () => {
    const { ids } = await mine.memories.save({ content: 'secret', namespace: 'hidden' });
    const { ids: live } = await mine.memories.save({ content: 'alive', namespace: 'hidden' });
    await deleteForGood(mine, ids[0]!);
    const bound = { namespace: 'test' };
    const { stamps } = await mine.memories.sync.stamps({ namespace: 'test', ids: [...ids, ...live], tombstones: true, past: true }, bound);
    expect(stamps).toEqual([]);
    const at = Date.now() + 1000;
    const told = [...ids, ...live].map((id) => ({ id, at }));
    expect(await mine.memories.sync.apply({ namespace: 'test', tombstones: told }, bound)).toMatchObject({
      removed: 0,
      tombstones: 0,
      kept: 2,
    });
    expect(await mine.memories.get(live[0]!)).toMatchObject({ content: 'alive' });
    expect(await tombstones(mine, 'hidden')).toHaveLength(1);
  });
});

describe('a conflict', () => {
  const conflictsOf = async (from: TestApp, to: TestApp) =>
    (await compare({ from: from.memories.sync, to: to.memories.sync }, 'test')).conflicts;

  it('reports the losing edit, and none if only one side was edited', async () => {
    const [both, one] = [await save(mine, 'the key is under the pot'), await save(mine, 'plain')];
    await push();
    const lost = await mine.memories.update(both, { content: 'the key is with Ana' });
    await later();
    const won = await theirs.memories.update(both, { content: 'the key is with Ben' });
    await theirs.memories.update(one, { content: 'plainer' });
    await theirs.memories.update(one, { content: 'plainest' });
    expect(await conflictsOf(theirs, mine)).toEqual([{ id: both, lostAt: lost.updatedAt, wonAt: won.updatedAt }]);
    expect(await conflictsOf(mine, theirs)).toEqual([]);
    await pull();
    expect(await conflictsOf(theirs, mine)).toEqual([]);
    const undone = await mine.memories.lifecycle.undo(both);
    expect(undone.content).toBe('the key is with Ana');
    expect(await conflictsOf(mine, theirs)).toEqual([]);
    expect(await push()).toMatchObject({ changed: 1 });
  });

  it('is none if an edit was sent and edited further', async () => {
    const id = await save(mine, 'one');
    await mine.memories.update(id, { content: 'two' });
    await push();
    await theirs.memories.update(id, { content: 'three' });
    expect(await conflictsOf(theirs, mine)).toEqual([]);
    await pull();
    await mine.memories.update(id, { content: 'four' });
    expect(await conflictsOf(mine, theirs)).toEqual([]);
  });
});
