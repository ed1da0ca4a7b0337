import type { DayCount, FacetCount } from '../../memory/operations/bulk-operations.ts';
import { Calendar, dayName } from '../../memory/time-zone.ts';
import { DAY_MS } from '../../memory/durations.ts';

/** Counts sorted times by the days of a time zone; the last day first. */
export function countPerDay(moments: Iterable<number>, timeZone: string): DayCount[] {
  const calendar = new Calendar(timeZone);
  const days: { day: number; end: number; entries: number }[] = [];
  for (const moment of moments) {
    const last = days.at(-1);
    // Computing the day of every entry separately would take a hundred times as long.
    if (last !== undefined && moment < last.end) {
      last.entries += 1;
      continue;
    }
    // When clocks are turned back over midnight, the same day comes again.
    const day = Math.max(calendar.dayOf(moment), last === undefined ? -Infinity : last.day + DAY_MS);
    days.push({ day, end: calendar.startOf(day + DAY_MS), entries: 1 });
  }
  return days.toReversed().map(({ day, entries }) => ({ day: dayName(day), entries }));
}

/** Counts moments, given in their order, by the years of a time zone; the last year first. */
export function countPerYear(moments: Iterable<number>, timeZone: string): FacetCount[] {
  const calendar = new Calendar(timeZone);
  const years: { value: string; end: number; entries: number }[] = [];
  for (const moment of moments) {
    const last = years.at(-1);
    if (last !== undefined && moment < last.end) {
      last.entries += 1;
      continue;
    }
    const day = calendar.dayOf(moment);
    const name = dayName(day);
    // Not `Date.UTC`, which takes the years 0 to 99 for those of the 20th century.
    const next = new Date(0).setUTCFullYear(new Date(day).getUTCFullYear() + 1, 0, 1);
    years.push({ value: name.slice(0, name.indexOf('-', 1)), end: calendar.startOf(next), entries: 1 });
  }
  return years.toReversed().map(({ value, entries }) => ({ value, entries }));
}
