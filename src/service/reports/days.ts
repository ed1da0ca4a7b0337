import type { DayCount, FacetCount } from '../../memory/operations/bulk-operations.ts';
import { Calendar, dayName } from '../../memory/time-zone.ts';
import { DAY_MS } from '../../memory/durations.ts';

/** Counts sorted times by the days of a time zone; the last day first. */
export function countPerDay(moments: Iterable<number>, timeZone: string): DayCount[] {
  return countPer(moments, timeZone, (day) => day + DAY_MS).map(({ day, entries }) => ({ day: dayName(day), entries }));
}

/** Counts sorted times by the years of a time zone; the last year first. */
export function countPerYear(moments: Iterable<number>, timeZone: string): FacetCount[] {
  return countPer(moments, timeZone, nextYear).map(({ day, entries }) => {
    const name = dayName(day);
    return { value: name.slice(0, name.indexOf('-', 1)), entries };
  });
}

interface Period {
  /** One of its days, as `Calendar` has them. */
  readonly day: number;
  /** First day of the next period. */
  readonly next: number;
  /** When the next period begins. */
  readonly end: number;
  entries: number;
}

/** Counts sorted times by periods, the last first. `nextOf`: the first day after the period of a day. */
function countPer(moments: Iterable<number>, timeZone: string, nextOf: (day: number) => number): Period[] {
  const calendar = new Calendar(timeZone);
  const periods: Period[] = [];
  for (const moment of moments) {
    const last = periods.at(-1);
    // Computing the day of every entry separately would take a hundred times as long.
    if (last !== undefined && moment < last.end) {
      last.entries += 1;
      continue;
    }
    // When clocks are turned back over midnight, the same day comes again.
    const day = Math.max(calendar.dayOf(moment), last?.next ?? -Infinity);
    const next = nextOf(day);
    periods.push({ day, next, end: calendar.startOf(next), entries: 1 });
  }
  return periods.toReversed();
}

/** Not by `Date.UTC`, which takes the years 0 to 99 for those of the 20th century. */
const nextYear = (day: number): number => new Date(0).setUTCFullYear(new Date(day).getUTCFullYear() + 1, 0, 1);
