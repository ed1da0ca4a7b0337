import type { Table } from '@lancedb/lancedb';
import type { Database } from '../tables/database.ts';
import type { EntriesTable } from '../tables/entries-table.ts';
import { isHidden, newestRows, type Memtable } from '../memtable/memtable.ts';
import { buildVectorIndex, createIndexes, dropIndexes, dropRebuiltIndexes, hasIndex, type VectorIndexPlan } from '../tables/indexes.ts';
import type { Lexicon } from '../memtable/lexicon.ts';
import { mergeTable, mergeCompletely, putRows, type MergeResult } from '../tables/merging.ts';
import { textOf, toArrowTable, type StoredRow } from '../format/rows.ts';
import { asStoreError } from '../errors/store-error.ts';
import { oneOf } from '../format/predicates.ts';

/** Rows in one batch for LanceDB. */
const BATCH_ROWS = 2000;
/** Ids in one predicate. */
const BATCH_IDS = 500;
/** Below this number it makes no difference, and a merge leaves fewer versions. */
const REBUILD_FROM_ROWS = 500;
/** Above it the full-text index is merged, not rebuilt (docs/adr/0028): by then a merge is faster, or the rebuild reads much over the network. */
const REBUILD_WORDS_UP_TO_ROWS = { onDisk: 200_000, onObjectStorage: 20_000 };

/**
 * Flushes frozen memtables, oldest first, to the tables, and deletes the rows they replace. Readers do not see it. If a service manages
 * the table, each batch replaces its rows in one step and is safe to repeat.
 */
export async function writeRows(database: Database, memtables: readonly Memtable[]): Promise<void> {
  const rows = [...newestRows(memtables.toReversed())];
  const { upserts } = database.abilities;
  const kept = new Set(upserts ? rows.map(({ entry }) => entry.id) : []);
  const outdated = outdatedIdsOf(memtables).filter((id) => !kept.has(id));
  const byTable = new Map(database.tables.map((table) => [table, [] as StoredRow[]] as const));
  for (const row of rows) byTable.get(database.tableOf(row.entry.namespace))!.push(row);
  for (const [{ writer, snapshot }, own] of byTable) {
    // Also if the entry is now in another namespace, and so in another table.
    const gone = outdated.filter((id) => snapshot.has(id));
    for (let start = 0; start < gone.length; start += BATCH_IDS) {
      await writer.delete(oneOf('id', gone.slice(start, start + BATCH_IDS))).catch(asStoreError('remove old rows'));
    }
    for (const batch of batchesOf(own)) {
      const data = toArrowTable(batch, database.schema);
      if (upserts) await putRows(writer, 'id', data);
      else await writer.add(data).catch(asStoreError('save'));
    }
  }
}

function* batchesOf(rows: readonly StoredRow[]): Generator<StoredRow[]> {
  for (let start = 0; start < rows.length; start += BATCH_ROWS) yield rows.slice(start, start + BATCH_ROWS);
}

function outdatedIdsOf(memtables: readonly Memtable[]): string[] {
  return [...new Set(memtables.flatMap(({ outdatedIds }) => [...outdatedIds]))];
}

/** The search texts of rows that frozen memtables, oldest first, replace or remove, as in the tables or an older memtable. */
export async function outdatedTexts({ view }: Pick<Database, 'view'>, memtables: readonly Memtable[]): Promise<string[]> {
  const texts = memtables.flatMap(({ rows }, nth) => {
    const newer = memtables.slice(nth + 1);
    return newer.length === 0 ? [] : [...rows].flatMap(([id, { searchText }]) => (isHidden(newer, id) ? [searchText] : []));
  });
  const outdated = outdatedIdsOf(memtables);
  for (let start = 0; start < outdated.length; start += BATCH_IDS) {
    for (const row of await view.rows(outdated.slice(start, start + BATCH_IDS), ['search_text'])) texts.push(textOf(row, 'search_text'));
  }
  return texts;
}

/** Adds flushed memtables to the word index of the table. */
export function addWordCounts(words: Lexicon, memtables: readonly Memtable[], outdated: readonly string[]): void {
  for (const memtable of memtables) words.merge(memtable.words);
  for (const text of outdated) words.remove(text);
}

/** Merges the fragments of a table and indexes new rows, once or until nothing is left. */
export async function mergeEntries(
  { writer, snapshot }: Pick<EntriesTable, 'writer' | 'snapshot'>,
  plan: VectorIndexPlan | undefined,
  { whole, slowReads }: Merging,
): Promise<MergeResult> {
  // A merge would damage this index, so it is rebuilt; dropping it first saves a third of the work.
  const spoilt = plan?.kind === 'ivf_rq' ? plan.column : undefined;
  const isWritten = (await writer.version()) !== snapshot.version;
  if (spoilt !== undefined && isWritten) await dropIndexes(writer, [spoilt]);
  const merge = await mergeIndexed(writer, { whole, slowReads, isWritten });
  if (spoilt !== undefined && !isWritten && merge.changed) await dropIndexes(writer, [spoilt]);
  return merge;
}

interface Merging {
  /** Until nothing is left; otherwise once. */
  readonly whole: boolean;
  readonly slowReads: boolean;
}

/** Like `mergeEntries`, but only merges the vector index. `isWritten`: there are new rows. */
export async function mergeIndexed(
  table: Table,
  { whole, slowReads, isWritten }: Merging & { readonly isWritten: boolean },
): Promise<MergeResult> {
  const rows = await table.countRows();
  const most = slowReads ? REBUILD_WORDS_UP_TO_ROWS.onObjectStorage : REBUILD_WORDS_UP_TO_ROWS.onDisk;
  if (rows >= REBUILD_FROM_ROWS) await dropRebuiltIndexes(table, { words: isWritten && rows <= most });
  const merge = whole ? await mergeCompletely(table) : await mergeTable(table);
  // Includes what an earlier interrupted merge left out.
  await createIndexes(table);
  return merge;
}

/** After a merge: builds a missing vector index according to the plan. Returns the result. */
export async function growVectorIndex(table: Table, plan: VectorIndexPlan): Promise<'none' | 'kept' | 'built'> {
  if (await hasIndex(table, plan.column)) return 'kept';
  const rows = await table.countRows(`${plan.column} IS NOT NULL`).catch(asStoreError('count vectors'));
  if (rows < plan.fromRows) return 'none';
  await buildVectorIndex(table, plan);
  return 'built';
}
