import type { Filter } from '../address.ts';
import { shortDay } from '../parts/formats.ts';
import { filterTexts } from './texts.ts';

export type Period = Pick<Filter, 'from' | 'to'>;

/** Number of days of a preset, including today. */
export const PRESETS = [1, 7, 30, 365] as const;
type Preset = (typeof PRESETS)[number];

const two = (number: number): string => String(number).padStart(2, '0');
const isoDay = (date: Date): string => `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;

/** The last n days in local time. */
export function lastDays(days: number, now = new Date()): Period {
  return { from: isoDay(new Date(now.getFullYear(), now.getMonth(), now.getDate() - (days - 1))), to: '' };
}

/** The preset that a period equals today. */
export const presetOf = ({ from, to }: Period, now = new Date()): Preset | undefined =>
  to === '' ? PRESETS.find((days) => lastDays(days, now).from === from) : undefined;

export const wholeYear = (year: string): Period => ({ from: `${year}-01-01`, to: `${year}-12-31` });
/** The year that a period equals. */
export function yearOf({ from, to }: Period): string | undefined {
  const year = from.slice(0, from.indexOf('-'));
  return from === `${year}-01-01` && to === `${year}-12-31` ? year : undefined;
}

const dayText = (day: string): string => shortDay(`${day}T00:00:00`);

/** `in the last 7 days`, `2025`, `since 12 Mar`, `12 Mar to 4 Apr`. */
export function periodText(period: Period): string {
  const preset = presetOf(period);
  if (preset !== undefined) return filterTexts.inPreset[preset];
  const year = yearOf(period);
  if (year !== undefined) return year;
  const [from, to] = [period.from, period.to].map((day) => (day === '' ? '' : dayText(day))) as [string, string];
  if (period.from === period.to) return from;
  return from === '' ? filterTexts.until(to) : to === '' ? filterTexts.since(from) : filterTexts.between(from, to);
}
