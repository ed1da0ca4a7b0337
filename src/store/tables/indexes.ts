import { Index, type Table } from '@lancedb/lancedb';
import { withEngineCleanup } from './engine-temp.ts';
import { asStoreError, refuseFaults } from '../errors/store-error.ts';

/** The kind of vector index for a model (docs/adr/0004): graphs suit semantic vectors, but not hashed words. */
type VectorIndexKind = 'ivf_rq' | 'hnsw_sq';

export interface VectorIndexPlan {
  readonly kind: VectorIndexKind;
  readonly column: string;
  /** Number of rows from which an index is faster than a scan. */
  readonly fromRows: number;
  readonly efConstruction: number;
}

/** The vector indexes of tables, by the name of the table. */
export type VectorIndexes = ReadonlyMap<string, VectorIndexPlan>;

/** Maximum token length; the tokenizer keeps compounds up to 64 characters, so nothing is cut. */
const MAX_TOKEN = 256;

const SCALAR = {
  id: () => Index.btree(),
  created_at: () => Index.btree(),
  namespace: () => Index.bitmap(),
  container: () => Index.bitmap(),
  priority: () => Index.bitmap(),
  status: () => Index.bitmap(),
  embedder: () => Index.bitmap(),
  tags: () => Index.labelList(),
  entities: () => Index.labelList(),
  // Tokens come from memory/words/tokens.ts: this index only splits at blanks.
  search_text: () =>
    Index.fts({
      baseTokenizer: 'whitespace',
      lowercase: false,
      stem: false,
      removeStopWords: false,
      asciiFolding: false,
      maxTokenLength: MAX_TOKEN,
      withPosition: false,
    }),
} as const;

/** Columns with multiple values. */
const MANY_VALUED = ['namespace', 'container', 'tags', 'entities'] satisfies (keyof typeof SCALAR)[];

/**
 * Removes the indexes that are faster to rebuild than to merge: LanceDB merges indexes of values one value at a time, but builds them
 * from all rows at once. `words`: also the full-text index. A merge leaves it in several parts, and each search looks into every part.
 */
export async function dropRebuiltIndexes(table: Table, { words }: { readonly words: boolean }): Promise<void> {
  await dropIndexes(table, words ? [...MANY_VALUED, 'search_text'] : MANY_VALUED);
}

/**
 * Creates missing full-text and scalar indexes; instant on an empty table. An `empty` index has no rows, so searches scan the rows until
 * the next merge fills it. Returns whether one was created.
 */
export async function createIndexes(table: Table, { empty = false }: { readonly empty?: boolean } = {}): Promise<boolean> {
  const there = new Set((await table.listIndices().catch(asStoreError('list the indexes'))).flatMap((index) => index.columns));
  const missing = Object.entries(SCALAR).filter(([column]) => !there.has(column));
  for (const [column, config] of missing) {
    await table.createIndex(column, { config: config(), train: !empty }).catch(asStoreError(`index ${column}`));
  }
  return missing.length > 0;
}

/** The columns of indexes with missing or damaged files, as far as can be detected without a search. Rejects for a system error. */
export async function brokenIndexes(table: Table): Promise<string[]> {
  const broken: string[] = [];
  for (const { name, columns } of await table.listIndices().catch(asStoreError('list the indexes'))) {
    await table.indexStats(name).catch((error: unknown) => {
      refuseFaults('read an index')(error);
      broken.push(...columns);
    });
  }
  return broken;
}

/** Replaces the indexes of these columns with empty ones; removes those of vector columns. Does not change rows. */
export async function renewIndexes(table: Table, columns: readonly string[]): Promise<void> {
  await dropIndexes(table, columns);
  await createIndexes(table, { empty: true });
}

/**
 * Loads the full-text index into the cache of the connection. Otherwise each word of each search costs a request to object storage, even
 * if repeated.
 */
export async function warmTextIndex(table: Table): Promise<void> {
  const indexes = await table.listIndices().catch(() => []);
  for (const { name, columns } of indexes) {
    // Ignores errors, which the next search reports.
    if (columns.includes('search_text')) await table.prewarmIndex(name).catch(() => undefined);
  }
}

/** The columns of all indexes. */
export async function indexedColumns(table: Table): Promise<string[]> {
  return (await table.listIndices().catch(asStoreError('list the indexes'))).flatMap(({ columns }) => columns);
}

/** Builds the vector index again, replacing an older one. */
export async function buildVectorIndex(table: Table, plan: VectorIndexPlan): Promise<void> {
  // One partition: with several, a filter silently costs recall and every optimize rebuilds the whole graph.
  const shape = { distanceType: 'cosine', numPartitions: 1 } as const;
  const config = plan.kind === 'ivf_rq' ? Index.ivfRq(shape) : Index.hnswSq({ ...shape, m: 16, efConstruction: plan.efConstruction });
  await withEngineCleanup(() => table.createIndex(plan.column, { config, replace: true })).catch(asStoreError('index the vectors'));
}

/** Removes the indexes of these columns, if there are any. */
export async function dropIndexes(table: Table, columns: readonly string[]): Promise<void> {
  for (const index of await table.listIndices().catch(asStoreError('list the indexes'))) {
    if (index.columns.some((column) => columns.includes(column))) await table.dropIndex(index.name).catch(asStoreError('drop an index'));
  }
}

export async function hasIndex(table: Table, column: string): Promise<boolean> {
  const indexes = await table.listIndices().catch(asStoreError('list the indexes'));
  return indexes.some((index) => index.columns.includes(column));
}

/** The tables with the vector index of a plan. */
export async function vectorIndexesOf(
  tables: readonly { readonly name: string; readonly table: Table }[],
  plan: VectorIndexPlan | undefined,
): Promise<VectorIndexes> {
  const indexes = new Map<string, VectorIndexPlan>();
  if (plan === undefined) return indexes;
  for (const { name, table } of tables) if (await hasIndex(table, plan.column)) indexes.set(name, plan);
  return indexes;
}

/** Every index with its column and number of unindexed rows. */
export async function indexesOf(table: Table): Promise<{ column: string; unindexedRows: number }[]> {
  const indexes = await table.listIndices().catch(asStoreError('list the indexes'));
  return await Promise.all(
    indexes.map(async ({ name, columns }) => {
      const stats = await table.indexStats(name).catch(asStoreError('read statistics'));
      return { column: columns[0] ?? '', unindexedRows: stats?.numUnindexedRows ?? 0 };
    }),
  );
}

/** The message for broken indexes. */
export function brokenIndexText(columns: readonly string[]): string {
  const one = columns.length === 1;
  return `The ${one ? 'index' : 'indexes'} of ${columns.join(', ')} could not be read and ${one ? 'is' : 'are'} built again in the background.`;
}
