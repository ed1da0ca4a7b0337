import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApp } from '../../../src/app.ts';
import { silentLog } from '../../../src/memory/log.ts';
import type { SearchResults } from '../../../src/memory/operations/operations.ts';
import { restrictTo } from '../../../src/service/limits.ts';
import { openTestApp, testConfig, type TestApp } from '../../helpers/app.ts';
import { temporaryFolder } from '../../helpers/folder.ts';
import { openTestStore, row } from '../../helpers/store.ts';

const DAY_MS = 86_400_000;
const LATHE = 'The lathe in the workshop needs a new belt of size 17';
const OTHER = 'The lathe in the other workshop was sold';

let app: TestApp;
const ids = new Map<string, string>();

/** Puts entries away by a filter, as a person does. */
async function archive(memories: TestApp['memories'], archived: readonly string[]): Promise<void> {
  const { token } = await memories.lifecycle.forgetMany({ ids: [...archived] });
  await memories.lifecycle.forgetMany({ ids: [...archived], confirm: token! });
}

const texts = ({ results }: SearchResults): string[] => results.map(({ entry }) => entry.content);

beforeAll(async () => {
  app = await openTestApp();
  const save = async (content: string, facts: object = {}): Promise<void> => {
    ids.set(content, (await app.memories.save({ content, ...facts })).ids[0]!);
  };
  for (const word of ['pasta', 'bicycle', 'piano', 'garden']) await save(`Something about the ${word}`);
  await save(LATHE, { tags: ['workshop'] });
  await save(OTHER, { namespace: 'elsewhere', container: 'box' });
  await archive(app.memories, [ids.get(LATHE)!, ids.get(OTHER)!]);
});
afterAll(() => app[Symbol.asyncDispose]());

describe('a recall with weak results', () => {
  it('reports how many archived entries match, and includes them on request', async () => {
    const { memories } = app;
    expect(await memories.recall({ query: 'lathe belt' })).toMatchObject({ archivedMatches: 1 });
    expect(await memories.search({ query: 'lathe' })).toMatchObject({ archivedMatches: 2 });
    const found = await memories.recall({ query: 'lathe belt', includeArchived: true, explain: true });
    expect(found).not.toHaveProperty('archivedMatches');
    expect(found.results[0]).toMatchObject({
      entry: { id: ids.get(LATHE), content: LATHE },
      archived: { at: expect.any(Number), reason: 'forgotten' },
      explanation: { keyword: expect.anything() },
    });
    expect(found.results[0]!.score).toBeGreaterThan(0.3);
    expect(found.results.filter(({ archived }) => archived !== undefined)).toHaveLength(1);
    expect(await memories.recall({ query: 'zeppelin' })).not.toHaveProperty('archivedMatches');
  });

  it('ignores the archive if its own results are good', async () => {
    const found = await app.memories.recall({ query: 'something about the piano' });
    expect(found.results[0]!.score).toBeGreaterThan(0.3);
    expect(found).not.toHaveProperty('archivedMatches');
    const mixed = await app.memories.search({ query: 'piano lathe', includeArchived: true });
    expect(mixed.results.map(({ score }) => score)).toEqual(mixed.results.map(({ score }) => score).toSorted((a, b) => b - a));
    expect(new Set(mixed.results.map(({ archived }) => archived?.reason))).toEqual(new Set([undefined, 'forgotten']));
    expect((await app.memories.search({ query: 'piano lathe', includeArchived: true, limit: 1 })).results).toHaveLength(1);
  });

  it('respects every filter and the limits of the key', async () => {
    const { memories } = app;
    const archived = { includeArchived: true } as const;
    expect(texts(await memories.search({ query: 'lathe', namespace: 'elsewhere', ...archived }))).toEqual([OTHER]);
    expect(texts(await memories.search({ query: 'lathe', container: 'box', ...archived }))).toEqual([OTHER]);
    expect(texts(await memories.search({ query: 'lathe', tags: ['workshop'], ...archived }))).toEqual([LATHE]);
    const past = { createdBefore: new Date(Date.now() - DAY_MS).toISOString() };
    expect(await memories.search({ query: 'lathe', filter: past })).not.toHaveProperty('archivedMatches');
    expect(texts(await memories.search({ query: 'lathe', filter: past, ...archived }))).toEqual([]);
    const bound = restrictTo(memories, { name: 'bound', access: 'read', namespace: 'elsewhere' });
    expect(await bound.search({ query: 'lathe' })).toMatchObject({ archivedMatches: 1 });
    expect(texts(await bound.recall({ query: 'lathe', ...archived }))).toEqual([OTHER]);
    expect(await memories.search({ query: 'lathe', minScore: 0.99 })).not.toHaveProperty('archivedMatches');
  });

  it('follows changes of the archive', async () => {
    await using own = await openTestApp();
    const { memories } = own;
    const matches = async (): Promise<number> => (await memories.recall({ query: 'walrus' })).archivedMatches ?? 0;
    const [id] = (await memories.save({ content: 'The walrus sleeps on the pier' })).ids as [string];
    expect(await matches()).toBe(0);
    await archive(memories, [id]);
    expect(await matches()).toBe(1);
    await memories.lifecycle.restore({ ids: [id] });
    expect(await matches()).toBe(0);
    await memories.moves.rename({ from: 'test', to: 'renamed' });
    await archive(memories, [id]);
    expect(await matches()).toBe(0);
    expect(texts(await memories.recall({ query: 'walrus', namespace: 'renamed', includeArchived: true }))).toHaveLength(1);
  });
});

describe('an archive of thousands', () => {
  it('is loaded once, by a weak recall only', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(`${folder.path}/store`);
    const content = (nth: number): string => `Faded note ${nth} about the ${nth % 20 === 0 ? 'lighthouse' : 'harbour'}`;
    await Promise.all(
      Array.from({ length: 3000 }, async (_, nth) => {
        const { entry } = row(content(nth), { id: randomUUID() });
        const value = { entry, relations: [], at: Date.now() - nth, reason: 'expired', run: 'r' } as const;
        await store.entries.changes.adopt({ op: 'side', table: 'archive', key: entry.id, value });
      }),
    );
    await store.entries.insert(row('The kettle whistles', { namespace: 'ns' }));
    await store.close();
    await using large = await openApp(testConfig(folder.path), { log: silentLog, cwd: folder.path });
    const { memories } = large;
    expect(await memories.recall({ query: 'kettle', namespace: 'ns' })).not.toHaveProperty('archivedMatches');
    const found = await memories.search({ query: 'lighthouse', includeArchived: true, limit: 100 });
    expect(found.results).toHaveLength(100);
    expect((await memories.search({ query: 'lighthouse' })).archivedMatches).toBe(100);
    const [best] = (await memories.search({ query: 'note 1240', includeArchived: true })).results;
    expect(best?.entry.content).toBe('Faded note 1240 about the lighthouse');
  });
});
