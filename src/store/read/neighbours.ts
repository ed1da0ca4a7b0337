import { dotProduct, roundCosine } from '../../memory/dot-product.ts';
import { isHidden, newestRows, type Memtable } from '../memtable/memtable.ts';
import { extraRowsFor, type Hit, type Newer } from './search.ts';
import type { VectorCache } from './vector-cache.ts';

export interface NeighbourSearch {
  /** Space of the vector. */
  readonly fingerprint: string;
  /** Unit length. */
  readonly vector: Float32Array;
  readonly namespace: string;
  readonly limit: number;
}

interface Sources {
  /** All vectors of the tables in one space of hashed words; undefined if not all are in memory. */
  readonly spaces: { cacheOf(fingerprint: string): VectorCache | undefined };
  readonly memtables: readonly Memtable[];
  readonly catalog: { readonly newer: Newer; entries(namespace: string): readonly unknown[] };
}

/** Number of entries up to which comparing all vectors is about as fast as a query. */
const MAX_COMPARED = 30_000;

/**
 * The nearest entries of one namespace by the vectors in memory, without a query; best first, ties newest first. See
 * `VectorCache.nearest`. Undefined if not all vectors are in memory, or if the index is faster for such a large namespace.
 */
export function nearestInMemory(
  { spaces, memtables, catalog }: Sources,
  { fingerprint, vector, namespace, limit }: NeighbourSearch,
): Hit[] | undefined {
  const cache = spaces.cacheOf(fingerprint);
  if (cache === undefined || catalog.entries(namespace).length > MAX_COMPARED) return undefined;
  const scores = new Map<string, number>();
  const offer = (id: string, cosine: number): void => void scores.set(id, Math.max(cosine, scores.get(id) ?? -1));
  // Outdated rows in the tables take places among these.
  for (const { id, cosine } of cache.nearest(vector, { namespace, limit: limit + extraRowsFor(memtables) })) {
    if (!isHidden(memtables, id)) offer(id, cosine);
  }
  for (const entry of cache.long([namespace])) {
    if (!isHidden(memtables, entry.known.id)) offer(entry.known.id, cache.further(entry, vector));
  }
  for (const { entry, vectors } of newestRows(memtables)) {
    if (entry.namespace !== namespace || vectors?.embedder !== cache.fingerprint) continue;
    for (const passage of [vectors.first, ...vectors.further]) offer(entry.id, dotProduct(vector, passage));
  }
  return [...scores]
    .map(([id, score]) => ({ id, score: roundCosine(score) }))
    .toSorted((a, b) => b.score - a.score || catalog.newer(a.id, b.id))
    .slice(0, limit);
}
