import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Entry } from '../../../src/memory/entry.ts';
import type { ExportLine, SaveRequest } from '../../../src/memory/operations/operations.ts';
import { compare } from '../../../src/cli/sync/comparison.ts';
import { applyPlan, expectedFigures, type SyncFigures } from '../../../src/cli/sync/exchange.ts';
import type { SyncOperations } from '../../../src/memory/operations/sync-operations.ts';
import type { TestApp } from '../../helpers/app.ts';
import { startEmbeddingApi } from '../../helpers/embedding-api.ts';
import { daysAgo } from '../../helpers/past.ts';
import { exchange, forgetIds, later, openSide, planOf, send } from '../../helpers/syncing.ts';

let [mine, theirs]: [TestApp, TestApp] = [undefined as never, undefined as never];
beforeEach(async () => {
  mine = await openSide();
  theirs = await openSide();
});
afterEach(async () => {
  await mine[Symbol.asyncDispose]();
  await theirs[Symbol.asyncDispose]();
});

const NOTHING: SyncFigures = {
  new: 0,
  changed: 0,
  restored: 0,
  forgotten: 0,
  removed: 0,
  tombstones: 0,
  putAway: 0,
  relations: 0,
  unrelated: 0,
  newer: 0,
  tooLarge: [],
  mayBeDeleted: [],
};

const push = (namespace?: string) => send(mine.memories.sync, theirs.memories.sync, namespace);
const pull = (namespace?: string) => send(theirs.memories.sync, mine.memories.sync, namespace);

async function save(app: TestApp, content: string, fields: Partial<SaveRequest> = {}): Promise<string> {
  return (await app.memories.save({ content, ...fields })).ids[0]!;
}
async function contents({ memories }: TestApp): Promise<string[]> {
  return (await memories.list({ allNamespaces: true, limit: 100 })).entries.map(({ content }) => content).toSorted();
}
async function bare({ memories }: TestApp, id: string): Promise<Entry> {
  const { recalls: _, lastRecalledAt: __, arrivedAt: ___, ...entry } = await memories.get(id);
  return entry;
}
async function exported({ memories }: TestApp, all = false): Promise<ExportLine[]> {
  const lines: ExportLine[] = [];
  for await (const line of memories.export({ vectors: true, all })) if (!('lore' in line)) lines.push(line);
  return lines;
}

