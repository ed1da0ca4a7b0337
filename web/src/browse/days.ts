import { dateFormat } from '../parts/formats.ts';
import { browseTexts } from './texts.ts';

const format = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat => dateFormat({ ...options, timeZone: 'UTC' });
const weekday = format({ weekday: 'long' });
const shortWeekday = format({ weekday: 'short' });
const dayAndMonth = format({ day: 'numeric', month: 'long' });
const fullDay = format({ weekday: 'long', day: 'numeric', month: 'long' });
const fullDayOfYear = format({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
const dayOfYear = format({ day: 'numeric', month: 'long', year: 'numeric' });
const monthOfYear = format({ month: 'long', year: 'numeric' });
const shortMonth = format({ month: 'short' });
const localDay = new Intl.DateTimeFormat('en-CA', { year: 'numeric', month: '2-digit', day: '2-digit' });

const DAY_MS = 86_400_000;
const WEEK_DAYS = 7;

/** A day such as `2026-01-31` as a day number, independent of the time zone. */
export const dayNumber = (day: string): number => Math.floor(Date.parse(`${day}T00:00:00Z`) / DAY_MS);
const dateOf = (day: string): Date => new Date(`${day}T00:00:00Z`);

/** `November 2026` */
export const monthName = (month: string): string => monthOfYear.format(dateOf(`${month}-01`));
/** `Nov` */
export const shortMonthName = (month: string): string => shortMonth.format(dateOf(`${month}-01`));
/** `20` and `Fri` */
export const dayParts = (day: string): { readonly day: string; readonly weekday: string } => ({
  day: String(dateOf(day).getUTCDate()),
  weekday: shortWeekday.format(dateOf(day)),
});

/** The name of a day and its details: `Today` and `Friday 20 November`. */
export function dayName(day: string, now = new Date()): { readonly name: string; readonly rest: string } {
  const ago = dayNumber(localDay.format(now)) - dayNumber(day);
  const date = dateOf(day);
  if (ago === 0) return { name: browseTexts.today, rest: fullDay.format(date) };
  if (ago === 1) return { name: browseTexts.yesterday, rest: fullDay.format(date) };
  const isThisYear = date.getUTCFullYear() === now.getFullYear();
  if (ago > 1 && ago < WEEK_DAYS)
    return { name: weekday.format(date), rest: isThisYear ? dayAndMonth.format(date) : dayOfYear.format(date) };
  return { name: (isThisYear ? dayAndMonth : dayOfYear).format(date), rest: weekday.format(date) };
}

/** `Friday 20 November 2026` */
export const wholeDay = (day: string): string => fullDayOfYear.format(dateOf(day));
