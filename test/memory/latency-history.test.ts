import { describe, expect, it } from 'vitest';
import { LatencyHistory } from '../../src/memory/latency-history.ts';

const MINUTE = 60_000;
const START = Date.UTC(2026, 0, 31, 12);

/** What a full list of the times would give, by the nearest rank. */
const exact = (times: readonly number[], share: number): number => times.toSorted((a, b) => a - b)[Math.ceil(share * times.length) - 1]!;

describe('the history of latencies', () => {
  it('has no percentile without requests', () => {
    expect(new LatencyHistory(() => START).report()).toEqual({ requests: 0, minutes: [] });
  });

  it('gives percentiles within 5 %, over five powers of ten', () => {
    const history = new LatencyHistory(() => START);
    const times = Array.from({ length: 5000 }, (_, at) => 10 ** (((at * 7919) % 5000) / 1000 - 1));
    for (const ms of times) history.add(ms);
    const { p50, p95 } = history.report();
    expect(Math.abs(p50! / exact(times, 0.5) - 1)).toBeLessThan(0.055);
    expect(Math.abs(p95! / exact(times, 0.95) - 1)).toBeLessThan(0.055);
  });

  it('distinguishes median and mean', () => {
    const history = new LatencyHistory(() => START);
    for (let fast = 0; fast < 90; fast += 1) history.add(10);
    for (let slow = 0; slow < 10; slow += 1) history.add(1000);
    const { p50, p95 } = history.report();
    expect(p50).toBeCloseTo(10, 0);
    expect(p95! / 1000).toBeCloseTo(1, 1);
  });

  it('keeps the minutes of the last hour separately and drops older ones', () => {
    let now = START;
    const history = new LatencyHistory(() => now);
    history.add(10);
    now += MINUTE;
    history.add(100);
    expect(history.report().minutes.map(({ at, requests }) => [at, requests])).toEqual([
      [START, 1],
      [START + MINUTE, 1],
    ]);
    now += 59 * MINUTE;
    expect(history.report().requests).toBe(1);
    now += MINUTE;
    expect(history.report()).toEqual({ requests: 0, minutes: [] });
  });

  it('accepts values below the smallest and above the largest bucket', () => {
    const history = new LatencyHistory(() => START);
    history.add(0);
    history.add(1e12);
    const { requests, p50, p95 } = history.report();
    expect(requests).toBe(2);
    expect(p50).toBeLessThan(0.1);
    expect(p95).toBeGreaterThan(500_000);
  });
});
