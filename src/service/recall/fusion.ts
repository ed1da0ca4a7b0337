import type { SearchMode } from '../../memory/entry.ts';
import type { Sameness } from '../../memory/words/same-text.ts';
import type { Priors } from './priors.ts';
import { rankParts, type Features, type KeywordParts } from './ranking.ts';

export interface Weights {
  readonly vector: number;
  readonly keyword: number;
}

/** Parameters of a fusion. */
export interface Fusion {
  /** Weights of a hybrid search with sum 1; 0 and 1 if no vectors were compared. */
  readonly weights: Weights;
  /** The embedder whose vectors were compared. */
  readonly kind: 'semantic' | 'lexical';
  /** See `QueryWords`. */
  readonly scale: number;
}

/** An entry found by a search, with the values of vector and keyword search. */
export interface Found {
  readonly features: Features;
  /** Absent if no vector was compared, or the entry has none. */
  readonly cosine?: number | undefined;
  /** 0..1: by the meaning of single words, see `Meaning`. */
  readonly meant?: number | undefined;
  readonly priors: Priors;
  /** Absent if its text neither equals nor contains the query as a whole. */
  readonly sameness?: Sameness | undefined;
  readonly createdAt: number;
  /** Tie breaker for entries of the same time. */
  readonly tie?: string | undefined;
}

/** A ranked entry. */
export interface Ranked extends Found {
  readonly id: string;
  /** The value that orders results, the sum of `parts`; comparable only within one search. */
  readonly rankValue: number;
  readonly parts: Readonly<Record<string, number>>;
  /** 0..1, comparable between searches. */
  readonly score: number;
  /** Scores of vector and keyword search, 0..1; absent if it did not find the entry. */
  readonly scores: { readonly vector?: number; readonly keyword?: number };
}

/** A lower score prints as 0.00: the entry has nothing to do with the query and was only the nearest. */
export const LEAST_SCORE = 0.005;
/** BM25 at which the word score reaches half of its maximum. */
const HALF_BM25 = 10;
const RIGHT_BEFORE = 1 + 1e-9;
const RIGHT_AFTER = 1 - 1e-9;
/** Each is more than all other parts of a rank value together; the other parts decide among entries that are equal here. */
const SAMENESS: Readonly<Record<Sameness, { readonly part: string; readonly value: number }>> = {
  identical: { part: 'equal', value: 30 },
  equal: { part: 'equal', value: 20 },
  phrase: { part: 'phrase', value: 10 },
};
/** The best keyword score at which the configured weights apply, and how fast they change around it. */
const MIDDLING = 0.25;
const SHIFT = 3.8;
/** Below this best cosine nothing is near, so it does not count as a full match. */
const NEAR_COSINE = 0.5;
/** Conversion of a cosine into the score of a hybrid result, by the kind of embedder (docs/adr/0039). */
const MEANING_SCORE = 0.8;
const HASHED_SHARE = 0.1;
/** Weight of similarity by single words, by the best score by words: the better the words match, the less it counts. */
const MEANT_SHARE = 0.3;
const LEAST_SURE = 0.1;
/** Share of the score, if the words give less. */
const MEANT_SCORE = 0.2;
/** Only an entry that equals the query scores 1. */
const MOST_UNEQUAL = 0.999;

/**
 * Merges the results of all legs of a search into one order; a hit of one leg alone can be first. `vector`: by cosine. `keyword`: by the
 * keyword rank (ranking.ts) / best rank. `hybrid`: by `v * cosine / best cosine + k * rank / best rank`, with the weights of `weightsBy`;
 * an entry without a vector counts as far away as the farthest one found. Priors (except in vector mode) and similarity by single words are
 * added. Scores do not depend on the other entries and tell how likely an entry is an answer: `vector` is max(0, cosine), `keyword` is
 * `keywordScore`, hybrid combines both by `hybridScore`. An entry that equals the query comes first and scores 1; one that contains it as a
 * whole comes next.
 */
export function fuse(mode: SearchMode, found: readonly Found[], { weights: wanted, kind, scale }: Fusion): Ranked[] {
  const bestBm25 = Math.max(0, ...found.map(({ features }) => features.bm25));
  const keywordParts = found.map(({ features }) => rankParts(features, bestBm25));
  const bestRank = Math.max(0, ...keywordParts.map(sumOf)) || 1;
  const wordScores = found.map(({ features }) => keywordScore(features, scale));
  const bestCosine = Math.max(NEAR_COSINE, ...found.map(({ cosine = 0 }) => cosine));
  const farthest = Math.max(0, Math.min(1, ...found.map(({ cosine = 1 }) => cosine)));
  const bestWords = Math.max(0, ...wordScores);
  const meant = MEANT_SHARE / Math.max(LEAST_SURE, bestWords);
  const weights = mode === 'hybrid' ? weightsBy(bestWords, wanted) : { vector: 0, keyword: 1 };
  return found
    .map((hit, at): Ranked => {
      const words = wordScores[at]!;
      const cosine = Math.max(0, hit.cosine ?? 0);
      // A phrase is found by its words in every mode, even if its vector is missing or far away.
      const isByWords = mode === 'keyword' || (hit.sameness !== undefined && hit.cosine === undefined);
      const byWords =
        isByWords || (mode === 'hybrid' && wanted.vector === 0) ? words : mode === 'vector' ? cosine : hybridScore({ cosine, words }, kind);
      const score = Math.max(byWords, MEANT_SCORE * (hit.meant ?? 0));
      const parts = partsOf(mode, {
        hit,
        keyword: keywordParts[at]!,
        weights,
        share: weights.keyword / bestRank,
        nearness: weights.vector * (Math.max(0, hit.cosine ?? farthest) / bestCosine),
        meant: meant * (hit.meant ?? 0),
      });
      return {
        features: hit.features,
        cosine: hit.cosine,
        meant: hit.meant,
        priors: hit.priors,
        sameness: hit.sameness,
        createdAt: hit.createdAt,
        tie: hit.tie,
        id: hit.features.id,
        parts,
        rankValue: sumOf(parts),
        score: digits(isEqual(hit) ? 1 : Math.min(MOST_UNEQUAL, score)),
        scores: scoresOf({
          vector: hit.cosine === undefined || mode === 'keyword' ? undefined : digits(Math.min(1, cosine)),
          keyword: words === 0 || (mode === 'vector' && !isByWords) ? undefined : digits(words),
        }),
      };
    })
    .toSorted(bestFirst);
}

