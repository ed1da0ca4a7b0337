import type { DayCount } from '../../memory/operations/bulk-operations.ts';
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
