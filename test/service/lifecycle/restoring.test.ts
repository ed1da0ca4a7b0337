import { describe, expect, it } from 'vitest';
import type { MemoryOperations } from '../../../src/memory/operations/operations.ts';
import { openTestApp } from '../../helpers/app.ts';

const UNKNOWN = '00000000-0000-7000-8000-000000000000';

async function archiveAll({ lifecycle }: MemoryOperations, tag: string): Promise<string> {
  const { token } = await lifecycle.forgetMany({ tags: [tag] });
  return (await lifecycle.forgetMany({ tags: [tag], confirm: token! })).run!;
}

describe('the archive', () => {
  it('is listed latest first, paged, by namespace, reason and run', async () => {
    await using app = await openTestApp();
    const { memories } = app;
    for (const namespace of ['a', 'b']) {
      for (let nth = 0; nth < 3; nth += 1) await memories.save({ content: `${namespace}${nth}`, namespace, tags: [namespace] });
    }
    const runs = [await archiveAll(memories, 'a'), await archiveAll(memories, 'b')];
    const list = async (request: object): Promise<string[]> =>
      (await memories.lifecycle.archived(request)).entries.map(({ entry }) => entry.content);
    const all = await list({});
    expect(all.map((content) => content[0])).toEqual(['b', 'b', 'b', 'a', 'a', 'a']);
    expect([...(await list({ limit: 2 })), ...(await list({ limit: 4, offset: 2 }))]).toEqual(all);
    expect(await memories.lifecycle.archived({ limit: 2, offset: 5 })).toMatchObject({
      total: 6,
      offset: 5,
      limit: 2,
      entries: [{ reason: 'forgotten' }],
    });
    expect(await list({ namespace: 'a' })).toHaveLength(3);
    expect(await list({ run: runs[1]! })).toEqual(all.slice(0, 3));
    expect(await list({ reason: 'expired' })).toEqual([]);
  });
});

describe('restore', () => {
  it('restores an entry completely: found by word and vector, with its history and position', async () => {
    await using app = await openTestApp();
    const { memories } = app;
    const { ids } = await memories.save({ content: 'the walrus sleeps', tags: ['x'], importance: 0.7 });
    const [id] = ids as [string];
    await memories.update(id, { priority: 'low' });
    const before = await memories.get(id);
    await archiveAll(memories, 'x');
    expect((await memories.search({ query: 'walrus' })).results).toEqual([]);
    expect(await memories.lifecycle.restore({ ids: [id] })).toEqual({ dryRun: false, restored: [id], skipped: [] });
    const { recalls: _recalls, lastRecalledAt: _last, ...after } = await memories.get(id);
    // To bring it back is a change, which other stores are to hear of.
    expect(after).toEqual({ ...before, updatedAt: expect.any(Number) });
    expect(after.updatedAt).toBeGreaterThan(before.updatedAt);
    for (const searchMode of ['vector', 'keyword'] as const)
      expect((await memories.search({ query: 'walrus', searchMode })).results).toHaveLength(1);
    expect((await memories.lifecycle.history(id)).versions).toHaveLength(1);
    expect((await memories.lifecycle.archived({})).total).toBe(0);
  });

  it('restores relations between entries archived together', async () => {
    await using app = await openTestApp();
    const { memories } = app;
    const ids: string[] = [];
    for (let nth = 0; nth < 5; nth += 1) ids.push((await memories.save({ content: `part ${nth} of the story`, tags: ['x'] })).ids[0]!);
    for (let nth = 1; nth < 5; nth += 1) {
      await memories.relations.relate({ sourceId: ids[nth]!, type: 'elaborates', targetId: ids[nth - 1]! });
    }
    await memories.relations.relate({ sourceId: ids[4]!, type: 'supersedes', targetId: ids[0]! });
    const manual = async (): Promise<string[]> =>
      (await memories.relations.list({ limit: 100 })).relations
        .filter(({ origin }) => origin === 'manual')
        .map(({ sourceId, type, targetId }) => `${sourceId} ${type} ${targetId}`)
        .toSorted();
    const before = await manual();
    const run = await archiveAll(memories, 'x');
    expect(await manual()).toEqual([]);
    await memories.lifecycle.restore({ run });
    expect(await manual()).toEqual(before);
    expect(await memories.get(ids[0]!)).toMatchObject({ superseded: true });
  });

  it('selects by run, time and namespace, and changes nothing in a dry run', async () => {
    await using app = await openTestApp();
    const { memories } = app;
    await memories.save({ content: 'one', tags: ['x'], namespace: 'a' });
    await memories.save({ content: 'two', tags: ['x'], namespace: 'b' });
    const since = new Date().toISOString();
    const run = await archiveAll(memories, 'x');
    for (const dryRun of [true, false]) {
      expect((await memories.lifecycle.restore({ run, namespace: 'a', dryRun })).restored).toHaveLength(1);
    }
    expect((await memories.lifecycle.restore({ since: '2999-01-01' })).restored).toEqual([]);
    expect((await memories.lifecycle.restore({ since })).restored).toHaveLength(1);
    expect((await memories.lifecycle.restore({ run: 'no such run' })).restored).toEqual([]);
    expect((await memories.list({ allNamespaces: true })).total).toBe(2);
  });

  it('reports entries it cannot restore, which stay archived', async () => {
    await using app = await openTestApp();
    const { memories } = app;
    const { ids } = await memories.save({ content: 'once more', tags: ['x'] });
    const run = await archiveAll(memories, 'x');
    const { ids: twin } = await memories.save({ content: 'once more' });
    const skipped = [{ id: ids[0], reason: `The entry ${twin[0]} now has exactly this content.` }];
    expect(await memories.lifecycle.restore({ run, dryRun: true })).toEqual({ dryRun: true, restored: [], skipped });
    expect(await memories.lifecycle.restore({ run })).toEqual({ dryRun: false, restored: [], skipped });
    expect((await memories.lifecycle.archived({})).total).toBe(1);
    expect((await memories.lifecycle.restore({ ids: [ids[0]!, UNKNOWN] })).skipped.map(({ id }) => id)).toEqual([UNKNOWN, ids[0]]);
    await expect(memories.lifecycle.restore({ ids: [UNKNOWN] })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('of fifty concurrent calls restores each entry once', async () => {
    await using app = await openTestApp();
    const { memories } = app;
    await Promise.all(Array.from({ length: 50 }, (_, nth) => memories.save({ content: `note ${nth}`, tags: ['x'] })));
    const run = await archiveAll(memories, 'x');
    const reports = await Promise.all(Array.from({ length: 50 }, () => memories.lifecycle.restore({ run })));
    const restored = reports.flatMap((report) => report.restored);
    expect([restored.length, new Set(restored).size]).toEqual([50, 50]);
    expect((await memories.list({})).total).toBe(50);
  });
});
