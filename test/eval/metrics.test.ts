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

describe('what counts as an answer', () => {
  it('is every memory of grade 2 and more', () => {
    expect(answersOf(relevant)).toEqual(['a', 'b']);
  });

  it('is what has the highest grade where nothing reaches 2', () => {
    expect(answersOf({ c: 1, d: 1 })).toEqual(['c', 'd']);
  });

  it('is nothing where nothing is relevant', () => {
    expect(answersOf({})).toEqual([]);
    expect(answersOf({ a: 0 })).toEqual([]);
  });
});

describe('recall', () => {
  it('is the share of the answers among the first k', () => {
    const ranked = ['x', 'a', 'c', 'b'];
    expect([1, 2, 3, 4].map((k) => recallAt(ranked, relevant, k))).toEqual([0, 0.5, 0.5, 1]);
  });

  it('is strict in all@k: one answer missing counts as none', () => {
    expect(allAt(['a', 'x', 'y', 'z', 'c', 'b'], relevant, 5)).toBe(0);
    expect(allAt(['a', 'x', 'y', 'z', 'b', 'c'], relevant, 5)).toBe(1);
  });

  it('is 0 of an empty ranking', () => {
    expect(recallAt([], relevant, 10)).toBe(0);
    expect(reciprocalRank([], relevant)).toBe(0);
    expect(ndcgAt([], relevant, 10)).toBe(0);
  });
});

describe('the reciprocal rank', () => {
  it('takes the first answer and passes over what only helps', () => {
    expect(reciprocalRank(['c', 'x', 'b', 'a'], relevant)).toBeCloseTo(1 / 3);
  });

  it('takes what has the highest grade where nothing reaches 2', () => {
    expect(reciprocalRank(['x', 'c'], { c: 1 })).toBe(0.5);
  });
});

describe('nDCG', () => {
  it('is 1 in the best order and does not mind what follows', () => {
    expect(ndcgAt(['a', 'b', 'c', 'x'], relevant, 10)).toBe(1);
  });

  it('weighs a gain of 2^grade - 1 by the logarithm of the place', () => {
    // Got 1 + 7 / log2(3) + 3 / log2(4) + 0; best 7 + 3 / log2(3) + 1 / log2(4).
    const got = 1 + 7 / Math.log2(3) + 3 / 2;
    const best = 7 + 3 / Math.log2(3) + 1 / 2;
    expect(ndcgAt(['c', 'a', 'b'], relevant, 10)).toBeCloseTo(got / best, 12);
  });

  it('counts only the first k, of the best order too', () => {
    expect(ndcgAt(['b', 'a'], relevant, 1)).toBeCloseTo(3 / 7, 12);
  });
});

describe('a superseded memory', () => {
  it('is at fault where it stands above every answer, or comes alone', () => {
    expect(supersededFirst(['x', 'old', 'a'], relevant, ['old'])).toBe(true);
    expect(supersededFirst(['old'], relevant, ['old'])).toBe(true);
  });

  it('is not at fault below an answer, or where neither came', () => {
    expect(supersededFirst(['a', 'old', 'b'], relevant, ['old'])).toBe(false);
    expect(supersededFirst(['x'], relevant, ['old'])).toBe(false);
    expect(supersededFirst(['c'], relevant, [])).toBe(false);
  });
});

describe('numbers over many queries', () => {
  it('tell how often a score with an answer is above one without, ties half', () => {
    expect(areaUnderCurve([0.9, 0.8], [0.1, 0.2])).toBe(1);
    expect(areaUnderCurve([0.5, 0.1], [0.5, 0.3])).toBe((0.5 + 1 + 0 + 0) / 4);
    expect(areaUnderCurve([], [0.5])).toBeNaN();
  });

  it('take a quantile from the values that are there', () => {
    expect(quantile([3, 1, 2, 4], 0.5)).toBe(3);
    expect(quantile([3, 1, 2, 4], 0.1)).toBe(1);
    expect(quantile([3, 1, 2, 4], 1)).toBe(4);
    expect(quantile([], 0.5)).toBeNaN();
  });

  it('are means of each metric', () => {
    const both = [measure(['a', 'b'], { relevant }), measure(['x'], { relevant, superseded: ['x'] })];
    expect(both.map(({ supersededFirst: wrong }) => wrong)).toEqual([0, 1]);
    expect(means(both)['recall@1']).toBe(0.25);
    expect(means(both)['all@5']).toBe(0.5);
    expect(means(both).MRR).toBe(0.5);
    expect(mean([])).toBeNaN();
  });
});
