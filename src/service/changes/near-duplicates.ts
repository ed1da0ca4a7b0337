import { dotProduct } from '../../memory/dot-product.ts';
import type { Entry } from '../../memory/entry.ts';
import type { SaveOutcome } from '../../memory/operations/operations.ts';
import type { EntryRow, EntryVectors } from '../../store/tables/rows.ts';
import type { Hit } from '../../store/search/search.ts';
import type { Store } from '../../store/store.ts';
import type { Drafting } from './drafting.ts';

/** As many as a person looks through. */
const MAX_NEAR = 5;
/** More, since a long text is found by one of its passages and compared by all. */
const CANDIDATES = 4 * MAX_NEAR;

type Near = NonNullable<SaveOutcome['near']>;

/** Tags that only one of two entries has take at most this from the cosine of equal texts, unless they outweigh a short text. */
const TAGS_SHARE = 0.35;
/** Entries with other tags that are embedded once more for one comparison. */
const MAX_EMBEDDED = 8;

interface Compared extends Pick<EntryRow, 'vectors'> {
  readonly entry: Pick<Entry, 'namespace' | 'content' | 'tags'>;
}

interface NearOptions {
  /** The entry itself, where it is stored. */
  readonly id?: string;
  readonly threshold: number;
  readonly drafting: Pick<Drafting, 'vectors'>;
}

/**
 * The entries of the same namespace whose text has a cosine similarity of `threshold` or more to this one, most alike first, at most five,
 * never the one with this id. Tags do not count. Long texts are compared passage by passage, either way: one that only holds the other is
 * less alike. Undefined where the row has no vector yet.
 */
export async function nearDuplicates(
  store: Store,
  { entry, vectors }: Compared,
  { id, threshold, drafting }: NearOptions,
): Promise<Near | undefined> {
  if (vectors === undefined) return undefined;
  const { first: vector, embedder: fingerprint } = vectors;
  const filter = { namespaces: [entry.namespace], current: true as const };
  const found = await store.searchVectors({ vector, fingerprint, filter, limit: CANDIDATES });
  const tags = new Map(found.map((hit) => [hit.id, store.directory.get(hit.id)?.tags ?? []]));
  const candidates = found.filter((hit) => hit.id !== id && hit.score >= threshold - TAGS_SHARE);
  const [alike, tagged] = [candidates.filter((hit) => isSameTags(tags.get(hit.id)!, entry.tags)), new Set<string>()];
  for (const hit of candidates) if (!alike.includes(hit) && tagged.size < MAX_EMBEDDED) tagged.add(hit.id);
  const similarities = new Map([
    ...alike.map((hit) => [hit.id, hit.score] as const),
    ...(await wholeSimilarities(store, vectors, alike)),
    ...(await contentSimilarities(store, entry.content, { ids: [...tagged], drafting })),
  ]);
  return [...similarities]
    .map(([other, similarity]) => ({ id: other, similarity: rounded(similarity) }))
    .filter(({ similarity }) => similarity >= threshold)
    .toSorted((a, b) => b.similarity - a.similarity)
    .slice(0, MAX_NEAR);
}

/** Whether two entries have the same tags, in whatever order: then their vectors differ by their texts alone. */
export function isSameTags(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((tag) => other.includes(tag));
}

/** Vectors are no more exact than that, and two that are the same may come out above 1. */
const rounded = (cosine: number): number => Math.min(1, Number(cosine.toFixed(4)));

/** Of those that are long, or where this one is. */
async function wholeSimilarities(store: Store, vectors: EntryVectors, hits: readonly Hit[]): Promise<Map<string, number>> {
  const isLong = ({ id }: Hit): boolean => vectors.further.length > 0 || (store.directory.get(id)?.passages ?? 0) > 0;
  const similarities = new Map<string, number>();
  for (const [id, { vectors: other }] of await store.entries.rows(hits.filter(isLong).map(({ id }) => id))) {
    if (other !== undefined) similarities.set(id, similarityOf(vectors, other));
  }
  return similarities;
}

/** By the texts alone, embedded again without their tags. */
async function contentSimilarities(
  store: Store,
  content: string,
  { ids, drafting }: { readonly ids: readonly string[]; readonly drafting: Pick<Drafting, 'vectors'> },
): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const others = [...(await store.entries.contents(ids))];
  const texts = [content, ...others.map(([, text]) => text)].map((text) => ({ content: text, tags: [] }));
  // A model that fails costs those with other tags and nothing else.
  const [own, ...vectors] = await drafting.vectors(texts).catch(() => []);
  return new Map(vectors.map((other, at) => [others[at]![0], similarityOf(own!, other)]));
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