describe('a sync', () => {
  it('copies entries with all metadata and their vectors', async () => {
    const facts = { tags: ['deploy', 'ops'], priority: 'high' as const, importance: 0.123456789, container: 'box' };
    const id = await save(mine, 'We deploy src/ship.ts with make ship, and staging first', facts);
    const other = await save(mine, 'Staging is on the second rack');
    await mine.memories.relations.relate({ sourceId: id, targetId: other, type: 'elaborates', strength: 0.8 });
    expect(await push()).toMatchObject({ new: 2, changed: 0, forgotten: 0, relations: 1, newer: 0, tooLarge: [] });
    expect(await bare(theirs, id)).toEqual(await bare(mine, id));
    expect(await exported(theirs)).toEqual(await exported(mine));
    const { relations } = await theirs.memories.relations.list({ id, type: 'elaborates' });
    expect(relations).toEqual((await mine.memories.relations.list({ id, type: 'elaborates' })).relations);
    expect((await theirs.memories.recall({ query: 'staging rack' })).results[0]?.entry.id).toBe(other);
  });

  it('works in both directions, and has nothing to do when repeated', async () => {
    await save(mine, 'mine');
    await save(theirs, 'theirs');
    await exchange(mine, theirs);
    expect(await contents(mine)).toEqual(['mine', 'theirs']);
    expect(await contents(theirs)).toEqual(['mine', 'theirs']);
    const [before, after] = [await exported(mine, true), await exported(theirs, true)];
    expect(await planOf(mine.memories.sync, theirs.memories.sync)).toEqual([]);
    await exchange(mine, theirs);
    expect([await exported(mine, true), await exported(theirs, true)]).toEqual([before, after]);
  });

  it('lets the last writer win, and keeps the replaced version in the history', async () => {
    const id = await save(mine, 'the key is under the pot');
    await push();
    await mine.memories.update(id, { content: 'the key is with Ana' });
    await later();
    await theirs.memories.update(id, { content: 'the key is with Ben', tags: ['key'] });
    expect(await push()).toMatchObject({ new: 0, changed: 0, newer: 1 });
    expect(await pull()).toMatchObject({ changed: 1 });
    for (const side of [mine, theirs]) expect(await side.memories.get(id)).toMatchObject({ content: 'the key is with Ben', tags: ['key'] });
    const { versions } = await mine.memories.lifecycle.history(id);
    expect(versions.map(({ state }) => state.content)).toEqual(['the key is with Ana', 'the key is under the pot']);
    expect((await mine.memories.recall({ query: 'Ben' })).results[0]?.entry.id).toBe(id);
  });

  it('resolves simultaneous changes alike in both stores, and keeps the other in the history', async () => {
    const id = await save(mine, 'the key is under the pot');
    await push();
    const at = (await mine.memories.get(id)).updatedAt + 1000;
    const { entries } = await mine.memories.sync.entries({ namespace: 'test', ids: [id] });
    for (const [side, content] of [
      [mine, 'the key is with Ana'],
      [theirs, 'the key is with Ben'],
    ] as const) {
      await side.memories.sync.apply({ namespace: 'test', entries: [{ ...entries[0]!, content, updatedAt: at }] });
    }
    await exchange(mine, theirs);
    expect(await planOf(mine.memories.sync, theirs.memories.sync)).toEqual([]);
    expect(await bare(mine, id)).toEqual(await bare(theirs, id));
    for (const side of [mine, theirs]) await side.memories.update(id, { content: 'the key is with Cem' });
    const known = await Promise.all([mine, theirs].map(async ({ memories }) => (await memories.lifecycle.history(id)).versions));
    const texts = new Set(known.flat().map(({ state }) => state.content));
    expect([...texts].toSorted()).toEqual(['the key is under the pot', 'the key is with Ana', 'the key is with Ben']);
    expect(Math.max(...known.map(({ length }) => length))).toBe(3);
  });

  it('lets a change win over one from a clock that was ahead', async () => {
    const ahead = new Date(Date.now() + 3_600_000).toISOString();
    async function* lines(): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(Buffer.from(JSON.stringify({ content: 'from the future', timestamp: ahead, updatedAt: ahead })));
    }
    await mine.memories.import(lines(), {});
    await push();
    const [entry] = (await theirs.memories.list({})).entries;
    await theirs.memories.update(entry!.id, { content: 'corrected today' });
    await exchange(mine, theirs);
    expect(await contents(mine)).toEqual(['corrected today']);
    await mine.memories.update(entry!.id, { tags: ['seen'] });
    await forgetIds(theirs, [entry!.id]);
    await exchange(mine, theirs);
    expect(await contents(mine)).toEqual(await contents(theirs));
  });

  it('changes nothing in a dry run, and predicts the run exactly', async () => {
    const [a, b, c] = [await save(mine, 'one'), await save(mine, 'two'), await save(theirs, 'three')];
    await push();
    await mine.memories.update(a, { priority: 'high' });
    await forgetIds(mine, [b]);
    await save(mine, 'four');
    const before = [await exported(mine, true), await exported(theirs, true)];
    const direction = { from: mine.memories.sync, to: theirs.memories.sync };
    const plan = await compare(direction, 'test');
    expect([await exported(mine, true), await exported(theirs, true)]).toEqual(before);
    expect(expectedFigures(plan)).toEqual({ ...NOTHING, new: 1, changed: 1, forgotten: 1 });
    expect(await applyPlan(direction, plan)).toEqual(expectedFigures(plan));
    expect(await theirs.memories.get(c)).toMatchObject({ content: 'three' });
  });

  it('excludes file passages, which are updated from the files', async () => {
    const file = { path: 'a.md', hash: 'a1', passages: [{ content: 'a passage of a file' }] };
    await mine.memories.sources.replace({ kind: 'ingest', root: 'docs', files: [file] });
    await save(mine, 'said');
    await push();
    expect(await contents(theirs)).toEqual(['said']);
  });

  it('continues after an interruption', async () => {
    for (let nth = 0; nth < 1200; nth += 1) await mine.memories.sync.apply({ namespace: 'test', entries: [made(nth)] });
    let calls = 0;
    const cut: SyncOperations = {
      digests: (request) => theirs.memories.sync.digests(request),
      stamps: (request) => theirs.memories.sync.stamps(request),
      entries: (request) => theirs.memories.sync.entries(request),
      apply: async (request) => {
        calls += 1;
        if (calls === 2) throw new Error('the line was cut');
        return await theirs.memories.sync.apply(request);
      },
    };
    await expect(send(mine.memories.sync, cut)).rejects.toThrow('the line was cut');
    expect((await theirs.memories.list({})).total).toBe(500);
    expect(await push()).toMatchObject({ new: 700 });
    expect(await planOf(mine.memories.sync, theirs.memories.sync)).toEqual([]);
  });

  it('re-embeds for another model, and keeps vectors of unchanged entries', async () => {
    await using api = await startEmbeddingApi();
    const hosted = {
      'embeddings.provider': 'openai',
      'embeddings.baseUrl': api.url,
      'embeddings.model': 'model-a',
      'embeddings.dimensions': 64,
    };
    api.width = 64;
    await using other = await openSide(hosted);
    const id = await save(mine, 'the walrus sleeps on the ice');
    await save(mine, `a long text ${'with many words of every kind '.repeat(200)}`);
    await send(mine.memories.sync, other.memories.sync);
    expect((await other.memories.recall({ query: 'walrus on ice', searchMode: 'vector' })).results[0]?.entry.id).toBe(id);
    const asked = api.requests.length;
    await mine.memories.update(id, { priority: 'high' });
    await send(mine.memories.sync, other.memories.sync);
    expect(api.requests).toHaveLength(asked);
    await mine.memories.update(id, { tags: ['animal'] });
    await send(mine.memories.sync, other.memories.sync);
    expect(api.requests).toHaveLength(asked + 1);
    expect((await other.memories.recall({ query: 'walrus on ice', searchMode: 'vector' })).results[0]?.entry.tags).toEqual(['animal']);
    await save(other, 'an otter');
    await send(other.memories.sync, mine.memories.sync);
    expect((await mine.memories.recall({ query: 'otter', searchMode: 'vector' })).results[0]?.entry.content).toBe('an otter');
  });

  it('stores no secret that the receiving store redacts, and ends there', async () => {
    await using careful = await openSide({ 'memory.redactSecrets': 'always' });
    await save(mine, 'The staging database: password = hunter2-horse-battery');
    await send(mine.memories.sync, careful.memories.sync);
    expect((await contents(careful)).join(' ')).not.toContain('hunter2');
    const before = await exported(careful, true);
    await send(mine.memories.sync, careful.memories.sync);
    expect(await exported(careful, true)).toEqual(before);
  });
});

