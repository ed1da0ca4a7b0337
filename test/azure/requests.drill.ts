import { expect, it } from 'vitest';
import { embedText } from '../../src/embeddings/builtin.ts';
import type { Store } from '../../src/store/store.ts';
import { makeContainer } from '../helpers/azurite.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { openSharedStore } from '../helpers/shared-store.ts';
import { row, SPACE } from '../helpers/store.ts';
import { unreliableWay, type UnreliableWay } from './unreliable-way.ts';

/** No sign of life is due for as long as a test takes. */
const LEASE_MS = 600_000;
const WORDS = ['harbour', 'crane', 'walrus', 'beacon', 'train', 'vault'];

interface Opened extends AsyncDisposable {
  readonly store: Store;
  readonly way: UnreliableWay;
}

/** A server that maintains a store of its own, and the way to it. */
async function openCounted(): Promise<Opened> {
  const own = await temporaryFolder();
  const container = await makeContainer();
  const way = await unreliableWay(container);
  const store = await openSharedStore(container.uri, own.path, { options: way.options, leaseMs: LEASE_MS });
  await expect.poll(() => store.maintains).toBe(true);
  const dispose = async (): Promise<void> => {
    await store.close();
    await way[Symbol.asyncDispose]();
    await own[Symbol.asyncDispose]();
  };
  return { store, way, [Symbol.asyncDispose]: dispose };
}

/** Whether the storage answers is asked of this table, in the background. */
const isNoProbe = (request: string): boolean => !request.includes('meta.lance');

async function search(store: Store): Promise<number> {
  const { fingerprint } = SPACE;
  const filter = { namespaces: ['ns'] };
  let found = 0;
  for (const word of WORDS) {
    found += (await store.searchKeywords({ tokens: [word, 'number'], filter, limit: 5 })).length;
    found += (await store.searchVectors({ vector: embedText(word), fingerprint, filter, limit: 5 })).length;
  }
  return found;
}

it('searches an unchanged table without requests to object storage', async () => {
  await using opened = await openCounted();
  const { store, way } = opened;
  await Promise.all(Array.from({ length: 300 }, (_, nth) => store.entries.insert(row(`${WORDS[nth % 6]} number ${nth}`))));
  await store.optimize();
  // The index of the namespaces is read with the first of them.
  await search(store);
  const before = way.asked.length;
  expect(await search(store)).toBe(60);
  expect(way.asked.slice(before).filter(isNoProbe)).toEqual([]);
});

it('uses six requests for any number of concurrent saves if no other server writes', async () => {
  await using opened = await openCounted();
  const { store, way } = opened;
  await store.entries.insert(row('harbour crane'));
  const before = way.asked.length;
  await Promise.all(Array.from({ length: 20 }, (_, nth) => store.entries.insert(row(`yellow walrus ${nth}`))));
  const kinds = way.asked
    .slice(before)
    .filter(isNoProbe)
    .map((request) => {
      const verb = request.includes('comp=list') ? 'LIST' : request.slice(0, request.indexOf(' '));
      return `${verb} ${/(data|_transactions|_versions)(\/|%2F)/.exec(request)?.[1]}`;
    });
  expect(kinds).toEqual(['LIST _versions', 'GET _versions', 'PUT data', 'LIST _versions', 'PUT _transactions', 'PUT _versions']);
});

it('maintains a table with a number of requests that does not depend on its tags', async () => {
  await using opened = await openCounted();
  const { store, way } = opened;
  const tagged = (nth: number) => row(`harbour crane ${nth}`, { tags: Array.from({ length: 10 }, (_, tag) => `tag-${nth}-${tag}`) });
  const save = (from: number, count: number) =>
    Promise.all(Array.from({ length: count }, (_, nth) => store.entries.insert(tagged(from + nth))));
  await save(0, 600);
  await store.optimize();
  await save(600, 10);
  const before = way.asked.length;
  await store.optimize();
  // Each tag by itself would be one of 6,000.
  expect(way.asked.length - before).toBeLessThan(600);
  expect(await store.figures.table()).toMatchObject({ indexedRows: 610, unindexedRows: 0 });
});
