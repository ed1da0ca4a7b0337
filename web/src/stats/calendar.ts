import type { Growth } from '../api/statistics.ts';
import { clockTime, shortDay } from '../parts/formats.ts';

const LOCALE = 'en-GB';
const utc = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat => new Intl.DateTimeFormat(LOCALE, { ...options, timeZone: 'UTC' });
const day = utc({ day: 'numeric', month: 'short' });
const dayOfYear = utc({ day: 'numeric', month: 'short', year: 'numeric' });
const month = utc({ month: 'short' });
const monthOfYear = utc({ month: 'long', year: 'numeric' });
const weekday = new Intl.DateTimeFormat(LOCALE, { weekday: 'long' });
const DAY_MS = 86_400_000;
const WEEK_DAYS = 7;

/** `24 Aug`, with the year where it is not this one; for a day given as `2026-08-24`. */
export const dayText = (isoDay: string, now = new Date()): string =>
  (isoDay.startsWith(`${now.getFullYear()}-`) ? day : dayOfYear).format(new Date(isoDay));

/** What a step of the growth is called in full. */
export function stepText(isoDay: string, step: Growth['step'], names: { readonly weekOf: (day: string) => string }): string {
  if (step === 'month') return monthOfYear.format(new Date(isoDay));
  return step === 'week' ? names.weekOf(dayText(isoDay)) : dayText(isoDay);
}

/** The day of a moment in the reader's time zone, where a day may have 23 or 25 hours. */
const dayNumber = (date: Date): number => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / DAY_MS;

/** `Today, 17:26`, `Yesterday, 02:00`, `Sunday, 02:00`, `24 Aug, 02:00`. */
export function momentText(iso: string, words: { readonly today: string; readonly yesterday: string }, now = new Date()): string {
  const date = new Date(iso);
  const days = dayNumber(now) - dayNumber(date);
  const time = clockTime(date);
  if (days <= 0) return `${words.today}, ${time}`;
  if (days === 1) return `${words.yesterday}, ${time}`;
  return `${days < WEEK_DAYS ? weekday.format(date) : shortDay(iso, now)}, ${time}`;
}

interface Tick {
  readonly index: number;
  readonly text: string;
}

/** Labels under the growth: every so many days, or where a month or a year begins; at most so many. */
export function ticksOf({ step, points }: Growth, most: number): readonly Tick[] {
  const at = points.map((point, index) => ({ index, date: new Date(point.day) }));
  const before = (index: number): Date | undefined => at[index - 1]?.date;
  const years = at.filter(({ index, date }) => before(index) !== undefined && before(index)!.getUTCFullYear() !== date.getUTCFullYear());
  const months = at.filter(({ index, date }) => before(index) !== undefined && before(index)!.getUTCMonth() !== date.getUTCMonth());
  const monthTick = ({ index, date }: (typeof at)[number]): Tick => ({
    index,
    text: date.getUTCMonth() === 0 ? String(date.getUTCFullYear()) : month.format(date),
  });
  const yearTick = ({ index, date }: (typeof at)[number]): Tick => ({ index, text: String(date.getUTCFullYear()) });
  if (step === 'day' || months.length < 2)
    return thinned(
      at.map(({ index, date }) => ({ index, text: day.format(date) })),
      most,
    );
  return years.length >= 3 ? thinned(years.map(yearTick), most) : thinned(months.map(monthTick), most);
}

/** Evenly: the last one stays. */
function thinned(ticks: readonly Tick[], most: number): readonly Tick[] {
  const every = Math.max(1, Math.ceil(ticks.length / Math.max(most, 1)));
  return ticks.filter((_, index) => (ticks.length - 1 - index) % every === 0);
}