describe('a forgotten entry', () => {
  it('is archived on the other side too', async () => {
    const id = await save(mine, 'an old fact');
    await push();
    await forgetIds(mine, [id]);
    expect(await push()).toMatchObject({ forgotten: 1 });
    expect(await contents(theirs)).toEqual([]);
    expect((await theirs.memories.lifecycle.archived({})).entries).toMatchObject([
      { reason: 'forgotten', entry: { id, content: 'an old fact' } },
    ]);
    await exchange(mine, theirs);
    expect(await contents(mine)).toEqual([]);
  });

  it('is not sent to a store that never had it', async () => {
    await forgetIds(mine, [await save(mine, 'a slip of the tongue')]);
    expect(await planOf(mine.memories.sync, theirs.memories.sync)).toEqual([]);
    await push();
    expect((await theirs.memories.lifecycle.archived({})).total).toBe(0);
  });

  it('wins over an earlier unknown change, which stays in the archive', async () => {
    const id = await save(mine, 'first');
    await push();
    await theirs.memories.update(id, { content: 'second' });
    await forgetIds(mine, [id]);
    await exchange(mine, theirs);
    expect([await contents(mine), await contents(theirs)]).toEqual([[], []]);
    expect((await theirs.memories.lifecycle.archived({})).entries).toMatchObject([{ entry: { content: 'second' } }]);
  });

  it('returns with a later change, with the former version in its history', async () => {
    const id = await save(mine, 'first');
    await push();
    await mine.memories.update(id, { content: 'mine' });
    await forgetIds(mine, [id]);
    await later();
    await theirs.memories.update(id, { content: 'theirs, later' });
    expect(await pull()).toMatchObject({ restored: 1 });
    expect(await contents(mine)).toEqual(['theirs, later']);
    expect((await mine.memories.lifecycle.archived({})).total).toBe(0);
    const { versions } = await mine.memories.lifecycle.history(id);
    expect(versions.map(({ state }) => state.content).toSorted()).toEqual(['first', 'mine']);
  });

  it('returns on both sides once one restores it', async () => {
    const id = await save(mine, 'wanted after all');
    await push();
    await forgetIds(mine, [id]);
    await push();
    await mine.memories.lifecycle.restore({ ids: [id] });
    expect(await push()).toMatchObject({ restored: 1 });
    expect(await bare(theirs, id)).toEqual(await bare(mine, id));
  });

  it('stays local if maintenance archived it', async () => {
    const day = 86_400_000;
    const old = {
      ...made(1),
      createdAt: Date.now() - 400 * day,
      updatedAt: Date.now() - 400 * day,
      priority: 'low',
      importance: 0.1,
    } as const;
    await daysAgo(400, () => mine.memories.sync.apply({ namespace: 'test', entries: [old] }));
    await push();
    expect((await mine.memories.lifecycle.compact({})).archived).toBe(1);
    await exchange(mine, theirs);
    expect([await contents(mine), await contents(theirs)]).toEqual([[], [old.content]]);
    await theirs.memories.update(old.id, { tags: ['still needed'] });
    expect(await pull()).toMatchObject({ restored: 1 });
  });
});