/**
 * The weights of a hybrid search, depending on how well the words match (0..1): the better, the higher their weight. With .7 and .3 the
 * vectors weigh .9 if no word matches and .1 if all do. A weight of 0 stays 0.
 */
export function weightsBy(bestKeywordScore: number, { vector, keyword }: Weights): Weights {
  const shifted = vector + SHIFT * vector * keyword * (MIDDLING - bestKeywordScore);
  const clamped = Math.min(1, Math.max(0, shifted));
  return { vector: clamped, keyword: 1 - clamped };
}

/**
 * The score of a hybrid result, 0..1: the higher of the keyword score and 0.8 times the cosine. Hashed vectors represent words too, so
 * they are averaged in.
 */
export function hybridScore({ cosine, words }: { cosine: number; words: number }, kind: Fusion['kind']): number {
  return kind === 'semantic' ? Math.max(MEANING_SCORE * cosine, words) : HASHED_SHARE * cosine + (1 - HASHED_SHARE) * words;
}

/**
 * Moves each entry that `corrections` names right before the one that it corrects, so that the valid fact comes first, and gives it the
 * higher of both scores. The difference is the part `correction`. If the corrected entry equals the query, the correction comes right after
 * it.
 */
export function raiseCorrections(ranked: readonly Ranked[], corrections: ReadonlyMap<string, string>): Ranked[] {
  const raised = new Map(ranked.map((hit) => [hit.id, hit]));
  for (const [id, olderId] of corrections) {
    const [hit, older] = [raised.get(id), raised.get(olderId)];
    if (hit === undefined || older === undefined) continue;
    // A query for an exact text returns that text first, then its correction.
    const isAsked = isEqual(older);
    const rankValue = older.rankValue * (isAsked ? RIGHT_AFTER : RIGHT_BEFORE);
    const parts = { ...hit.parts, correction: rankValue - hit.rankValue };
    raised.set(id, { ...hit, rankValue, parts, score: Math.max(hit.score, isAsked ? MOST_UNEQUAL : older.score) });
  }
  return [...raised.values()].toSorted(bestFirst);
}

/**
 * How well the words of an entry answer a query, 0..1: `sqrt(coverage * s / (s + 10))` of BM25 score s. Full coverage by rare words is near
 * 0.9, one common word of five near 0.2. `scale` makes up for the small idf of words in a store of a few entries.
 */
export function keywordScore({ coverage, plainBm25 }: Features, scale: number): number {
  const bm25 = plainBm25 * scale;
  return Math.sqrt((coverage * bm25) / (bm25 + HALF_BM25));
}

/** The rank value without the part for the whole query. */
export function rankWithoutSameness({ rankValue, sameness }: Ranked): number {
  return sameness === undefined ? rankValue : rankValue - SAMENESS[sameness].value;
}

function scoresOf({ vector, keyword }: { vector: number | undefined; keyword: number | undefined }): Ranked['scores'] {
  if (vector === undefined) return keyword === undefined ? {} : { keyword };
  return keyword === undefined ? { vector } : { vector, keyword };
}

const isEqual = ({ sameness }: Found): boolean => sameness === 'identical' || sameness === 'equal';

/** Orders ties: the later created entry first, then the later id. */
export const bestFirst = (a: Ranked, b: Ranked): number =>
  b.rankValue - a.rankValue || b.createdAt - a.createdAt || byTie(a, b) || (a.id < b.id ? 1 : -1);
const byTie = ({ tie: a = '' }: Ranked, { tie: b = '' }: Ranked): number => (a === b ? 0 : a < b ? -1 : 1);

/** Spread by name, for speed: this runs for every candidate of every search. */
function partsOf(
  mode: SearchMode,
  {
    hit,
    keyword,
    weights,
    share,
    nearness,
    meant,
  }: { hit: Found; keyword: KeywordParts; weights: Weights; share: number; nearness: number; meant: number },
): Readonly<Record<string, number>> {
  const parts: Record<string, number> = {};
  if (hit.sameness !== undefined) parts[SAMENESS[hit.sameness].part] = SAMENESS[hit.sameness].value;
  if (mode === 'vector') return { ...parts, vector: hit.cosine ?? 0 };
  if (weights.vector > 0) parts['vector'] = nearness;
  if (meant > 0) parts['meaning'] = meant;
  parts['bm25'] = keyword.bm25 * share;
  parts['proximity'] = keyword.proximity * share;
  parts['early'] = keyword.early * share;
  parts['negation'] = keyword.negation * share;
  // Word vectors count by the words, so they have the weight of words.
  if (hit.priors.recency !== undefined) parts['recency'] = weights.keyword * hit.priors.recency;
  if (hit.priors.importance !== undefined) parts['importance'] = weights.keyword * hit.priors.importance;
  return parts;
}

function sumOf(parts: Readonly<Record<string, number>>): number {
  let sum = 0;
  for (const name in parts) sum += parts[name]!;
  return sum;
}
const digits = (score: number): number => Math.round(score * 1e6) / 1e6;
