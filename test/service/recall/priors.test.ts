import { describe, expect, it } from 'vitest';
import { priorsOf } from '../../../src/service/recall/priors.ts';

const entry = (createdAt: number, importance = 0.5, coverage = 1) => ({ id: `${createdAt}`, createdAt, importance, coverage });

describe('priors', () => {
  it('rank the newest before the oldest', () => {
    const found = [entry(5), entry(1_000_000), entry(1)];
    expect(priorsOf(found, { recency: 0.2, importance: 0 }).map(({ recency }) => recency)).toEqual([0.1, 0.2, 0]);
  });

  it('are equal for entries of one time', () => {
    const found = [entry(1), entry(7), entry(7), entry(7), entry(3)];
    expect(priorsOf(found, { recency: 0.2, importance: 0 }).map(({ recency }) => recency)).toEqual([0, 0.2, 0.2, 0.2, 0.1]);
  });

  it('count in proportion to the matched share of the query', () => {
    const found = [entry(1), entry(2, 0.5, 0.5)];
    expect(priorsOf(found, { recency: 0.2, importance: 0.1 })).toEqual([
      { recency: 0, importance: 0.05 },
      { recency: 0.1, importance: 0.025 },
    ]);
  });

  it('are absent with weight 0, and zero for a single entry', () => {
    expect(priorsOf([entry(1)], { recency: 0, importance: 0 })).toEqual([{}]);
    expect(priorsOf([entry(1)], { recency: 1, importance: 0 })).toEqual([{ recency: 0 }]);
    expect(priorsOf([], { recency: 1, importance: 1 })).toEqual([]);
  });
});