describe('the same text under two ids', () => {
  it('is stored once in each store under its own id, and not sent again', async () => {
    const [own, other] = [
      await save(mine, 'we deploy on Tuesdays', { tags: ['a'] }),
      await save(theirs, 'we deploy on Tuesdays', { tags: ['b'] }),
    ];
    expect(await planOf(mine.memories.sync, theirs.memories.sync)).toEqual([`put away ${own}`]);
    expect(await push()).toMatchObject({ new: 0, putAway: 1 });
    expect(await pull()).toMatchObject({ new: 0, putAway: 1 });
    expect((await mine.memories.list({})).entries).toMatchObject([{ id: own, tags: ['a'] }]);
    expect((await theirs.memories.list({})).entries).toMatchObject([{ id: other, tags: ['b'] }]);
    expect((await theirs.memories.lifecycle.archived({})).entries).toMatchObject([
      { reason: 'near duplicate', survivor: other, entry: { id: own, tags: ['a'] } },
    ]);
    expect(await planOf(mine.memories.sync, theirs.memories.sync)).toEqual([]);
    expect(await planOf(theirs.memories.sync, mine.memories.sync)).toEqual([]);
  });

  it('created there by an edit keeps the former version', async () => {
    const id = await save(mine, 'one');
    await push();
    const other = await save(theirs, 'two');
    await mine.memories.update(id, { content: 'two' });
    expect(await push()).toMatchObject({ changed: 0, putAway: 1 });
    expect((await theirs.memories.list({})).entries.map((entry) => entry.id)).toEqual([other]);
    await exchange(mine, theirs);
    await theirs.memories.update(other, { content: 'three' });
    await theirs.memories.lifecycle.restore({ ids: [id] });
    const { versions } = await theirs.memories.lifecycle.history(id);
    expect(versions.map(({ state }) => state.content)).toEqual(['one']);
  });

  it('is not assumed after both texts changed', async () => {
    const [a, b] = [await save(mine, 'left'), await save(mine, 'right')];
    await push();
    await mine.memories.update(a, { content: 'between' });
    await mine.memories.update(b, { content: 'left' });
    await mine.memories.update(a, { content: 'right' });
    expect(await planOf(mine.memories.sync, theirs.memories.sync)).toEqual([`changed ${a}`, `changed ${b}`].toSorted());
    expect(await push()).toMatchObject({ changed: 2, putAway: 0 });
    for (const id of [a, b]) expect(await bare(theirs, id)).toEqual(await bare(mine, id));
    expect((await theirs.memories.lifecycle.archived({})).total).toBe(0);
    expect(await planOf(mine.memories.sync, theirs.memories.sync)).toEqual([]);
  });
});

describe('namespaces', () => {
  it('are synced one by one, and a moved entry follows once both are', async () => {
    const id = await save(mine, 'a fact', { namespace: 'a' });
    await save(mine, 'private', { namespace: 'b' });
    await push('a');
    expect(await contents(theirs)).toEqual(['a fact']);
    await theirs.memories.update(id, { namespace: 'c' });
    expect(await planOf(mine.memories.sync, theirs.memories.sync, 'a')).toEqual([]);
    await pull('c');
    expect(await mine.memories.get(id)).toMatchObject({ namespace: 'c', container: 'c' });
    expect((await mine.memories.lifecycle.history(id)).versions).toMatchObject([{ state: { namespace: 'a' } }]);
  });
});

/** An entry as another store would send it. */
function made(nth: number) {
  const id = `00000000-0000-7000-8000-${String(nth).padStart(12, '0')}`;
  const at = 1_700_000_000_000 + nth;
  const facts = { container: 'test', tags: [], priority: 'normal', importance: 0.5, source: 'api' } as const;
  return { id, content: `fact number ${nth} of many`, ...facts, tags: [...facts.tags], createdAt: at, updatedAt: at };
}
