import { isExpansion, type Alternative, type QueryTerm, type QueryWords } from '../../memory/words/query-words.ts';
import { containsDigits } from '../../memory/words/answer-cues.ts';
import { isSense } from '../../memory/words/exact-senses.ts';
import { NEGATIONS } from '../../memory/words/negations.ts';
import { TokenFinder, type Occurrences } from './occurrences.ts';

/** BM25 parameters, as in LanceDB. */
const K1 = 1.2;
const B = 0.75;
/** Entries with fewer significant tokens count as equally long: 8 or 20 words make no difference. */
const LENGTH_FLOOR = 40;
/** Longer entries count as equally long: a match in a long document is in one of its passages. */
const LENGTH_CAP = 150;
/** Position at which a match counts half as much as at the start. */
const HALF_EARLY = 10;

/** A candidate entry with the data for ranking. */
export interface Candidate {
  readonly id: string;
  /** Its search text: tokens joined by blanks. */
  readonly stream: string;
}

/** The match of one query word in one entry. */
export interface TermMatch {
  readonly term: QueryTerm;
  /** The best matching form; undefined if no form of the word matches. */
  readonly alternative: Alternative | undefined;
  /** Frequency of that form. */
  readonly count: number;
  /** Its part of `bm25`. */
  readonly bm25: number;
  /** First positions of any alternative, in tokens from the start, ascending. */
  readonly places: readonly number[];
}

/** Word features of an entry for one query. */
export interface Features {
  readonly id: string;
  readonly matches: readonly TermMatch[];
  /** BM25 with the length floor, for ranking. */
  readonly bm25: number;
  /** BM25 without the length floor, for scores. */
  readonly plainBm25: number;
  /** Share 0..1 of the weight of the query in the entry. */
  readonly coverage: number;
  /** 0..1 each, shares of the query's weight. */
  readonly proximity: number;
  readonly early: number;
  /** The coverage if query and entry are both negated; else 0. */
  readonly negation: number;
  /** The coverage if the entry has the kind of value asked for, such as a time or number; else 0. */
  readonly answer: number;
}

/** How much each feature counts against the BM25 of the best entry, which is 1. */
interface RankWeights {
  readonly proximity: number;
  readonly early: number;
  readonly negation: number;
  readonly answer: number;
}
/** Chosen by hand on public data sets and ours (docs/adr/0011); learned weights were no better and generalised less. */
export const RANK_WEIGHTS: RankWeights = { proximity: 0.5, early: 0.35, negation: 0.15, answer: 0.35 };

/** The features of every candidate for one query. Linear in the length of their search texts. */
export function featuresOf(words: QueryWords, candidates: readonly Candidate[]): Features[] {
  const asked = words.terms.flatMap(({ alternatives }) => alternatives.flatMap((alternative) => alternative.tokens));
  const tokens = [...new Set([...asked, ...(words.negated ? NEGATIONS : []), ...(words.answer?.tokens ?? [])])];
  const indexes = new Map(tokens.map((token, index) => [token, index]));
  const finder = new TokenFinder(tokens);
  return candidates.map((candidate) => {
    const found = finder.find(candidate.stream);
    const matches = words.terms.map((term) =>
      matchOf(term, found, {
        indexes,
        norm: lengthNorm(found.length, words.averageLength),
        chance: chanceNorm(found.length, words.averageLength),
      }),
    );
    const coverage = words.weight > 0 ? sumOf(matches, ({ term, alternative }) => term.idf * (alternative?.weight ?? 0)) / words.weight : 0;
    const holds = (token: string): boolean => found.counts[indexes.get(token)!]! > 0;
    const negated = words.negated && NEGATIONS.some(holds);
    const answers =
      words.answer !== undefined && (words.answer.tokens.some(holds) || (words.answer.digits && containsDigits(candidate.stream)));
    const share = (sum: number): number => (words.weight > 0 ? sum / words.weight : 0);
    return {
      id: candidate.id,
      matches,
      bm25: sumOf(matches, ({ bm25 }) => bm25),
      plainBm25: plainBm25(matches, lengthNorm(found.length, words.averageLength, 1)),
      coverage,
      proximity: share(proximity(matches)),
      early: share(sumOf(matches, early)),
      negation: negated ? coverage : 0,
      answer: answers ? coverage : 0,
    };
  });
}

