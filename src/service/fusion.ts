import type { SearchMode } from '../memory/entry.ts';

/** Hits of one leg, best first. */
export type Leg = readonly { readonly id: string; readonly score: number }[];

export interface Weights {
  readonly vector: number;
  readonly keyword: number;
}

export interface Fused {
  readonly id: string;
  /** 0..1. */
  readonly score: number;
  readonly scores: { readonly vector?: number; readonly keyword?: number };
}

/** BM25 at which the keyword score is one half. */
const HALF_BM25 = 10;

/**
 * One ranking from the legs of a search, over the union of what they found: a hit of one leg alone can win.
 *
 * `vector` is max(0, cosine). `keyword` is s/(s+10) of BM25 score s, which is comparable between queries. The hybrid rank is
 * `w_v * max(0, cosine) + w_k * s / max(s)` with weights scaled to sum 1: the best of the normalisations measured in docs/adr/0005.
 */
export function fuse(mode: SearchMode, { vector, keyword }: { vector: Leg; keyword: Leg }, weights: Weights): Fused[] {
  const found = new Map<string, { vector?: number; bm25?: number }>();
  // An entry that is being changed may be found in both its versions: the better one counts.
  for (const { id, score } of vector) found.set(id, { vector: Math.min(1, Math.max(score, found.get(id)?.vector ?? 0)) });
  for (const { id, score } of keyword) found.set(id, { ...found.get(id), bm25: Math.max(score, found.get(id)?.bm25 ?? 0) });
  const top = keyword.reduce((max, { score }) => Math.max(max, score), 0) || 1;
  const sum = weights.vector + weights.keyword || 1;
  const rank: Record<SearchMode, (hit: { vector?: number; bm25?: number }) => number> = {
    vector: (hit) => hit.vector ?? 0,
    keyword: (hit) => absolute(hit.bm25),
    hybrid: (hit) => (weights.vector * (hit.vector ?? 0) + weights.keyword * ((hit.bm25 ?? 0) / top)) / sum,
  };
  return [...found]
    .map(([id, hit]) => ({
      id,
      score: digits(rank[mode](hit)),
      scores: {
        ...(hit.vector === undefined ? {} : { vector: digits(hit.vector) }),
        ...(hit.bm25 === undefined ? {} : { keyword: digits(absolute(hit.bm25)) }),
      },
    }))
    .toSorted((a, b) => b.score - a.score || (a.id < b.id ? 1 : -1));
}

const absolute = (bm25: number | undefined): number => (bm25 === undefined ? 0 : bm25 / (bm25 + HALF_BM25));
const digits = (score: number): number => Math.round(score * 1e6) / 1e6;
