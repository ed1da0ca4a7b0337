import type { Entry } from '../../memory/entry.ts';
import type { NearEntry } from '../../memory/operations/operations.ts';
import { comparedWith } from '../../memory/same-fact/likeness.ts';
import { otherValuesIn } from '../../memory/other-value/other-value.ts';
import { isStopWord } from '../../memory/words/tokens.ts';
import type { Store } from '../../store/store.ts';
import { rareTokens } from './rare-tokens.ts';

/** As many as a person reads. */
const MAX_NEAR = 5;
/** Entries whose words are compared. */
const CANDIDATES = 20;
/** Characters read before yielding; reading takes about a millisecond for each thousand. */
const MAX_AT_ONCE = 20_000;
/** Of the five results, this many are reserved for entries that say something else, if there are more. */
const MAX_OTHER = 3;
/**
 * Least share of the words of the text with fewer different words that the other contains, without numbers. Below it, the subject differs.
 */
const LEAST_SHARED = 1 / 2;
const DIGIT = /\d/;

interface Compared {
  readonly entry: Pick<Entry, 'namespace' | 'content'>;
  readonly searchText: string;
}

interface NearOptions {
  /** Id of the entry itself, if it is stored. */
  readonly id?: string;
  /** Similarity of the words, 0..1; see `Likeness`. */
  readonly threshold: number;
  /** Include entries that say something else on the same subject, or contain a sentence of the text. Default false. */
  readonly others?: boolean;
}

/**
 * The entries of the same namespace whose words are alike to `threshold` or more, and where neither has a number, a name, a negation or
 * another significant word that the other lacks. With `others` also entries that say something else on its subject. Most alike first, at
 * most five, never the one with this id. Found by their rarest words and compared by all words, whatever embedder is active, also while
 * vectors are pending. Tags do not count.
 */
export async function nearDuplicates(
  store: Store,
  { entry, searchText }: Compared,
  { id: own, threshold, others: wantsOthers = false }: NearOptions,
): Promise<readonly NearEntry[]> {
  await store.whenCounted();
  const tokens = rareTokens(searchText, store.words);
  if (tokens.length === 0) return [];
  const filter = { namespaces: [entry.namespace], current: true as const };
  const hits = await store.searchKeywords({ tokens, filter, limit: CANDIDATES });
  const contents = await store.entries.contents(hits.flatMap((hit) => (hit.id === own ? [] : [hit.id])));
  const compare = comparedWith(entry.content, threshold);
  const near: NearEntry[] = [];
  const other: NearEntry[] = [];
  const isRelated = wantsOthers ? await relatedBy(store, { searchText, ids: [...contents.keys()] }) : () => false;
  const otherwise = otherValuesIn(entry.content);
  let read = 0;
  for (const [id, content] of contents) {
    read += content.length;
    if (read > MAX_AT_ONCE) {
      await new Promise((resolve) => setImmediate(resolve));
      read = 0;
    }
    const likeness = compare(content);
    if (likeness !== undefined && likeness.telling === undefined) near.push({ id, similarity: likeness.similarity });
    else if (isRelated(id)) {
      const found = otherwise(content);
      if (found !== undefined) other.push({ id, ...found });
    }
  }
  const others = other.toSorted(mostAlike).slice(0, Math.max(MAX_OTHER, MAX_NEAR - near.length));
  return [...near.toSorted(mostAlike).slice(0, MAX_NEAR - others.length), ...others].toSorted(mostAlike);
}

const mostAlike = (one: NearEntry, other: NearEntry): number => other.similarity - one.similarity;

/**
 * Prefilter, cheaper than reading the texts: which entries may be on the same subject. Passages of files repeat one another, so they do not
 * count.
 */
async function relatedBy(
  store: Store,
  { searchText, ids }: { readonly searchText: string; readonly ids: readonly string[] },
): Promise<(id: string) => boolean> {
  const streams = await store.entries.searchTexts(ids);
  const own = contentSet(searchText);
  return (id) => {
    const source = store.catalog.get(id)?.source;
    if (source === undefined || source === 'index' || source === 'ingest') return false;
    const theirs = contentSet(streams.get(id) ?? '');
    let shared = 0;
    for (const token of own) if (theirs.has(token)) shared += 1;
    return shared > 0 && shared >= LEAST_SHARED * Math.min(own.size, theirs.size);
  };
}

const contentSet = (text: string): ReadonlySet<string> =>
  new Set(text.split(' ').filter((token) => token !== '' && !isStopWord(token) && !DIGIT.test(token)));
