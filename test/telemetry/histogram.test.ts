import { describe, expect, it } from 'vitest';
import { Histogram } from '../../src/telemetry/histogram.ts';

describe('a histogram', () => {
  it('counts a value in every bucket at or above it, and above the last in none', () => {
    const histogram = new Histogram([1, 2, 4]);
    for (const value of [0.5, 1, 1.5, 4, 9]) histogram.add(value);
    expect(histogram.cumulative()).toEqual([
      { bound: 1, count: 2 },
      { bound: 2, count: 3 },
      { bound: 4, count: 4 },
    ]);
    expect([histogram.count, histogram.sum]).toEqual([5, 16]);
  });
});
