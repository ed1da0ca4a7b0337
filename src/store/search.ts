import { MatchQuery, Operator } from '@lancedb/lancedb';
import type { EntryFilter } from '../memory/entry.ts';
import type { Database } from './database.ts';
import { numberOf, textOf, type RawRow } from './rows.ts';
import { asStoreError } from './store-error.ts';
import { literal, predicate } from './where.ts';

/** One row found by one leg of a search; what `score` means is the leg's business. */
export interface Hit {
  readonly id: string;
  readonly score: number;
}

export interface VectorSearch {
  /** Unit length. */
  readonly vector: Float32Array;
  /** Only rows with vectors of this space; undefined where the store holds no other. */
  readonly embedder: string | undefined;
  readonly filter: EntryFilter;
  readonly limit: number;
  /** How to use the index, or undefined to search every row exactly. */
  readonly index: { readonly kind: 'ivf_rq'; readonly rows: number } | { readonly kind: 'hnsw_sq'; readonly ef: number } | undefined;
  /** Also look at the further passages of long texts. */
  readonly passages: boolean;
}

/**
 * How many candidates the compressed index hands over to be compared exactly. Measured on hashed vectors, all rows or one namespace: 100
 * find 0.99 of the true ten among 10,000, 300 among 100,000; each costs about 0.01 ms.
 */
const rqCandidates = (rows: number): number => Math.min(300, Math.max(100, Math.ceil(rows * 0.015)));

/** Nearest entries by cosine, best passage of each; scores are cosines (-1..1), best first. */
export async function searchVectors(database: Database, search: VectorSearch): Promise<Hit[]> {
  const columns = database.columnsFor(search.vector.length);
  const own = search.embedder === undefined ? [] : [`embedder = ${literal(search.embedder)}`];
  const legs = [nearest(database, search, { column: columns.first, where: predicate(search.filter, own), indexed: true })];
  if (search.passages) {
    const where = predicate(search.filter, [...own, 'passage_count > 0']);
    legs.push(nearest(database, search, { column: columns.further, where, indexed: false }));
  }
  const best = new Map<string, number>();
  for (const { id, score } of (await Promise.all(legs)).flat()) best.set(id, Math.max(score, best.get(id) ?? -1));
  return [...best]
    .map(([id, score]) => ({ id, score }))
    .toSorted((a, b) => b.score - a.score)
    .slice(0, search.limit);
}

async function nearest(
  database: Database,
  { vector, limit, index }: VectorSearch,
  { column, where, indexed }: { column: string; where: string | undefined; indexed: boolean },
): Promise<Hit[]> {
  let query = database.entries.query().nearestTo(vector).column(column).distanceType('cosine').select(['id', '_distance']).limit(limit);
  if (where !== undefined) query = query.where(where);
  if (index === undefined || !indexed) query = query.bypassVectorIndex();
  else if (index.kind === 'ivf_rq') query = query.nprobes(1).refineFactor(Math.ceil(rqCandidates(index.rows) / limit));
  else query = query.ef(Math.max(index.ef, limit)).refineFactor(2);
  const rows = (await query.toArray().catch(asStoreError('search by vector'))) as RawRow[];
  return rows.map((row) => ({ id: textOf(row, 'id'), score: 1 - numberOf(row, '_distance') }));
}

/** Entries that hold any of the tokens; scores are BM25 (unbounded, above 0), best first. */
export async function searchKeywords(
  database: Database,
  { tokens, filter, limit }: { tokens: readonly string[]; filter: EntryFilter; limit: number },
): Promise<Hit[]> {
  if (tokens.length === 0) return [];
  // A typed query: a plain string in double quotes would be read as a phrase, which skips fresh rows.
  const match = new MatchQuery(tokens.join(' '), 'search_text', { operator: Operator.Or });
  let query = database.entries.query().fullTextSearch(match).select(['id', '_score']).limit(limit);
  const where = predicate(filter);
  if (where !== undefined) query = query.where(where);
  const rows = (await query.toArray().catch(asStoreError('search by keyword'))) as RawRow[];
  return rows.map((row) => ({ id: textOf(row, 'id'), score: numberOf(row, '_score') }));
}
