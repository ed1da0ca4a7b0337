import type { RecordBatch } from 'apache-arrow';
import { MatchQuery, Operator } from '@lancedb/lancedb';
import { dotProduct, roundCosine } from '../../memory/dot-product.ts';
import type { EntryFilter } from '../../memory/entry.ts';
import { idf } from '../../memory/words/query-words.ts';
import type { WordStatistics } from '../../memory/words/word-statistics.ts';
import type { VectorColumns } from '../format/schema.ts';
import { isHidden, newestRows, type Memtable } from '../memtable/memtable.ts';
import type { Snapshot } from '../tables/snapshot.ts';
import { asStoreError } from '../errors/store-error.ts';
import { readPairs } from './two-column-result.ts';
import type { VectorCache } from './vector-cache.ts';
import type { View } from '../tables/view.ts';
import { oneOf, passes, predicate } from '../format/predicates.ts';

/** One row found by vector or keyword search; the meaning of `score` depends on which. */
export interface Hit {
  readonly id: string;
  readonly score: number;
}

/** What a search reads: the table versions that readers use, and the memtables, newest first. */
export interface Searchable {
  readonly view: View;
  readonly memtables: readonly Memtable[];
}

/** How to use a vector index. */
export type IndexUse = { readonly kind: 'ivf_rq'; readonly rows: number } | { readonly kind: 'hnsw_sq'; readonly ef: number };

export interface VectorSearch {
  /** Unit length. */
  readonly vector: Float32Array;
  readonly columns: VectorColumns;
  /** Only vectors of this space. */
  readonly fingerprint: string;
  /** Whether the store also has vectors of other spaces. */
  readonly mixed: boolean;
  readonly filter: EntryFilter;
  readonly limit: number;
  /** The index of a table; undefined for an exact scan. */
  readonly indexOf: (part: Snapshot) => IndexUse | undefined;
  /** Also search the further passages of long texts. */
  readonly passages: boolean;
  /** The vectors of this space, if all of them are in memory. */
  readonly cache: VectorCache | undefined;
  readonly newer: Newer;
}

interface KeywordSearch {
  readonly tokens: readonly string[];
  readonly filter: EntryFilter;
  readonly limit: number;
  readonly words: WordStatistics;
  readonly newer: Newer;
}

/** Orders ids: below 0 if the first belongs to the newer entry. */
export type Newer = (id: string, other: string) => number;

/**
 * Number of candidates of a compressed index that are compared exactly. Measured on hashed vectors (IVF_RQ), all rows or one namespace: 150
 * find 0.99 of the true ten among 10,000, 300 find 0.997 among 100,000.
 */
function candidatesOf(index: IndexUse, limit: number): number {
  if (index.kind === 'hnsw_sq') return 2 * limit;
  return Math.max(limit, Math.min(300, Math.max(150, Math.ceil(index.rows * 0.015))));
}
/** Outdated rows of the table take places among its hits; this limits how many more are requested. */
const MAX_SPARE = 1000;
/**
 * Successive limits, until no row with an equal score is left out. After the last one, which of those rows are found depends on the table.
 */
const TIED = [500, 10_000] as const;

/** Nearest entries by cosine, best passage of each; scores are cosines (-1..1), best first, and newest first at ties. */
export async function searchVectors(sources: Searchable, search: VectorSearch): Promise<Hit[]> {
  const { memtables } = sources;
  const found = search.cache === undefined ? await nearestNatively(sources, search) : await nearestByCache(sources, search, search.cache);
  const best = new Map<string, number>();
  for (const { id, score } of found) if (!isHidden(memtables, id)) best.set(id, Math.max(score, best.get(id) ?? -1));
  for (const { id, score } of freshNeighbours(memtables, search)) best.set(id, score);
  return bestOf(best, search);
}

/** The indexes compare their candidates exactly; further passages are a second search, without an index. */
async function nearestNatively({ view, memtables }: Searchable, search: VectorSearch): Promise<Hit[]> {
  const { columns, filter, indexOf } = search;
  const limit = search.limit + extraRowsFor(memtables);
  const own = ownRows(search);
  const where = { first: predicate(filter, own), further: predicate(filter, [...own, 'passage_count > 0']) };
  const legs = view.partsFor(filter.namespaces).flatMap((part) => {
    const leg = (index: IndexUse | undefined, place: { column: string; where: string | undefined }): Promise<Hit[]> =>
      withTied({ ...search, limit, first: limit + 1, enough: limit }, async (most) => {
        const refine = index === undefined ? undefined : Math.ceil(candidatesOf(index, most) / most);
        const hits = await nearest(part, { ...search, limit: most, index, refine }, place);
        return hits.map(({ id, score }) => ({ id, score: roundCosine(score) }));
      });
    const first = leg(indexOf(part), { column: columns.first, where: where.first });
    return search.passages ? [first, leg(undefined, { column: columns.further, where: where.further })] : [first];
  });
  return (await Promise.all(legs)).flat();
}

