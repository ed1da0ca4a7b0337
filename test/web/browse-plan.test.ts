import { describe, expect, it } from 'vitest';
import { placesIn, planOf, rowTop, stepFrom } from '../../web/src/browse/plan.ts';

const LIST = { head: 40, row: 10, gap: 5, more: 0, month: 0, mostPerDay: Infinity };
const TIMELINE = { head: 4, row: 10, gap: 6, more: 20, month: 60, mostPerDay: 5 };
const DAYS = [
  { day: '2026-03-02', entries: 3 },
  { day: '2026-03-01', entries: 8 },
  { day: '2026-02-28', entries: 2 },
];

describe('the plan of a long list', () => {
  it('knows the position of every row before it is loaded', () => {
    const plan = planOf(DAYS, LIST, new Set());
    expect(plan.height).toBe(3 * 45 + 13 * 10);
    expect([0, 2, 3, 12].map((place) => rowTop(plan, place))).toEqual([40, 60, 115, 250]);
    expect(plan.groups.map((group) => placesIn(plan, group, [55, 130]))).toEqual([
      [1, 3],
      [3, 5],
      [11, 11],
    ]);
    expect(plan.months).toEqual([]);
  });

  it('collapses a day until it is expanded, and skips the hidden rows', () => {
    const plan = planOf(DAYS, TIMELINE, new Set());
    expect(plan.months.map(({ month, entries, top }) => [month, entries, top])).toEqual([
      ['2026-03', 11, 0],
      ['2026-02', 2, 60 + 40 + 80],
    ]);
    expect([7, 8].map((place) => stepFrom(plan, place, 1))).toEqual([11, 11]);
    expect(stepFrom(plan, 7, 1)).toBe(11);
    expect(stepFrom(plan, 11, -1)).toBe(7);
    expect([stepFrom(plan, 0, -1), stepFrom(plan, 12, 1)]).toEqual([0, 12]);
    expect(rowTop(plan, 10)).toBe(rowTop(plan, 7) + 10);
    const whole = planOf(DAYS, TIMELINE, new Set(['2026-03-01']));
    expect(stepFrom(whole, 7, 1)).toBe(8);
    expect(whole.height).toBe(plan.height + 30);
  });

  it('of an empty list is empty', () => {
    const plan = planOf([], LIST, new Set());
    expect([plan.height, stepFrom(plan, 0, 1), rowTop(plan, 5)]).toEqual([0, 0, 0]);
  });
});
