import type { Growth } from '../api/statistics.ts';

const LOCALE = 'en-GB';
const utc = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat => new Intl.DateTimeFormat(LOCALE, { ...options, timeZone: 'UTC' });
const day = utc({ day: 'numeric', month: 'short' });
const dayOfYear = utc({ day: 'numeric', month: 'short', year: 'numeric' });
const month = utc({ month: 'short' });
const monthOfYear = utc({ month: 'long', year: 'numeric' });
const clock = new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit' });
const weekday = new Intl.DateTimeFormat(LOCALE, { weekday: 'long' });
const localDay = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short' });
const localDayOfYear = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short', year: 'numeric' });
const DAY_MS = 86_400_000;
const WEEK_DAYS = 7;

/** `17:26` */
export const clockTime = (moment: number): string => clock.format(moment);

/** `24 Aug`, with the year where it is not this one; for a day given as `2026-08-24`. */
export const dayText = (isoDay: string, now = new Date()): string =>
  (isoDay.startsWith(`${now.getFullYear()}-`) ? day : dayOfYear).format(new Date(isoDay));

/** What a step of the growth is called in full. */
export function stepText(isoDay: string, step: Growth['step'], names: { readonly weekOf: (day: string) => string }): string {
  if (step === 'month') return monthOfYear.format(new Date(isoDay));
  return step === 'week' ? names.weekOf(dayText(isoDay)) : dayText(isoDay);
}

/** `Today, 17:26`, `Yesterday, 02:00`, `Sunday, 02:00`, `24 Aug, 02:00`. */
export function momentText(iso: string, words: { readonly today: string; readonly yesterday: string }, now = new Date()): string {
  const date = new Date(iso);
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime();
  const days = Math.ceil((midnight - date.getTime()) / DAY_MS);
  if (days <= 0) return `${words.today}, ${clock.format(date)}`;
  if (days === 1) return `${words.yesterday}, ${clock.format(date)}`;
  if (days < WEEK_DAYS) return `${weekday.format(date)}, ${clock.format(date)}`;
  return `${(date.getFullYear() === now.getFullYear() ? localDay : localDayOfYear).format(date)}, ${clock.format(date)}`;
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
