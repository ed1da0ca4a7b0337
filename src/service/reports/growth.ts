import type { Growth, GrowthRange, GrowthStep } from '../../memory/operations/statistics-operations.ts';
import { Calendar, dayName } from '../../memory/time-zone.ts';
import { DAY_MS } from '../../memory/durations.ts';

const MONTH_DAYS = 30;
const YEAR_WEEKS = 53;
/** Longer spans use longer steps. */
const MOST_DAYS = 92;
const MOST_WEEKS = 156;
/** Entries with an older time are counted only in the total. */
const MOST_MONTHS = 600;
/** The first day of 1970 was a Thursday, this was a Monday. */
const A_MONDAY = 4 * DAY_MS;

interface GrowthQuery {
  /** Undefined selects a step that suits the age of the entries. */
  readonly range: GrowthRange | undefined;
  readonly timeZone: string;
  readonly now: number;
}

/** Number of entries at the end of each step; `entries` are sorted by `createdAt`. Costs a few dozen binary searches, however many. */
export function growthOf(entries: readonly { readonly createdAt: number }[], { range: wanted, timeZone, now }: GrowthQuery): Growth {
  const calendar = new Calendar(timeZone);
  const today = calendar.dayOf(now);
  const [oldest] = entries;
  const first = Math.min(oldest === undefined ? today : calendar.dayOf(oldest.createdAt), today);
  const range = wanted ?? (today - first < MONTH_DAYS * DAY_MS ? '30d' : '12m');
  const step = stepFor(range, (today - first) / DAY_MS);
  const starts = startsOf({ range, step, first, today });
  const before = starts.map((day) => countBefore(entries, calendar.startOf(day)));
  // Entries with a future time count in the last step.
  const totals = [...before.slice(1), entries.length];
  return { range, step, points: starts.map((day, at) => ({ day: dayName(day), saved: totals[at]! - before[at]!, total: totals[at]! })) };
}

function stepFor(range: GrowthRange, days: number): GrowthStep {
  if (range === '30d') return 'day';
  if (range === '12m') return 'week';
  return days <= MOST_DAYS ? 'day' : days <= MOST_WEEKS * 7 ? 'week' : 'month';
}

/** The first days of all steps, oldest first; the last step contains today. */
function startsOf({ range, step, first, today }: { range: GrowthRange; step: GrowthStep; first: number; today: number }): number[] {
  const back = (amount: number, days: number, last: number): number[] =>
    Array.from({ length: amount }, (_, at) => last - (amount - 1 - at) * days * DAY_MS);
  if (step === 'day') return back(range === '30d' ? MONTH_DAYS : Math.max((today - first) / DAY_MS + 1, 2), 1, today);
  if (step === 'week') {
    const last = mondayOf(today);
    return back(range === '12m' ? YEAR_WEEKS : (last - mondayOf(first)) / (7 * DAY_MS) + 1, 7, last);
  }
  const [from, to] = [monthOf(first), monthOf(today)];
  const months = Math.min(to - from + 1, MOST_MONTHS);
  return Array.from({ length: months }, (_, at) => Date.UTC(1970, to - months + 1 + at, 1));
}

function mondayOf(day: number): number {
  return day - ((((day - A_MONDAY) % (7 * DAY_MS)) + 7 * DAY_MS) % (7 * DAY_MS));
}

/** Months since January 1970. */
function monthOf(day: number): number {
  const date = new Date(day);
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
}

function countBefore(entries: readonly { readonly createdAt: number }[], moment: number): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (entries[middle]!.createdAt < moment) low = middle + 1;
    else high = middle;
  }
  return low;
}
