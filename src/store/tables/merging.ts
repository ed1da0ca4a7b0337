/** Merges a LanceDB table into few files. */
import type { Data, Table } from '@lancedb/lancedb';
import { asStoreError } from '../errors/store-error.ts';

/** Usually two, and one that finds nothing to do. */
const MERGES_AT_MOST = 4;

/** Number of merged fragments, and of the fragments that replaced them. */
interface Merge {
  readonly merged: number;
  readonly made: number;
}

/** The result of a merge. */
export interface MergeResult extends Merge {
  /** Whether something changed. */
  readonly changed: boolean;
  /** Whether the table is completely merged. */
  readonly isWhole: boolean;
}

/** Replaces the rows with the same keys in one step. Safe to repeat, even if the response was lost. */
export async function putRows(table: Table, key: string, rows: Data): Promise<void> {
  await table.mergeInsert(key).whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(rows).catch(asStoreError('save'));
}

/** Merges fragments and indexes new rows; does not remove files, see `pruneTable`. More may be left to merge. */
export async function mergeTable(table: Table): Promise<MergeResult> {
  const { compaction } = await table.optimize({ cleanupOlderThan: new Date(0) }).catch(asStoreError('optimize'));
  const { fragmentsRemoved: merged, fragmentsAdded: made } = compaction;
  return { merged, made, changed: merged > 0, isWhole: false };
}

/** Adds up two consecutive merges; fragments made by the first and merged by the second count in neither. */
function both(first: Merge, second: Merge): Merge {
  return {
    merged: first.merged + Math.max(second.merged - first.made, 0),
    made: Math.max(first.made - second.merged, 0) + second.made,
  };
}

/** Merges until nothing is left, because LanceDB skips rows that the same run began to index. */
export async function mergeCompletely(table: Table): Promise<MergeResult> {
  let merge: Merge = { merged: 0, made: 0 };
  for (let runs = 0; runs < MERGES_AT_MOST; runs += 1) {
    const before = await table.version();
    merge = both(merge, await mergeTable(table));
    if ((await table.version()) === before) return { ...merge, changed: runs > 0, isWhole: true };
  }
  return { ...merge, changed: true, isWhole: false };
}

/**
 * Removes the files of versions committed before a time, in epoch milliseconds. Only after `mergeCompletely` left nothing, and once the newest
 * version is durable and the start version: LanceDB merges before it removes, measures the age of a version from the end of the merge and
 * keeps only the newest, so after a merge any limit would remove a version that is still needed.
 */
export async function pruneTable(table: Table, committedBefore: number): Promise<void> {
  await table.optimize({ cleanupOlderThan: new Date(committedBefore) }).catch(asStoreError('clean up the store'));
}
