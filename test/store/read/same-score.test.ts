import { expect, it } from 'vitest';
import { embedText } from '../../../src/embeddings/builtin.ts';
import { queryTokens } from '../../../src/memory/words/tokens.ts';
import type { Store } from '../../../src/store/store.ts';
import { temporaryFolder } from '../../helpers/folder.ts';
import { openTestStore, row, SPACE } from '../../helpers/store.ts';

const SAME = 'the crane stands by the harbour';
const NAMESPACES = ['a', 'b', 'c', 'd', 'e'];

let made = 0;

/** Ids of rows with the same words, oldest first, spread over namespaces. The same text a second time would be the same entry. */
async function fill(store: Store, count: number): Promise<string[]> {
  const rows = Array.from({ length: count }, () => {
    made += 1;
    return row(`${SAME} ${'.'.repeat(made)}`, { namespace: NAMESPACES[made % NAMESPACES.length]! });
  });
  await Promise.all(rows.map((fresh) => store.entries.insert(fresh)));
  return rows.map(({ entry }) => entry.id);
}

const near = async (store: Store): Promise<string[]> =>
  (await store.searchVectors({ vector: embedText('crane'), fingerprint: SPACE.fingerprint, filter: {}, limit: 10 })).map(({ id }) => id);

it.each([
  ['of a store in one table', { shards: 1, vectorCacheBytes: 0 }],
  ['whose vectors are in memory', { shards: 1 }],
  ['of a store in four tables', { shards: 4, vectorCacheBytes: 0 }],
])('of equally near entries %s the newest are found, wherever they are stored', async (_, settings) => {
  await using folder = await temporaryFolder();
  const store = await openTestStore(folder.path, SPACE, undefined, settings);
  await Promise.all(Array.from({ length: 100 }, (_, nth) => store.entries.insert(row(`a walrus sleeps ${nth}`))));
  const ids = await fill(store, 600);
  const newest = (): string[] => ids.slice(-10).toReversed();
  expect(await near(store)).toEqual(newest());
  await store.optimize();
  expect(await near(store)).toEqual(newest());
  ids.push(...(await fill(store, 5)));
  expect(await near(store)).toEqual(newest());
  await store.optimize();
  expect(await near(store)).toEqual(newest());
  await store.close();
  const again = await openTestStore(folder.path, SPACE, undefined, settings);
  expect(await near(again)).toEqual(newest());
  await again.close();
});

it('a vector index finds all of them', async () => {
  await using folder = await temporaryFolder();
  const store = await openTestStore(folder.path, SPACE, undefined, { vectorCacheBytes: 0 });
  await Promise.all(Array.from({ length: 2000 }, (_, nth) => store.entries.insert(row(`a walrus sleeps ${nth}`))));
  const ids = await fill(store, 400);
  await store.optimize();
  expect((await store.figures.table()).indexedRows).toBeGreaterThan(0);
  expect(await near(store)).toEqual(ids.slice(-10).toReversed());
  const found = await store.searchKeywords({ tokens: queryTokens('crane'), filter: {}, limit: 10 });
  expect(found.map(({ id }) => id)).toEqual(ids.slice(-10).toReversed());
  await store.close();
});
