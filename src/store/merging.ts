/** Keeping a LanceDB table in few files. */
import type { Table } from '@lancedb/lancedb';
import { asStoreError } from './store-error.ts';

/** Usual are two, and one that finds nothing to do. */
const MERGES_AT_MOST = 4;

/** Merges fragments and indexes what is new; removes nothing, see `pruneTable`. Resolves with whether there were fragments to merge. */
export async function mergeTable(table: Table): Promise<boolean> {
  const { compaction } = await table.optimize({ cleanupOlderThan: new Date(0) }).catch(asStoreError('optimize'));
  return compaction.fragmentsRemoved > 0;
}

/**
 * Merges until nothing is left to merge: LanceDB leaves alone what a run only begins to index. Resolves with whether there was anything, and
 * whether nothing is left.
 */
export async function mergeWhole(table: Table): Promise<{ readonly merged: boolean; readonly isWhole: boolean }> {
  for (let runs = 0; runs < MERGES_AT_MOST; runs += 1) {
    const before = await table.version();
    await mergeTable(table);
    if ((await table.version()) === before) return { merged: runs > 0, isWhole: true };
  }
  return { merged: true, isWhole: false };
}

/**
 * Removes the files of versions that were committed before a moment, in epoch milliseconds. Only where `mergeWhole` left nothing, and only once the newest
 * version is safe on disk and the one that a restart begins with: LanceDB merges before it removes, counts the age of a version from the end
 * of the merge and spares only the newest, so any limit takes a version that is still needed whenever there was something left to merge.
 */
export async function pruneTable(table: Table, committedBefore: number): Promise<void> {
  await table.optimize({ cleanupOlderThan: new Date(committedBefore) }).catch(asStoreError('clean up the store'));
}
