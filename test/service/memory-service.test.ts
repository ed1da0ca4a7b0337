import { describe, expect, it } from 'vitest';
import type { MemoryOperations } from '../../src/memory/operations/operations.ts';
import { openTestApp } from '../helpers/app.ts';
import { dayOf } from '../helpers/time-of-day.ts';

const contents = (found: { results: readonly { entry: { content: string } }[] }): string[] =>
  found.results.map(({ entry }) => entry.content);

async function saveAll(memories: MemoryOperations, texts: readonly string[]): Promise<string[]> {
  const receipts = await Promise.all(texts.map((content) => memories.save({ content })));
  return receipts.flatMap(({ ids }) => ids);
}

describe('save', () => {
  it('returns id and outcome, and the entry has its defaults', async () => {
    await using app = await openTestApp();
    const receipt = await app.memories.save({ content: 'We deploy on Tuesdays', tags: ['deploy', 'deploy'] });
    expect(receipt.ids).toHaveLength(1);
    expect(receipt.outcomes).toEqual([{ id: receipt.ids[0], status: 'stored', vector: 'stored', passages: 1 }]);
    const entry = await app.memories.get(receipt.ids[0]!);
    expect(entry).toMatchObject({ namespace: 'test', container: 'test', tags: ['deploy'], priority: 'normal', source: 'api' });
    expect(entry.createdAt).toBeCloseTo(Date.now(), -5);
  });

  it('returns duplicate for the same text and merges the tags', async () => {
    await using app = await openTestApp();
    const first = await app.memories.save({ content: 'same', tags: ['a'] });
    const again = await app.memories.save({ content: 'same', tags: ['b'] });
    expect(again.ids).toEqual(first.ids);
    expect(again.outcomes[0]?.status).toBe('duplicate');
    expect(again.message).toContain('duplicate');
    expect(again.entry.tags).toEqual(['a', 'b']);
  });

  it('treats composed and decomposed letters alike', async () => {
    await using app = await openTestApp();
    const first = await app.memories.save({ content: 'Caf\u00e9' });
    expect((await app.memories.save({ content: 'Cafe\u0301' })).ids).toEqual(first.ids);
  });

  it('stores two texts that differ in one digit', async () => {
    await using app = await openTestApp();
    await saveAll(app.memories, ['The port is 7007', 'The port is 7008', 'The port is not 7007']);
    expect((await app.memories.list({})).total).toBe(3);
  });

  it('stores global entries in the global namespace, which a recall adds on request', async () => {
    await using app = await openTestApp();
    await app.memories.save({ content: 'tea is in the left cupboard', global: true });
    expect(contents(await app.memories.recall({ query: 'tea cupboard' }))).toEqual([]);
    expect(contents(await app.memories.recall({ query: 'tea cupboard', includeGlobal: true }))).toHaveLength(1);
    expect(contents(await app.memories.recall({ query: 'tea cupboard', namespace: 'global' }))).toHaveLength(1);
    await expect(app.memories.save({ content: 'x', global: true, namespace: 'other' })).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('stores a long text as one entry and finds it by its end', async () => {
    await using app = await openTestApp();
    const filler = 'Nothing of interest happened on that day. '.repeat(60);
    const receipt = await app.memories.save({ content: `${filler}The walrus escaped at dawn.` });
    expect(receipt.ids).toHaveLength(1);
    expect(receipt.outcomes[0]!.passages).toBeGreaterThan(3);
    await saveAll(app.memories, ['lunch is at noon', 'the crane is yellow']);
    for (const searchMode of ['vector', 'keyword', 'hybrid'] as const) {
      const found = await app.memories.recall({ query: 'walrus escaped dawn', searchMode });
      expect(found.results[0]?.entry.id).toBe(receipt.ids[0]);
    }
    expect((await app.memories.get(receipt.ids[0]!)).summary).toBeDefined();
  });
});

describe('recall and search', () => {
  it.each(['vector', 'keyword', 'hybrid'] as const)(
    'find the right entry first in %s mode, with scores between 0 and 1',
    async (searchMode) => {
      await using app = await openTestApp();
      await saveAll(app.memories, [
        'The database password lives in Vault under kv/prod/db',
        'Lunch is at noon in the courtyard',
        'Deploys run through the release train on Tuesdays',
        'getUserById throws when the cache is cold',
      ]);
      const { results, mode } = await app.memories.recall({ query: 'where is the database password', searchMode });
      expect(mode).toBe(searchMode);
      expect(results[0]?.entry.content).toContain('Vault');
      const all = results.flatMap(({ score, scores }) => [score, scores.vector ?? 0, scores.keyword ?? 0]);
      expect(Math.min(...all)).toBeGreaterThanOrEqual(0);
      expect(Math.max(...all)).toBeLessThanOrEqual(1);
      expect(results.map(({ score }) => score)).toEqual(results.map(({ score }) => score).toSorted((a, b) => b - a));
    },
  );

  it('find an entry by its own words in a store with no others', async () => {
    await using app = await openTestApp();
    await app.memories.save({ content: 'crane crane crane', tags: ['crane'] });
    for (const searchMode of ['vector', 'keyword', 'hybrid'] as const) {
      expect(contents(await app.memories.recall({ query: 'crane', searchMode }))).toHaveLength(1);
      expect(contents(await app.memories.recall({ query: 'crane', searchMode, tags: ['crane'] }))).toHaveLength(1);
    }
  });

  it('keep namespaces, containers and tags apart', async () => {
    await using app = await openTestApp();
    await app.memories.save({ content: 'alpha walrus', namespace: 'a', container: 'one', tags: ['x', 'y'] });
    await app.memories.save({ content: 'beta walrus', namespace: 'b', tags: ['x'] });
    const recall = async (more: object): Promise<string[]> => contents(await app.memories.recall({ query: 'walrus', ...more })).toSorted();
    expect(await recall({})).toEqual([]);
    expect(await recall({ namespace: 'a' })).toEqual(['alpha walrus']);
    expect(await recall({ namespace: 'a', container: 'one' })).toEqual(['alpha walrus']);
    expect(await recall({ namespace: 'a', container: 'two' })).toEqual([]);
    expect(await recall({ namespace: 'a', tags: ['x', 'y'] })).toEqual(['alpha walrus']);
    expect(await recall({ namespace: 'b', tags: ['x', 'y'] })).toEqual([]);
    expect(contents(await app.memories.search({ query: 'walrus' })).toSorted()).toEqual(['alpha walrus', 'beta walrus']);
    expect(contents(await app.memories.search({ query: 'walrus', tags: ['x'], filter: { tags: ['y'] } }))).toEqual(['alpha walrus']);
  });

  it('filter by importance and by time, and echo the filter', async () => {
    await using app = await openTestApp();
    await app.memories.save({ content: 'walrus low', priority: 'low' });
    await app.memories.save({ content: 'walrus high', priority: 'high' });
    const high = await app.memories.get((await app.memories.list({})).entries[0]!.id);
    const find = async (filter: object): Promise<string[]> => contents(await app.memories.search({ query: 'walrus', filter })).toSorted();
    expect(await find({ importance: { min: 0.6 } })).toEqual(['walrus high']);
    expect(await find({ importance: { max: 0.6 } })).toEqual(['walrus low']);
    const shown = new Date(high.createdAt).toISOString();
    expect(await find({ createdAfter: shown })).toEqual([]);
    expect(await find({ createdBefore: '2020-01-01' })).toEqual([]);
    expect(await find({ createdAfter: '2020-01-01' })).toHaveLength(2);
    expect(await find({ createdAfter: '2020-01-01T00:00:00' })).toHaveLength(2);
    expect((await app.memories.search({ query: 'walrus', filter: { createdAfter: '2020-01-01' } })).filter).toEqual({
      createdAfter: '2020-01-01',
    });
  });

  it('return nothing for unknown words', async () => {
    await using app = await openTestApp();
    await app.memories.save({ content: 'something' });
    for (const query of ['!!!', '"', "x' OR '1'='1", 'AND ( * : % \\', '\u0000', '🚀', 'the', '"quoted phrase"']) {
      for (const searchMode of ['vector', 'keyword', 'hybrid'] as const) {
        expect(await app.memories.recall({ query, searchMode })).toMatchObject({ query, mode: searchMode });
      }
    }
  });

  it('refuse more results than the configuration allows', async () => {
    await using app = await openTestApp({ 'memory.maxLimit': 20 });
    await expect(app.memories.recall({ query: 'x', limit: 21 })).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(app.memories.list({ limit: 21 })).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('return at most `limit` results, ten by default', async () => {
    await using app = await openTestApp();
    await saveAll(
      app.memories,
      Array.from({ length: 30 }, (_, nth) => `walrus number ${nth}`),
    );
    expect((await app.memories.recall({ query: 'walrus' })).results).toHaveLength(10);
    expect((await app.memories.recall({ query: 'walrus', limit: 25 })).results).toHaveLength(25);
  });
});

describe('list', () => {
  it('pages newest first without overlap, counts all, and sorts four ways', async () => {
    await using app = await openTestApp();
    for (const [nth, priority] of (['low', 'high', 'normal'] as const).entries()) await app.memories.save({ content: `${nth}`, priority });
    const list = async (more: object): Promise<string[]> => (await app.memories.list(more)).entries.map(({ content }) => content);
    expect(await list({})).toEqual(['2', '1', '0']);
    expect(await list({ sort: 'createdAt' })).toEqual(['0', '1', '2']);
    expect(await list({ sort: 'importance' })).toEqual(['0', '2', '1']);
    expect(await list({ sort: '-importance' })).toEqual(['1', '2', '0']);
    expect(await list({ limit: 2, offset: 1 })).toEqual(['1', '0']);
    expect(await app.memories.list({ offset: 99 })).toMatchObject({ entries: [], total: 3, offset: 99 });
    expect(await app.memories.list({ namespace: 'none' })).toMatchObject({ total: 0 });
    expect(await app.memories.list({ allNamespaces: true, tags: ['none'] })).toMatchObject({ total: 0 });
  });
});

describe('update and forget', () => {
  it('changes only the fields of the patch', async () => {
    await using app = await openTestApp();
    const { ids } = await app.memories.save({ content: 'the walrus sleeps', tags: ['a'], priority: 'low' });
    const before = await app.memories.get(ids[0]!);
    const after = await app.memories.update(ids[0]!, { content: 'the heron flies', priority: 'high' });
    expect(after).toMatchObject({ id: before.id, content: 'the heron flies', tags: ['a'], priority: 'high', createdAt: before.createdAt });
    expect(after.importance).toBeGreaterThan(before.importance);
    expect(after.updatedAt).toBeGreaterThan(before.updatedAt);
    expect(contents(await app.memories.recall({ query: 'walrus', searchMode: 'keyword' }))).toEqual([]);
    expect(contents(await app.memories.recall({ query: 'heron', searchMode: 'keyword' }))).toEqual(['the heron flies']);
    expect(contents(await app.memories.recall({ query: 'heron flies', searchMode: 'vector' }))).toEqual(['the heron flies']);
  });

  it('moves an entry to another namespace with its container, and drops replaced tags from the search', async () => {
    await using app = await openTestApp();
    const { ids } = await app.memories.save({ content: 'the walrus', tags: ['zanzibar'] });
    expect(await app.memories.update(ids[0]!, { namespace: 'other', tags: ['lagos'] })).toMatchObject({
      namespace: 'other',
      container: 'other',
    });
    expect(contents(await app.memories.recall({ query: 'zanzibar', namespace: 'other', searchMode: 'keyword' }))).toEqual([]);
    expect(contents(await app.memories.recall({ query: 'lagos', namespace: 'other', searchMode: 'keyword' }))).toEqual(['the walrus']);
  });

  it('removes an entry from every result', async () => {
    await using app = await openTestApp();
    const { ids } = await app.memories.save({ content: 'secret walrus' });
    await app.memories.forget(ids[0]!);
    await expect(app.memories.get(ids[0]!)).rejects.toMatchObject({ code: 'not_found' });
    await expect(app.memories.forget(ids[0]!)).rejects.toMatchObject({ code: 'not_found', message: expect.stringContaining(ids[0]!) });
    await expect(app.memories.update(ids[0]!, { priority: 'low' })).rejects.toMatchObject({ code: 'not_found' });
    expect((await app.memories.list({})).total).toBe(0);
    for (const searchMode of ['vector', 'keyword', 'hybrid'] as const)
      expect(contents(await app.memories.recall({ query: 'walrus', searchMode }))).toEqual([]);
  });
});

describe('health, namespaces and statistics', () => {
  it('match the saved entries', async () => {
    await using app = await openTestApp();
    await app.memories.save({ content: 'one', tags: ['x'], priority: 'high' });
    await app.memories.save({ content: 'two', namespace: 'b', container: 'c', tags: ['x', 'y'] }, { source: 'cli' });
    await app.memories.save({ content: 'three', global: true });
    expect(await app.memories.health()).toMatchObject({
      status: 'healthy',
      namespace: 'test',
      entriesInNamespace: 1,
      globalEntries: 1,
      totalEntries: 3,
      degraded: [],
      embedder: { provider: 'builtin', dimensions: 384, state: 'ready' },
      storage: { type: 'lancedb' },
    });
    expect(await app.memories.namespaces()).toMatchObject([
      { namespace: 'b', entries: 1, containers: ['c'] },
      { namespace: 'global' },
      { namespace: 'test' },
    ]);
    const stats = await app.memories.stats();
    expect(stats).toMatchObject({
      total: 3,
      byPriority: { high: 1, normal: 2 },
      bySource: { api: 2, cli: 1 },
      topTags: [
        { tag: 'x', entries: 2 },
        { tag: 'y', entries: 1 },
      ],
    });
    expect(stats.perDay).toHaveLength(30);
    const { entries } = await app.memories.list({ allNamespaces: true, sort: 'createdAt' });
    expect(stats.perDay.flatMap((on) => Array.from({ length: on.entries }, () => on.day))).toEqual(
      entries.map(({ createdAt }) => dayOf(createdAt)),
    );
    expect([dayOf(entries[0]!.createdAt), dayOf(Date.now())]).toContain(stats.perDay.at(-1)?.day);
    expect(stats.storage?.bytes).toBeGreaterThan(1000);
  });
});
