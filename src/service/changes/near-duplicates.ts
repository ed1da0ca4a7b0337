import { dotProduct } from '../../memory/dot-product.ts';
import type { Entry } from '../../memory/entry.ts';
import type { SaveOutcome } from '../../memory/operations/operations.ts';
import type { EntryRow, EntryVectors } from '../../store/tables/rows.ts';
import type { Store } from '../../store/store.ts';

/** As many as a person looks through. */
const MAX_NEAR = 5;
/** More, since a long text is found by one of its passages and compared by all. */
const CANDIDATES = 4 * MAX_NEAR;

type Near = NonNullable<SaveOutcome['near']>;

/**
 * The entries of the same namespace whose cosine similarity to this row is `threshold` or more, most alike first, at most five, never the
 * one with this id. Long texts are compared passage by passage, either way: one that only holds the other is less alike. Undefined where
 * the row has no vector yet.
 */
export async function nearDuplicates(
  store: Store,
  { entry: { namespace }, vectors }: Pick<EntryRow, 'vectors'> & { readonly entry: Pick<Entry, 'namespace'> },
  { id, threshold }: { readonly id?: string; readonly threshold: number },
): Promise<Near | undefined> {
  if (vectors === undefined) return undefined;
  const { first: vector, embedder: fingerprint, further } = vectors;
  const hits = await store.searchVectors({ vector, fingerprint, filter: { namespaces: [namespace], current: true }, limit: CANDIDATES });
  const isLong = (other: string): boolean => further.length > 0 || (store.directory.get(other)?.passages ?? 0) > 0;
  const alike = hits.filter((hit) => hit.id !== id && rounded(hit.score) >= threshold);
  const whole = await wholeSimilarities(
    store,
    vectors,
    alike.flatMap((hit) => (isLong(hit.id) ? [hit.id] : [])),
  );
  return alike
    .map((hit) => ({ id: hit.id, similarity: rounded(whole.get(hit.id) ?? hit.score) }))
    .filter(({ similarity }) => similarity >= threshold)
    .toSorted((a, b) => b.similarity - a.similarity)
    .slice(0, MAX_NEAR);
}

/** Vectors are no more exact than that, and two that are the same may come out above 1. */
const rounded = (cosine: number): number => Math.min(1, Number(cosine.toFixed(4)));

async function wholeSimilarities(store: Store, vectors: EntryVectors, ids: readonly string[]): Promise<Map<string, number>> {
  const similarities = new Map<string, number>();
  for (const [id, { vectors: other }] of await store.entries.rows(ids)) {
    if (other !== undefined) similarities.set(id, similarityOf(vectors, other));
  }
  return similarities;
}

/** Of each passage the cosine to the nearest of the other text, in the mean; of both directions the lower one. */
function similarityOf(one: EntryVectors, other: EntryVectors): number {
  const [a, b] = [one, other].map(({ first, further }) => [first, ...further]) as [Float32Array[], Float32Array[]];
  return Math.min(coverage(a, b), coverage(b, a));
}

function coverage(passages: readonly Float32Array[], of: readonly Float32Array[]): number {
  const nearest = passages.map((passage) => of.reduce((best, other) => Math.max(best, dotProduct(passage, other)), -1));
  return nearest.reduce((sum, similarity) => sum + similarity, 0) / passages.length;
}
