import { dotProduct } from '../../memory/dot-product.ts';
import type { EntryVectors } from '../format/rows.ts';
import type { Memtables } from '../memtable/memtable.ts';
import type { EntryReader } from './entry-reader.ts';
import type { VectorCache } from './vector-cache.ts';

/** The entries and the query vector. */
export interface CosineQuery {
  readonly ids: readonly string[];
  /** Unit length. */
  readonly vector: Float32Array;
  /** Only vectors of this space. */
  readonly fingerprint: string;
}

interface Places {
  readonly memtables: Memtables;
  readonly entries: Pick<EntryReader, 'vectors'>;
  /** The vectors of the space, if all of them are in memory. */
  readonly cache: VectorCache | undefined;
}

/**
 * Id -> cosine of each passage to a vector, in text order. From memory if possible, else with one query. Entries without vectors of the
 * space are left out.
 */
export async function passageCosines({ memtables, entries, cache }: Places, wanted: CosineQuery): Promise<Map<string, readonly number[]>> {
  const { vector, fingerprint } = wanted;
  const found = new Map<string, readonly number[]>();
  const missing: string[] = [];
  const add = (id: string, vectors: EntryVectors | undefined): void => {
    if (vectors?.embedder === fingerprint)
      found.set(
        id,
        [vectors.first, ...vectors.further].map((own) => dotProduct(own, vector)),
      );
  };
  for (const id of new Set(wanted.ids)) {
    const row = memtables.get(id);
    const kept = row === undefined ? cache?.all(id, vector) : undefined;
    if (row !== undefined) add(id, row.vectors);
    else if (kept !== undefined) found.set(id, kept);
    else missing.push(id);
  }
  if (missing.length > 0) for (const [id, vectors] of await entries.vectors(missing)) add(id, vectors);
  return found;
}