/** Additions to the keyword rank of an entry: its words (`bm25`, including the requested kind of value) and their positions. */
export type KeywordParts = Readonly<Record<'bm25' | 'proximity' | 'early' | 'negation', number>>;

/** The parts of the keyword rank of an entry; they add up to it. `bestBm25` is the score of the best entry of the search. */
export function rankParts(features: Features, bestBm25: number, weights: RankWeights = RANK_WEIGHTS): KeywordParts {
  return {
    bm25: (bestBm25 > 0 ? features.bm25 / bestBm25 : 0) + weights.answer * features.answer,
    proximity: weights.proximity * features.proximity,
    early: weights.early * features.early,
    negation: weights.negation * features.negation,
  };
}

function matchOf(
  term: QueryTerm,
  found: Occurrences,
  { indexes, norm, chance }: { indexes: ReadonlyMap<string, number>; norm: number; chance: number },
): TermMatch {
  let best: { alternative: Alternative; count: number; bm25: number } | undefined;
  let places: readonly number[] = [];
  for (const alternative of term.alternatives) {
    const at = alternative.tokens.map((token) => indexes.get(token)!);
    const count = at.length === 1 ? found.counts[at[0]!]! : Math.min(...at.map((index) => found.counts[index]!));
    if (count === 0) continue;
    const isNear = isExpanded(alternative);
    const bm25 = alternative.weight * alternative.idf * (isNear ? saturated(1, chance) : saturated(count, norm));
    if (best === undefined || bm25 > best.bm25) best = { alternative, count, bm25 };
    // A punctuation mark has the position of its word.
    if (isSense(alternative.tokens[0]!)) continue;
    // If the word itself occurs, positions of similar words do not count.
    if (isNear && best !== undefined && !isExpanded(best.alternative)) continue;
    places = places.length === 0 ? found.places[at[0]!]! : [...places, ...found.places[at[0]!]!].toSorted((a, b) => a - b);
  }
  return { term, alternative: best?.alternative, count: best?.count ?? 0, bm25: best?.bm25 ?? 0, places };
}

function plainBm25(matches: readonly TermMatch[], norm: number): number {
  return sumOf(matches, ({ alternative, count }) =>
    alternative === undefined ? 0 : alternative.weight * alternative.idf * saturated(count, norm),
  );
}

const saturated = (count: number, norm: number): number => (count * (K1 + 1)) / (count + K1 * norm);
const lengthNorm = (length: number, average: number, floor = LENGTH_FLOOR): number =>
  1 - B + (B * Math.min(Math.max(length, floor), LENGTH_CAP)) / Math.max(average, floor);
/** The longer an entry, the more likely it contains a merely similar word, which then counts less. */
const chanceNorm = (length: number, average: number): number =>
  1 - B + (B * Math.max(length, LENGTH_FLOOR)) / Math.max(average, LENGTH_FLOOR);

/** Pairs of neighbouring query words; the closer they are in the entry, the more a pair counts. */
function proximity(matches: readonly TermMatch[]): number {
  let sum = 0;
  for (let at = 1; at < matches.length; at++) {
    const [left, right] = [matches[at - 1]!, matches[at]!];
    // One token that matches both words counts like two adjacent ones.
    sum += Math.min(weightOf(left), weightOf(right)) / Math.max(1, leastDistance(left.places, right.places));
  }
  return sum;
}

/** Smallest distance between two ascending lists of positions; Infinity if one is empty. */
function leastDistance(left: readonly number[], right: readonly number[]): number {
  let least = Infinity;
  let [l, r] = [0, 0];
  while (l < left.length && r < right.length) {
    const step = right[r]! - left[l]!;
    least = Math.min(least, Math.abs(step));
    if (step > 0) l++;
    else r++;
  }
  return least;
}

const early = (match: TermMatch): number => (match.places.length === 0 ? 0 : weightOf(match) / (1 + match.places[0]! / HALF_EARLY));

const isExpanded = ({ kind }: Alternative): boolean => isExpansion(kind);
/** Weight of a word by its position; for a similar word, scaled like its other weights. */
const weightOf = ({ term, alternative }: TermMatch): number =>
  term.idf * (alternative !== undefined && isExpanded(alternative) ? alternative.weight : 1);

const sumOf = <T>(items: readonly T[], value: (item: T) => number): number => items.reduce((sum, item) => sum + value(item), 0);