/** The indexes return candidates, and the vectors in memory determine the nearest. */
async function nearestByCache({ view, memtables }: Searchable, search: VectorSearch, cache: VectorCache): Promise<Hit[]> {
  const { columns, filter, indexOf, vector, newer } = search;
  const wanted = search.limit + extraRowsFor(memtables);
  const where = predicate(filter, ownRows(search));
  const legs = view.partsFor(filter.namespaces).map(async (part) => {
    const index = indexOf(part);
    const first = index === undefined ? wanted + 1 : candidatesOf(index, wanted + 1);
    return await withTied({ newer, limit: wanted, first, enough: wanted }, async (most) => {
      const hits = await nearest(part, { vector, index, limit: most, refine: undefined }, { column: columns.first, where });
      return hits.map(({ id, score }) => ({ id, score: roundCosine(cache.first(id, vector) ?? score) }));
    });
  });
  const exact = (await Promise.all(legs)).flat().toSorted(byScore(newer));
  const least = exact[wanted - 1]?.score ?? -1;
  for (const entry of cache.long(filter.namespaces)) {
    if (!passes(filter, entry.known)) continue;
    const score = roundCosine(cache.further(entry, vector));
    if (score >= least) exact.push({ id: entry.known.id, score });
  }
  return exact;
}

const ownRows = ({ mixed, fingerprint }: VectorSearch): string[] => (mixed ? [oneOf('embedder', [fingerprint])] : []);

interface Nearest extends Pick<VectorSearch, 'vector' | 'limit'> {
  readonly index: IndexUse | undefined;
  /** Candidates per hit that are compared exactly. */
  readonly refine: number | undefined;
}

async function nearest(
  snapshot: Snapshot,
  { vector, limit, index, refine }: Nearest,
  { column, where }: { column: string; where: string | undefined },
): Promise<Hit[]> {
  let query = snapshot.table
    .query()
    .nearestTo(vector)
    .column(column)
    .distanceType('cosine')
    .select([snapshot.key, '_distance'])
    .limit(limit);
  if (where !== undefined) query = query.where(where);
  if (index === undefined) query = query.bypassVectorIndex();
  else if (index.kind === 'ivf_rq') query = query.nprobes(1);
  else query = query.ef(Math.max(index.ef, limit));
  if (index !== undefined && refine !== undefined) query = query.refineFactor(refine);
  return await hitsOf(snapshot, query, '_distance', (distance) => 1 - distance).catch(asStoreError('search by vector'));
}

/** The ids of an answer, with a score made from a column. */
export async function hitsOf(
  snapshot: Snapshot,
  batches: AsyncIterable<RecordBatch>,
  column: string,
  scoreOf: (value: number) => number,
): Promise<Hit[]> {
  const hits: Hit[] = [];
  const offer = (row: Parameters<Snapshot['idAt']>[0], value: number): void => {
    const id = snapshot.idAt(row);
    if (id !== undefined) hits.push({ id, score: scoreOf(value) });
  };
  if (snapshot.hasAddresses && (await readPairs(batches, snapshot.key, offer))) return hits;
  for await (const batch of batches) {
    const values = batch.getChild(column)?.toArray() as Float32Array;
    for (const [nth, id] of snapshot.idsOf(batch).entries()) {
      if (id !== undefined) hits.push({ id, score: scoreOf(values[nth]!) });
    }
  }
  return hits;
}

/** Nearest rows of the tables by one column alone, best first. */
export async function searchColumn(
  view: View,
  search: Pick<VectorSearch, 'vector' | 'limit' | 'indexOf' | 'filter' | 'fingerprint'> & { readonly column: string },
): Promise<Hit[]> {
  const where = predicate(search.filter, [oneOf('embedder', [search.fingerprint])]);
  const { indexOf, limit } = search;
  const legs = view.partsFor(search.filter.namespaces).map((part) => {
    const index = indexOf(part);
    const refine = index === undefined ? undefined : Math.ceil(candidatesOf(index, limit) / limit);
    return nearest(part, { ...search, index, refine }, { column: search.column, where });
  });
  const hits = (await Promise.all(legs)).flat();
  return hits.toSorted((a, b) => b.score - a.score).slice(0, limit);
}

