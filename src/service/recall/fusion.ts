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
  /** Of the embedder whose vectors were compared. */
  readonly kind: 'semantic' | 'lexical';
  /** See `QueryWords`. */
  readonly scale: number;
}

/** An entry found by a search, with the values of vector and keyword search. */
export interface Found {
  readonly features: Features;
  /** Absent if no vector was compared, or the entry has none. */
  readonly cosine?: number;
  /** 0..1: by the meaning of single words, see `Meaning`. */
  readonly meant?: number;
  readonly priors: Priors;
  /** Absent where its text is not the query and does not hold it as a whole. */
  readonly sameness?: Sameness | undefined;
  readonly createdAt: number;
  /** Tie breaker for entries of the same time. */
  readonly tie?: string;
}

/** An entry in its place. */
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

/** A lower score prints as 0.00: the entry has nothing to do with the query, only nothing nearer was there. */
export const LEAST_SCORE = 0.005;
/** BM25 at which it has said half of what it can say. */
const HALF_BM25 = 10;
const RIGHT_BEFORE = 1 + 1e-9;
const RIGHT_AFTER = 1 - 1e-9;
/** Each is more than all other parts of a rank value together: whatever else speaks for an entry counts among those alike in this. */
const SAMENESS: Readonly<Record<Sameness, { readonly part: string; readonly value: number }>> = {
  identical: { part: 'equal', value: 30 },
  equal: { part: 'equal', value: 20 },
  phrase: { part: 'phrase', value: 10 },
};
/** The best keyword score of a search at which the weights of its order are the ones that are set, and how fast they move beside it. */
const MIDDLING = 0.25;
const SHIFT = 3.8;
/** A search that comes no nearer than this found nothing near: its best cosine is not taken for a full match. */
const NEAR_COSINE = 0.5;
/** What the score of a hybrid result makes of a cosine, by the kind of embedder (docs/adr/0039). */
const MEANING_SCORE = 0.8;
const HASHED_SHARE = 0.1;
/** Part of the rank of nearness by the meaning of single words, against the score of the best by its words: where words say much, it says little. */
const MEANT_SHARE = 0.3;
const LEAST_SURE = 0.1;
/** Of the score, where the words give less. */
const MEANT_SCORE = 0.2;
/** Only the text itself scores 1. */
const MOST_UNEQUAL = 0.999;

/**
 * One order of all that the legs of a search found: a hit of one leg alone can win.
 *
 * `vector`: by cosine. `keyword`: by the keyword rank (ranking.ts) / best rank. `hybrid`: by `v * cosine / best cosine + k * rank /
 * best rank`, with the weights of `weightsBy`; an entry that has no vector yet counts as far away as the farthest that was found. Priors are
 * added but in vector mode, and nearness by the meaning of single words. Scores do not depend on the other entries and tell how likely an entry is an answer: `vector` is max(0, cosine),
 * `keyword` is `keywordScore`, hybrid is made of both by `hybridScore`. An entry whose text is the query comes first and scores 1, and one
 * that holds it as a whole comes next.
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
      // A phrase is found by its words in every mode, also where its vector is missing or far away.
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
        ...hit,
        id: hit.features.id,
        parts,
        rankValue: sumOf(parts),
        score: digits(isEqual(hit) ? 1 : Math.min(MOST_UNEQUAL, score)),
        scores: {
          ...(hit.cosine === undefined || mode === 'keyword' ? {} : { vector: digits(Math.min(1, cosine)) }),
          ...(words === 0 || (mode === 'vector' && !isByWords) ? {} : { keyword: digits(words) }),
        },
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
 * Puts each entry that `corrections` names right before the one that it corrects, so that the fact that holds stands first, and gives it
 * the score of that one where it is the higher: it answers what the other was found for. The difference is the part `correction`. Where the
 * other is the very text that was asked for, it comes right after it.
 */
export function raise(ranked: readonly Ranked[], corrections: ReadonlyMap<string, string>): Ranked[] {
  const raised = new Map(ranked.map((hit) => [hit.id, hit]));
  for (const [id, olderId] of corrections) {
    const [hit, older] = [raised.get(id), raised.get(olderId)];
    if (hit === undefined || older === undefined) continue;
    // Who asks for a text letter by letter gets it, and then what corrects it.
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
export function rankBeside({ rankValue, sameness }: Ranked): number {
  return sameness === undefined ? rankValue : rankValue - SAMENESS[sameness].value;
}

const isEqual = ({ sameness }: Found): boolean => sameness === 'identical' || sameness === 'equal';

/** Orders ties: the later created entry first, then the later id. */
export const bestFirst = (a: Ranked, b: Ranked): number =>
  b.rankValue - a.rankValue || b.createdAt - a.createdAt || byTie(a, b) || (a.id < b.id ? 1 : -1);
const byTie = ({ tie: a = '' }: Ranked, { tie: b = '' }: Ranked): number => (a === b ? 0 : a < b ? -1 : 1);

/** Written out name by name: this runs for every candidate of every search. */
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
  // They count by what the words say, so they weigh as the words do.
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
