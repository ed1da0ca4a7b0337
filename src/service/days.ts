import type { DayCount } from '../memory/bulk-operations.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** No day is longer, whatever its zone does to its clocks. */
const LONGEST_DAY_MS = 2 * DAY_MS;

/** Counts moments, given in their order, by the days of a time zone; the last day first. */
export function countPerDay(moments: Iterable<number>, timeZone: string): DayCount[] {
  const dayOf = dayIn(timeZone);
  const days: { day: string; entries: number }[] = [];
  let end = -Infinity;
  for (const moment of moments) {
    const last = days.at(-1);
    if (moment < end && last !== undefined) {
      last.entries += 1;
      continue;
    }
    const day = dayOf(moment);
    end = endOf(day, { since: moment, after: end, dayOf });
    // A zone that jumps over the date line may come to the same day again.
    if (last?.day === day) last.entries += 1;
    else days.push({ day, entries: 1 });
  }
  return days.toReversed();
}

/** The day that a moment is on, as `2026-01-31`. */
function dayIn(timeZone: string): (moment: number) => string {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  return (moment) => format.format(moment);
}

interface Question {
  /** A moment of the day. */
  readonly since: number;
  /** Where a day before it ended. */
  readonly after: number;
  readonly dayOf: (moment: number) => string;
}

/** The first moment after a day, by few questions: asking for the day of every entry would take a hundred times as long. */
function endOf(day: string, { since, after, dayOf }: Question): number {
  // Nearly every day has 24 hours, counted from where another one ended.
  const likely = after + Math.ceil((since + 1 - after) / DAY_MS) * DAY_MS;
  if (Number.isFinite(likely) && dayOf(likely) !== day && dayOf(likely - MINUTE_MS) === day) return likely;
  let [inside, outside] = [Math.floor(since / MINUTE_MS), Math.floor((since + LONGEST_DAY_MS) / MINUTE_MS)];
  while (outside - inside > 1) {
    const middle = Math.floor((inside + outside) / 2);
    if (dayOf(middle * MINUTE_MS) === day) inside = middle;
    else outside = middle;
  }
  return outside * MINUTE_MS;
}
