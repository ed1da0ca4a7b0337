import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Index, type Table } from '@lancedb/lancedb';
import { asStoreError } from './store-error.ts';

/** Which vector index suits the vectors of a model (docs/adr/0004): hashed words defeat graphs, meanings suit them. */
export type VectorIndexKind = 'ivf_rq' | 'hnsw_sq';

export interface VectorIndexPlan {
  readonly kind: VectorIndexKind;
  readonly column: string;
  /** Rows from which searching without an index becomes the slower way. */
  readonly fromRows: number;
  readonly efConstruction: number;
}

/** Longer tokens than this are cut by nothing we write: the tokenizer keeps compounds up to 64 characters. */
const MAX_TOKEN = 256;

const SCALAR = {
  id: () => Index.btree(),
  created_at: () => Index.btree(),
  namespace: () => Index.bitmap(),
  container: () => Index.bitmap(),
  priority: () => Index.bitmap(),
  embedder: () => Index.bitmap(),
  tags: () => Index.labelList(),
  entities: () => Index.labelList(),
  // Tokens are made by memory/tokens.ts: this index only splits at blanks.
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

/** Creates the full-text and scalar indexes that are not there yet; on an empty table that is instant. */
export async function createIndexes(table: Table): Promise<void> {
  const there = new Set((await table.listIndices().catch(asStoreError('list the indexes'))).flatMap((index) => index.columns));
  for (const [column, config] of Object.entries(SCALAR)) {
    if (!there.has(column)) await table.createIndex(column, { config: config() }).catch(asStoreError(`index ${column}`));
  }
}

/** Builds the vector index anew, replacing an older one. */
export async function buildVectorIndex(table: Table, plan: VectorIndexPlan): Promise<void> {
  // One partition: with several, a filter silently costs recall and every optimize rebuilds the whole graph.
  const shape = { distanceType: 'cosine', numPartitions: 1 } as const;
  const config = plan.kind === 'ivf_rq' ? Index.ivfRq(shape) : Index.hnswSq({ ...shape, m: 16, efConstruction: plan.efConstruction });
  await table.createIndex(plan.column, { config, replace: true }).catch(asStoreError('index the vectors'));
}

/** Removes the vector index of a column; searches are exact until it is built again. */
export async function dropVectorIndex(table: Table, column: string): Promise<void> {
  for (const index of await table.listIndices().catch(asStoreError('list the indexes'))) {
    if (index.columns.includes(column)) await table.dropIndex(index.name).catch(asStoreError('drop an index'));
  }
}

export async function hasIndex(table: Table, column: string): Promise<boolean> {
  const indexes = await table.listIndices().catch(asStoreError('list the indexes'));
  return indexes.some((index) => index.columns.includes(column));
}

/** While this file is there, an `optimize` may have spoilt the vector index: a process that finds it at its start drops the index. */
const MARKER = 'vector-index.distrusted';

export function distrustVectorIndex(storePath: string): void {
  writeFileSync(path.join(storePath, MARKER), '', { mode: 0o600 });
}

export function trustVectorIndex(storePath: string): void {
  rmSync(path.join(storePath, MARKER), { force: true });
}

export function isVectorIndexDistrusted(storePath: string): boolean {
  return existsSync(path.join(storePath, MARKER));
}
