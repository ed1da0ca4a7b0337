import { describe, expect, it } from 'vitest';
import { RequestCounter } from '../../src/http/middleware/request-counter.ts';

const MINUTE = 60_000;

describe('the request counter', () => {
  it('counts since the start and within the last hour', () => {
    let now = 1_000 * MINUTE;
    const counter = new RequestCounter(() => now);
    expect(counter.summary()).toEqual({ total: 0, lastHour: 0, averageLatency: 0 });
    counter.add(10);
    now += MINUTE;
    counter.add(20);
    counter.add(30);
    expect(counter.summary()).toEqual({ total: 3, lastHour: 3, averageLatency: 20 });
    now += 59 * MINUTE;
    expect(counter.summary()).toEqual({ total: 3, lastHour: 2, averageLatency: 25 });
    counter.add(5);
    expect(counter.summary()).toEqual({ total: 4, lastHour: 3, averageLatency: 18.33 });
    now += 24 * 60 * MINUTE;
    expect(counter.summary()).toEqual({ total: 4, lastHour: 0, averageLatency: 0 });
  });
});
