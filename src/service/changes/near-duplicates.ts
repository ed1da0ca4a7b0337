import type { Entry } from '../../memory/entry.ts';
import type { NearEntry } from '../../memory/operations/operations.ts';
import { comparedWith } from '../../memory/same-fact/likeness.ts';
import { otherValuesIn } from '../../memory/other-value/other-value.ts';
import { isStopWord } from '../../memory/words/tokens.ts';
import type { Store } from '../../store/store.ts';
import { rareTokens } from './rare-tokens.ts';

/** As many as a person looks through. */
const MAX_NEAR = 5;
/** Entries of which the words are compared. */
const CANDIDATES = 20;
/** Characters that are read without letting others run; reading takes about a millisecond for each thousand. */
const MAX_AT_ONCE = 20_000;
/** Places that those which say something else have among the five, where there are more. */
const MAX_OTHER = 3;
/** Of the text with fewer different words, so many are in the other, numbers aside: less is another subject. */
const LEAST_SHARED = 1 / 2;
const DIGIT = /\d/;

interface Compared {
  readonly entry: Pick<Entry, 'namespace' | 'content'>;
  readonly searchText: string;
}

interface NearOptions {
  /** The entry itself, where it is stored. */
  readonly id?: string;
  /** Similarity of the words, 0..1; see `Likeness`. */
  readonly threshold: number;
  /** Also those that say something else of the same subject, or hold a sentence of the text. Default false. */
  readonly others?: boolean;
}

/**
 * The entries of the same namespace whose words are alike to `threshold` or more, without a number, a name, a negation or another telling
 * word that only one of the two has; with `others` also those that say something else of its subject. Most alike first, at most five, never the one with this id. Found by their rarest words and decided by all of them, whatever embedder is in service, also where
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

/** Which of these entries may be about the same: cheaper than reading them. Passages of files repeat one another and are no statements. */
async function relatedBy(
  store: Store,
  { searchText, ids }: { readonly searchText: string; readonly ids: readonly string[] },
): Promise<(id: string) => boolean> {
  const streams = await store.entries.searchTexts(ids);
  const own = tellingSet(searchText);
  return (id) => {
    const source = store.directory.get(id)?.source;
    if (source === undefined || source === 'index' || source === 'ingest') return false;
    const theirs = tellingSet(streams.get(id) ?? '');
    let shared = 0;
    for (const token of own) if (theirs.has(token)) shared += 1;
    return shared > 0 && shared >= LEAST_SHARED * Math.min(own.size, theirs.size);
  };
}

const tellingSet = (text: string): ReadonlySet<string> =>
  new Set(text.split(' ').filter((token) => token !== '' && !isStopWord(token) && !DIGIT.test(token)));
