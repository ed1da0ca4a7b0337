import type { Growth } from '../api/statistics.ts';
import { clockTime, dateFormat, shortDay } from '../parts/formats.ts';

const utc = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat => dateFormat({ ...options, timeZone: 'UTC' });
const day = utc({ day: 'numeric', month: 'short' });
const dayOfYear = utc({ day: 'numeric', month: 'short', year: 'numeric' });
const month = utc({ month: 'short' });
const monthOfYear = utc({ month: 'long', year: 'numeric' });
const weekday = dateFormat({ weekday: 'long' });
const DAY_MS = 86_400_000;
const WEEK_DAYS = 7;

/** `24 Aug`, with the year if it is not the current one; for a day such as `2026-08-24`. */
export const dayText = (isoDay: string, now = new Date()): string =>
  (isoDay.startsWith(`${now.getFullYear()}-`) ? day : dayOfYear).format(new Date(isoDay));

/** Full name of a growth step. */
export function stepText(isoDay: string, step: Growth['step'], names: { readonly weekOf: (day: string) => string }): string {
  if (step === 'month') return monthOfYear.format(new Date(isoDay));
  return step === 'week' ? names.weekOf(dayText(isoDay)) : dayText(isoDay);
}

/** The local day of a moment. A day may have 23 or 25 hours. */
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

/** Axis labels of the growth chart: every n days, or at the start of months or years; limited in number. */
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

/** Thins out labels evenly and keeps the last one. */
function thinned(ticks: readonly Tick[], most: number): readonly Tick[] {
  const every = Math.max(1, Math.ceil(ticks.length / Math.max(most, 1)));
  return ticks.filter((_, index) => (ticks.length - 1 - index) % every === 0);
}