function* freshNeighbours(memtables: readonly Memtable[], { vector, fingerprint, filter }: VectorSearch): Generator<Hit> {
  for (const { entry, vectors } of newestRows(memtables)) {
    if (vectors?.embedder !== fingerprint || !passes(filter, entry)) continue;
    const score = vectors.further.reduce((best, further) => Math.max(best, dotProduct(vector, further)), dotProduct(vector, vectors.first));
    yield { id: entry.id, score: roundCosine(score) };
  }
}

/**
 * Entries with any of the tokens, best first: up to `limit` from the tables and up to `limit` from the memtable. Scores are BM25
 * (unbounded, above 0), by LanceDB or by its formula; the two agree to a few percent. Each table uses its own word frequencies.
 */
export async function searchKeywords({ view, memtables }: Searchable, search: KeywordSearch): Promise<Hit[]> {
  const { tokens, filter, newer } = search;
  if (tokens.length === 0) return [];
  const bestFirst = byScore(newer);
  const wanted = { ...search, limit: search.limit + extraRowsFor(memtables) };
  const legs = view.partsFor(filter.namespaces).map((part) => matches(part, wanted));
  const found = (await Promise.all(legs)).flat().toSorted(bestFirst);
  const current = found.filter(({ id }) => !isHidden(memtables, id)).slice(0, search.limit);
  return [...current, ...freshMatches(memtables, search)].toSorted(bestFirst);
}

/** If half of the requested entries score above a tie, those are enough: words that occur in thousands of entries say little. */
const matches = (part: Snapshot, search: KeywordSearch): Promise<Hit[]> =>
  withTied({ ...search, first: search.limit + 1, enough: search.limit / 2 }, (most) => matchesOnce(part, { ...search, limit: most }));

interface Tied {
  readonly limit: number;
  /** Rows requested at first: more than the limit. */
  readonly first: number;
  /** Number of rows above a tie that are enough without it. */
  readonly enough: number;
  readonly newer: Newer;
}

/**
 * A table returns any of the rows with equal scores. If some may be missing, either the rows above are enough or all are requested, and the
 * newest are taken, so that the same search always finds the same rows.
 */
async function withTied({ limit, first, enough, newer }: Tied, ask: (most: number) => Promise<Hit[]>): Promise<Hit[]> {
  let hits: Hit[] = [];
  for (const most of [first, ...TIED.filter((rows) => rows > first)]) {
    hits = (await ask(most)).toSorted(byScore(newer));
    const least = hits.at(-1)?.score;
    if (hits.length < most || hits[limit - 1]?.score !== least) break;
    const above = hits.filter(({ score }) => score !== least);
    if (above.length >= enough) return above;
  }
  return hits.slice(0, limit);
}

async function matchesOnce(part: Snapshot, { tokens, filter, limit }: Pick<KeywordSearch, 'tokens' | 'filter' | 'limit'>): Promise<Hit[]> {
  // A typed query: a plain string in double quotes would be read as a phrase.
  const match = new MatchQuery(tokens.join(' '), 'search_text', { operator: Operator.Or });
  let query = part.table.query().fullTextSearch(match).select([part.key, '_score']).limit(limit);
  const where = predicate(filter);
  if (where !== undefined) query = query.where(where);
  return await hitsOf(part, query, '_score', (score) => score).catch(asStoreError('search by keyword'));
}

// Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), with LanceDB's constants.
const K1 = 1.2;
const B = 0.75;

function freshMatches(memtables: readonly Memtable[], search: KeywordSearch): Hit[] {
  const { tokens, filter, words } = search;
  const scores = new Map<string, number>();
  for (const [nth, memtable] of memtables.entries()) {
    const newer = memtables.slice(0, nth);
    for (const token of new Set(tokens)) {
      const rarity = idf(words.documentFrequency(token), words.rows);
      for (const [row, count] of memtable.holding(token)) {
        const { entry } = row;
        if (!passes(filter, entry) || isHidden(newer, entry.id)) continue;
        const damping = K1 * (1 - B + (B * row.searchText.length) / memtable.meanTextLength);
        scores.set(entry.id, (scores.get(entry.id) ?? 0) + (rarity * count * (K1 + 1)) / (count + damping));
      }
    }
  }
  return bestOf(scores, search);
}

function bestOf(scores: ReadonlyMap<string, number>, { limit, newer }: Pick<KeywordSearch, 'limit' | 'newer'>): Hit[] {
  return [...scores]
    .map(([id, score]) => ({ id, score }))
    .toSorted(byScore(newer))
    .slice(0, limit);
}

const byScore =
  (newer: Newer) =>
  (a: Hit, b: Hit): number =>
    b.score - a.score || newer(a.id, b.id);

export function extraRowsFor(memtables: readonly Memtable[]): number {
  return Math.min(
    MAX_SPARE,
    memtables.reduce((sum, { outdatedIds }) => sum + outdatedIds.size, 0),
  );
}
