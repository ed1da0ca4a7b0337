import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { demoImport } from '../../../src/demo/demo-store.ts';
import type { FacetsRequest } from '../../../src/memory/operations/bulk-operations.ts';
import type { SearchFilter, SearchRequest } from '../../../src/memory/operations/operations.ts';
import { restrictTo } from '../../../src/service/limits.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield await Promise.resolve(new TextEncoder().encode(demoImport()));
  }
  await app.memories.import(chunks(), {});
  const flushed = async () => (await app.memories.stats()).runs?.some(({ kind }) => kind === 'optimize');
  await vi.waitUntil(flushed, { timeout: 15_000 });
  // These are in no table yet.
  await app.memories.save({ content: 'The deploy of the harbour runs at night', namespace: 'harbour', tags: ['night'], priority: 'high' });
  await app.memories.save({ content: 'The database of the harbour is copied at night', namespace: 'harbour', tags: ['night'] });
});
afterAll(() => app[Symbol.asyncDispose]());

const facets = (query: string, within: FacetsRequest = { allNamespaces: true }) => app.memories.bulk.facets({ query, ...within });

/** How many entries hold the words, as a search says it: what the page shows. */
async function found(request: SearchRequest): Promise<number> {
  const { matches } = await app.memories.search({ searchMode: 'keyword', limit: 100, offset: 0, ...request });
  return matches!;
}

describe('the facets of a search', () => {
  it.each(['deploy', 'postgres database migration', 'how do we deploy the api', 'db timeouts', 'k8s', 'depoly'])(
    'count for each value how many the search finds with it: %s',
    async (query) => {
      const counts = await facets(query);
      expect(counts.total).toBe(await found({ query }));
      expect(counts.total).toBeGreaterThan(0);
      for (const { value, entries } of counts.namespaces)
        expect([value, await found({ query, namespace: value })]).toEqual([value, entries]);
      const narrowed = [
        ...counts.tags.slice(0, 5).map(({ value, entries }) => ({ filter: { tags: [value] }, entries })),
        ...counts.sources.map(({ value, entries }) => ({ filter: { source: value }, entries })),
        ...counts.kinds.map(({ value, entries }) => ({ filter: { kind: value }, entries })),
        ...counts.priorities.map(({ value, entries }) => ({ filter: { priority: value }, entries })),
      ];
      for (const { filter, entries } of narrowed) {
        expect([filter, await found({ query, filter: filter as SearchFilter })]).toEqual([filter, entries]);
      }
    },
  );

  it('cover the matching entries with a query word', async () => {
    const { results } = await app.memories.search({ query: 'deploy', searchMode: 'keyword', limit: 100, explain: true });
    const holding = results.filter(({ explanation }) => explanation!.keyword!.terms.some(({ kind }) => kind === 'exact'));
    expect((await facets('deploy')).total).toBe(holding.length);
  });

  it('count the other values of a filtered field', async () => {
    const { total, priorities } = await facets('harbour', { namespace: 'harbour', priority: 'high' });
    expect(total).toBe(1);
    expect(priorities).toEqual([
      { value: 'high', entries: 1 },
      { value: 'normal', entries: 1 },
    ]);
  });

  it('exclude superseded and deleted entries', async () => {
    const old = await app.memories.save({ content: 'The gannet dives at noon', namespace: 'birds' });
    await app.memories.save({ content: 'The gannet dives at one', namespace: 'birds', supersedes: [old.entry.id] });
    const gone = await app.memories.save({ content: 'A gannet of no importance', namespace: 'birds' });
    await app.memories.forget(gone.entry.id);
    expect((await facets('gannet')).namespaces).toEqual([{ value: 'birds', entries: 1 }]);
  });

  it('are empty for unknown words', async () => {
    expect(await facets('xyzzyplugh')).toMatchObject({ total: 0, namespaces: [], tags: [], years: [] });
  });

  it('show a key of one namespace nothing of others', async () => {
    const bound = restrictTo(app.memories, { name: 'bound', namespace: 'harbour', access: 'read' });
    expect((await bound.bulk.facets({ query: 'deploy database' })).namespaces).toEqual([{ value: 'harbour', entries: 2 }]);
  });
});
