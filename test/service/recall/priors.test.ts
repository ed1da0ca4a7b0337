import { describe, expect, it } from 'vitest';
import { priorsOf } from '../../../src/service/recall/priors.ts';

const entry = (createdAt: number, importance = 0.5, coverage = 1) => ({ id: `${createdAt}`, createdAt, importance, coverage });

describe('priors', () => {
  it('put the newest before the oldest, whatever lies between them', () => {
    const found = [entry(5), entry(1_000_000), entry(1)];
    expect(priorsOf(found, { recency: 0.2, importance: 0 }).map(({ recency }) => recency)).toEqual([0.1, 0.2, 0]);
  });

  it('are the same for entries of one time, however many there are', () => {
    const found = [entry(1), entry(7), entry(7), entry(7), entry(3)];
    expect(priorsOf(found, { recency: 0.2, importance: 0 }).map(({ recency }) => recency)).toEqual([0, 0.2, 0.2, 0.2, 0.1]);
  });

  it('count in proportion to how much of the query an entry holds', () => {
    const found = [entry(1), entry(2, 0.5, 0.5)];
    expect(priorsOf(found, { recency: 0.2, importance: 0.1 })).toEqual([
      { recency: 0, importance: 0.05 },
      { recency: 0.1, importance: 0.025 },
    ]);
  });

  it('are absent where their weight is 0, and nothing for an entry that is alone', () => {
    expect(priorsOf([entry(1)], { recency: 0, importance: 0 })).toEqual([{}]);
    expect(priorsOf([entry(1)], { recency: 1, importance: 0 })).toEqual([{ recency: 0 }]);
    expect(priorsOf([], { recency: 1, importance: 1 })).toEqual([]);
  });
});
