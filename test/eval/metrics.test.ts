import { describe, expect, it } from 'vitest';
import {
  allAt,
  answersOf,
  areaUnderCurve,
  mean,
  means,
  measure,
  ndcgAt,
  quantile,
  recallAt,
  reciprocalRank,
  supersededFirst,
} from './metrics.mjs';

const relevant = { a: 3, b: 2, c: 1 };

describe('the answers of a query', () => {
  it('are the memories of grade 2 and above', () => {
    expect(answersOf(relevant)).toEqual(['a', 'b']);
  });

  it('are those of the highest grade if none reaches 2', () => {
    expect(answersOf({ c: 1, d: 1 })).toEqual(['c', 'd']);
  });

  it('are empty if nothing is relevant', () => {
    expect(answersOf({})).toEqual([]);
    expect(answersOf({ a: 0 })).toEqual([]);
  });
});

describe('recall', () => {
  it('is the share of answers among the first k', () => {
    const ranked = ['x', 'a', 'c', 'b'];
    expect([1, 2, 3, 4].map((k) => recallAt(ranked, relevant, k))).toEqual([0, 0.5, 0.5, 1]);
  });

  it('counts a missing answer as 0 in all@k', () => {
    expect(allAt(['a', 'x', 'y', 'z', 'c', 'b'], relevant, 5)).toBe(0);
    expect(allAt(['a', 'x', 'y', 'z', 'b', 'c'], relevant, 5)).toBe(1);
  });

  it('is 0 for an empty ranking', () => {
    expect(recallAt([], relevant, 10)).toBe(0);
    expect(reciprocalRank([], relevant)).toBe(0);
    expect(ndcgAt([], relevant, 10)).toBe(0);
  });
});

describe('the reciprocal rank', () => {
  it('uses the first answer and skips partly relevant results', () => {
    expect(reciprocalRank(['c', 'x', 'b', 'a'], relevant)).toBeCloseTo(1 / 3);
  });

  it('uses the highest grade if none reaches 2', () => {
    expect(reciprocalRank(['x', 'c'], { c: 1 })).toBe(0.5);
  });
});

describe('nDCG', () => {
  it('is 1 in the best order, whatever follows', () => {
    expect(ndcgAt(['a', 'b', 'c', 'x'], relevant, 10)).toBe(1);
  });

  it('weighs a gain of 2^grade - 1 by the logarithm of the rank', () => {
    // Got 1 + 7 / log2(3) + 3 / log2(4) + 0; best 7 + 3 / log2(3) + 1 / log2(4).
    const got = 1 + 7 / Math.log2(3) + 3 / 2;
    const best = 7 + 3 / Math.log2(3) + 1 / 2;
    expect(ndcgAt(['c', 'a', 'b'], relevant, 10)).toBeCloseTo(got / best, 12);
  });

  it('counts only the first k, also of the best order', () => {
    expect(ndcgAt(['b', 'a'], relevant, 1)).toBeCloseTo(3 / 7, 12);
  });
});

describe('a superseded memory', () => {
  it('is an error above every answer, or alone', () => {
    expect(supersededFirst(['x', 'old', 'a'], relevant, ['old'])).toBe(true);
    expect(supersededFirst(['old'], relevant, ['old'])).toBe(true);
  });

  it('is no error below an answer, or absent', () => {
    expect(supersededFirst(['a', 'old', 'b'], relevant, ['old'])).toBe(false);
    expect(supersededFirst(['x'], relevant, ['old'])).toBe(false);
    expect(supersededFirst(['c'], relevant, [])).toBe(false);
  });
});

describe('figures over many queries', () => {
  it('give the probability that a score with an answer exceeds one without; ties count half', () => {
    expect(areaUnderCurve([0.9, 0.8], [0.1, 0.2])).toBe(1);
    expect(areaUnderCurve([0.5, 0.1], [0.5, 0.3])).toBe((0.5 + 1 + 0 + 0) / 4);
    expect(areaUnderCurve([], [0.5])).toBeNaN();
  });

  it('interpolate quantiles from existing values', () => {
    expect(quantile([3, 1, 2, 4], 0.5)).toBe(3);
    expect(quantile([3, 1, 2, 4], 0.1)).toBe(1);
    expect(quantile([3, 1, 2, 4], 1)).toBe(4);
    expect(quantile([], 0.5)).toBeNaN();
  });

  it('are the means of each metric', () => {
    const both = [measure(['a', 'b'], { relevant }), measure(['x'], { relevant, superseded: ['x'] })];
    expect(both.map(({ supersededFirst: wrong }) => wrong)).toEqual([0, 1]);
    expect(means(both)['recall@1']).toBe(0.25);
    expect(means(both)['all@5']).toBe(0.5);
    expect(means(both).MRR).toBe(0.5);
    expect(mean([])).toBeNaN();
  });
});
