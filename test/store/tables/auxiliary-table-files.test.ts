import { readdirSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import type { Store } from '../../../src/store/store.ts';
import { temporaryFolder } from '../../helpers/folder.ts';
import { openTestStore, row } from '../../helpers/store.ts';

/** More than the versions from which a table is merged, several times over: each write makes two or three. */
const WRITES = 56;
const MOST_FILES = 160;
/** Files of the last seconds are kept for reads that are under way; here they are of so long ago at once. */
const KEPT_MS = 15_000;

afterEach(() => void vi.restoreAllMocks());

const filesOf = (store: Store, table: string): number =>
  readdirSync(path.join(store.path, `${table}.lance`), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length;

/** Writes how often these were recalled so many times, always in the place of what was written before. */
async function rewrite(store: Store, ids: readonly string[], writes: number): Promise<void> {
  for (let nth = 1; nth <= writes; nth += 1) {
    await store.keepUsage(ids.map((entryId) => ({ entryId, recalls: nth, lastRecalledAt: nth })));
  }
}

it('a table with constantly replaced rows has few files, also after a restart', async () => {
  const now = Date.now.bind(Date);
  vi.spyOn(Date, 'now').mockImplementation(() => now() + KEPT_MS);
  await using folder = await temporaryFolder();
  let store = await openTestStore(folder.path);
  const { entry } = await store.entries.insert(row('crane'));
  await rewrite(store, [entry.id], WRITES);
  expect(filesOf(store, 'usage')).toBeLessThan(MOST_FILES);
  // Each start writes less than sets off a merge.
  for (let start = 0; start < 4; start += 1) {
    await store.close();
    store = await openTestStore(folder.path);
    await rewrite(store, [entry.id], WRITES / 8);
  }
  expect(filesOf(store, 'usage')).toBeLessThan(MOST_FILES);
  expect((await store.auxiliary.usage.get(entry.id))?.recalls).toBe(WRITES / 8);
  await store.close();
}, 120_000);
