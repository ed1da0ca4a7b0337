import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SearchRequest, SearchResults } from '../../../src/memory/operations/operations.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';

const HERONS = 130;

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
  for (let nth = 0; nth < HERONS; nth += 1) await app.memories.save({ content: `Heron number ${nth} stands in bay ${nth % 7}` });
  for (const word of ['pasta', 'bicycle', 'piano']) await app.memories.save({ content: `Something about the ${word}` });
  const [id] = (await app.memories.save({ content: 'The archived heron' })).ids;
  const { token } = await app.memories.lifecycle.forgetMany({ ids: [id!] });
  await app.memories.lifecycle.forgetMany({ ids: [id!], confirm: token! });
});
afterAll(() => app[Symbol.asyncDispose]());

const idsOf = ({ results }: SearchResults): string[] => results.map(({ entry }) => entry.id);

async function pagesOf(request: Omit<SearchRequest, 'offset'>, limit: number): Promise<SearchResults[]> {
  const pages: SearchResults[] = [];
  for (let offset = 0; ; offset += limit) {
    const page = await app.memories.search({ ...request, limit, offset });
    if (page.results.length === 0) return pages;
    pages.push(page);
  }
}

describe('a search page by page', () => {
  it.each(['keyword', 'hybrid', 'vector'] as const)('gives every result once, best first (%s)', async (searchMode) => {
    const pages = await pagesOf({ query: 'heron', searchMode }, 50);
    const ids = pages.flatMap(idsOf);
    expect(new Set(ids).size).toBe(ids.length);
    expect(pages.map(({ total }) => total)).toEqual(pages.map(() => ids.length));
    const scores = pages.flatMap(({ results }) => results.map(({ score }) => score));
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  });

  it('reports how many entries contain a word of the query', async () => {
    const page = await app.memories.search({ query: 'heron', searchMode: 'keyword', limit: 10, offset: 20 });
    expect(page).toMatchObject({ total: HERONS, matches: HERONS });
    expect(page.results).toHaveLength(10);
    expect(await app.memories.search({ query: 'herons of bay 3', searchMode: 'hybrid', offset: 0 })).toMatchObject({ matches: HERONS });
    expect(await app.memories.search({ query: 'heron', searchMode: 'vector', offset: 0 })).not.toHaveProperty('matches');
  });

  it('counts only on request', async () => {
    const whole = await app.memories.search({ query: 'heron in bay 3', limit: 20 });
    const [first] = await pagesOf({ query: 'heron in bay 3' }, 20);
    expect(idsOf(first!)[0]).toEqual(idsOf(whole)[0]);
    expect(whole).not.toHaveProperty('total');
    expect(whole).not.toHaveProperty('matches');
  });

  it('continues if one of two callers with the same query cancels', async () => {
    const leaving = new AbortController();
    const request: SearchRequest = { query: 'heron bay', searchMode: 'hybrid', limit: 10, offset: 0 };
    const both = [app.memories.search(request, { signal: leaving.signal }), app.memories.search(request)] as const;
    leaving.abort(new Error('the client left'));
    const [, staying] = await Promise.allSettled(both);
    expect(staying).toMatchObject({ status: 'fulfilled', value: { matches: HERONS } });
  });

  it('includes archived entries at their rank', async () => {
    const pages = await pagesOf({ query: 'heron', searchMode: 'keyword', includeArchived: true }, 50);
    const results = pages.flatMap((page) => page.results);
    expect(results).toHaveLength(HERONS + 1);
    expect(results.filter(({ archived }) => archived !== undefined).map(({ entry }) => entry.content)).toEqual(['The archived heron']);
    expect(pages[2]).toMatchObject({ total: HERONS + 1, matches: HERONS });
  });

  it('notices a new entry between two pages', async () => {
    const ask = (offset: number) => app.memories.search({ query: 'gannet', searchMode: 'keyword', limit: 1, offset });
    expect(await ask(0)).toMatchObject({ total: 0, results: [] });
    await app.memories.save({ content: 'A gannet dives' });
    expect(await ask(0)).toMatchObject({ total: 1, results: [{ entry: { content: 'A gannet dives' } }] });
    expect(await ask(1)).toMatchObject({ total: 1, results: [] });
  });
});
