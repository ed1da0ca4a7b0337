import type { Table } from '@lancedb/lancedb';
import type { Database } from './database.ts';
import type { FreshRows } from './fresh-rows.ts';
import { buildVectorIndex, dropIndex, hasIndex, type VectorIndexPlan } from './indexes.ts';
import type { Lexicon } from './lexicon.ts';
import { rowsOf, textOf, toArrowTable, type StoredRow } from './rows.ts';
import { asStoreError } from './store-error.ts';
import { oneOf } from './where.ts';

/** Rows of one batch that is handed to LanceDB. */
const BATCH_ROWS = 2000;
/** Ids in one predicate. */
const BATCH_IDS = 500;

/** Writes a generation of fresh rows to the table: what they replace goes, they come. The reader sees nothing of it. */
export async function writeRows(database: Database, generation: FreshRows): Promise<void> {
  const { writer } = database;
  const outdated = [...generation.shadows];
  for (let start = 0; start < outdated.length; start += BATCH_IDS) {
    await writer.delete(oneOf('id', outdated.slice(start, start + BATCH_IDS))).catch(asStoreError('remove old rows'));
  }
  for (const batch of batchesOf([...generation.rows.values()])) {
    await writer.add(toArrowTable(batch, database.schema)).catch(asStoreError('save'));
  }
}

function* batchesOf(rows: readonly StoredRow[]): Generator<StoredRow[]> {
  for (let start = 0; start < rows.length; start += BATCH_ROWS) yield rows.slice(start, start + BATCH_ROWS);
}

/** The search texts of rows that a generation replaces or removes, as the table still has them. */
export async function outdatedTexts({ reader }: Database, { shadows }: FreshRows): Promise<string[]> {
  const texts: string[] = [];
  const outdated = [...shadows];
  for (let start = 0; start < outdated.length; start += BATCH_IDS) {
    const query = reader.query().where(oneOf('id', outdated.slice(start, start + BATCH_IDS)));
    for await (const batch of query.select(['search_text'])) {
      for (const row of rowsOf(batch, ['search_text'])) texts.push(textOf(row, 'search_text'));
    }
  }
  return texts;
}

/** Folds a generation that is in the table now into the words of the table. */
export function countGeneration(words: Lexicon, generation: FreshRows, outdated: readonly string[]): void {
  for (const text of outdated) words.remove(text);
  words.merge(generation.words);
}

/**
 * Before a merge: an IVF_RQ index comes out of it spoilt and is built anew, so moving its rows along (a third of the work) is spared.
 */
export async function prepareVectorIndex(table: Table, plan: VectorIndexPlan): Promise<void> {
  if (plan.kind === 'ivf_rq') await dropIndex(table, plan.column);
}

/** After a merge: builds the vector index that the plan asks for where the table has none. What became of it. */
export async function growVectorIndex(table: Table, plan: VectorIndexPlan): Promise<'none' | 'kept' | 'built'> {
  if (await hasIndex(table, plan.column)) return 'kept';
  const rows = await table.countRows(`${plan.column} IS NOT NULL`).catch(asStoreError('count vectors'));
  if (rows < plan.fromRows) return 'none';
  await buildVectorIndex(table, plan);
  return 'built';
}
