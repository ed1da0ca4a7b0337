import type { SearchMode } from '../../memory/entry.ts';
import type { Priors } from './priors.ts';
import { rankParts, type Features, type KeywordParts } from './ranking.ts';

export interface Weights {
  readonly vector: number;
  readonly keyword: number;
}

/** An entry that a search found, and what each leg knows of it. */
export interface Found {
  readonly features: Features;
  /** Absent where the vector leg was not asked or did not find it. */
  readonly cosine?: number;
  readonly priors: Priors;
}

/** An entry in its place. */
export interface Ranked extends Found {
  readonly id: string;
  /** What results are ordered by, the sum of `parts`; comparable within one search only. */
  readonly rankValue: number;
  readonly parts: Readonly<Record<string, number>>;
  /** 0..1, comparable between searches. */
  readonly score: number;
  /** What each leg gave, 0..1; a leg that did not find the entry is absent. */
  readonly scores: { readonly vector?: number; readonly keyword?: number };
}

/** A lower score prints as 0.00: the entry has nothing to do with the query, only nothing nearer was there. */
export const LEAST_SCORE = 0.005;
/** BM25 at which it has said half of what it can say. */
const HALF_BM25 = 10;
const RIGHT_BEFORE = 1 + 1e-9;

/**
 * One order of all that the legs of a search found: a hit of one leg alone can win.
 *
 * `vector`: by cosine. `keyword`: by the keyword rank (ranking.ts) over that of the best. `hybrid`: by `w_v * max(0, cosine) + w_k * rank /
 * best rank`, the best of the normalisations measured in docs/adr/0005. Priors are added but in vector mode. Scores do not depend on the other entries:
 * `vector` is max(0, cosine), `keyword` is `keywordScore`, hybrid is `w_v * vector + w_k * keyword`.
 */
export function fuse(mode: SearchMode, found: readonly Found[], { vector, keyword, scale }: Weights & { scale: number }): Ranked[] {
  const bestBm25 = Math.max(0, ...found.map(({ features }) => features.bm25));
  const keywordParts = found.map(({ features }) => rankParts(features, bestBm25));
  const bestRank = Math.max(0, ...keywordParts.map(sumOf)) || 1;
  return found
    .map((hit, at): Ranked => {
      const cosine = Math.max(0, hit.cosine ?? 0);
      const words = keywordScore(hit.features, scale);
      const weights = { vector: { vector: 1, keyword: 0 }, keyword: { vector: 0, keyword: 1 }, hybrid: { vector, keyword } }[mode];
      const parts = partsOf(mode, { hit, keyword: keywordParts[at]!, weights, share: weights.keyword / bestRank });
      return {
        ...hit,
        id: hit.features.id,
        parts,
        rankValue: sumOf(parts),
        score: digits(Math.min(1, weights.vector * cosine + weights.keyword * words)),
        scores: {
          ...(hit.cosine === undefined || mode === 'keyword' ? {} : { vector: digits(Math.min(1, cosine)) }),
          ...(words === 0 || mode === 'vector' ? {} : { keyword: digits(words) }),
        },
      };
    })
    .toSorted(bestFirst);
}

/**
 * Puts each entry that `corrections` names right before the one that it corrects, so that the fact that holds stands first, and gives it
 * the score of that one where it is the higher: it answers what the other was found for. The difference is the part `correction`.
 */
export function raise(ranked: readonly Ranked[], corrections: ReadonlyMap<string, string>): Ranked[] {
  if (corrections.size === 0) return [...ranked];
  const raised = new Map(ranked.map((hit) => [hit.id, hit]));
  for (const [id, olderId] of corrections) {
    const [hit, older] = [raised.get(id), raised.get(olderId)];
    if (hit === undefined || older === undefined) continue;
    const rankValue = older.rankValue * RIGHT_BEFORE;
    const parts = { ...hit.parts, correction: rankValue - hit.rankValue };
    raised.set(id, { ...hit, rankValue, parts, score: Math.max(hit.score, older.score) });
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

/** Of two that rank the same the one with the later id, which was made later. */
const bestFirst = (a: Ranked, b: Ranked): number => b.rankValue - a.rankValue || (a.id < b.id ? 1 : -1);

/** Written out name by name: this runs for every candidate of every search. */
function partsOf(
  mode: SearchMode,
  { hit, keyword, weights, share }: { hit: Found; keyword: KeywordParts; weights: Weights; share: number },
): Readonly<Record<string, number>> {
  if (mode === 'vector') return { vector: hit.cosine ?? 0 };
  const parts: Record<string, number> = weights.vector === 0 ? {} : { vector: weights.vector * Math.max(0, hit.cosine ?? 0) };
  parts['bm25'] = keyword.bm25 * share;
  parts['proximity'] = keyword.proximity * share;
  parts['early'] = keyword.early * share;
  parts['negation'] = keyword.negation * share;
  if (hit.priors.recency !== undefined) parts['recency'] = hit.priors.recency;
  if (hit.priors.importance !== undefined) parts['importance'] = hit.priors.importance;
  return parts;
}

function sumOf(parts: Readonly<Record<string, number>>): number {
  let sum = 0;
  for (const name in parts) sum += parts[name]!;
  return sum;
}
const digits = (score: number): number => Math.round(score * 1e6) / 1e6;
