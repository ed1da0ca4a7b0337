/** Dates in the language of the browser, as its own date fields have them; hours from 0 to 23. */
export const dateFormat = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(undefined, { hourCycle: 'h23', ...options });
const day = dateFormat({ day: 'numeric', month: 'short' });
const dayOfYear = dateFormat({ day: 'numeric', month: 'short', year: 'numeric' });
const moment = dateFormat({ day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' });
const clock = dateFormat({ hour: '2-digit', minute: '2-digit' });
const whole = new Intl.NumberFormat('en-US');
const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;

/** `12 Mar`, with the year if it is not the current one. */
export function shortDay(iso: string, now = new Date()): string {
  const date = new Date(iso);
  return (date.getFullYear() === now.getFullYear() ? day : dayOfYear).format(date);
}

/** `12 Mar 2026, 16:42` in the reader's time zone. */
export const fullMoment = (iso: string | number): string => moment.format(new Date(iso));

/** `17:52` in the reader's time zone. */
export const clockTime = (moment: string | number | Date): string => clock.format(new Date(moment));

/** `3,034` */
export const count = (number: number): string => whole.format(number);

/** `1 memory`, `3,034 memories`. */
export const counted = (number: number, one: string, many: string): string => `${count(number)} ${number === 1 ? one : many}`;

/** Number and unit separately, so that the unit can be smaller; at most three digits. */
export function bytes(number: number): { readonly value: string; readonly unit: string } {
  const step = number < 1 ? 0 : Math.min(Math.floor(Math.log10(number) / 3), UNITS.length - 1);
  const scaled = number / 1000 ** step;
  return { value: step === 0 || scaled >= 100 ? count(Math.round(scaled)) : scaled.toFixed(1), unit: UNITS[step] ?? '' };
}

/** `41.2 MB` */
export function size(number: number): string {
  const { value, unit } = bytes(number);
  return `${value} ${unit}`;
}

const STEPS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const satisfies readonly (readonly [Intl.RelativeTimeFormatUnit, number])[];
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always' });

/** `26 minutes ago`; undefined for less than a minute, and for the future. */
export function ago(iso: string, now = Date.now()): string | undefined {
  const ms = now - Date.parse(iso);
  const step = STEPS.find(([, length]) => ms >= length);
  return step && relative.format(-Math.floor(ms / step[1]), step[0]);
}

/** `3 days`, `26 minutes`; at least a minute. */
export function span(ms: number): string {
  const [unit, length] = STEPS.find(([, one]) => ms >= one) ?? ['minute', 60_000];
  const number = Math.max(1, Math.floor(ms / length));
  return counted(number, unit, `${unit}s`);
}

const LENGTHS = [
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** `24 hours`, `30 seconds`, `250 ms`: the largest unit with a whole number. */
export function duration(ms: number): string {
  const [unit, length] = LENGTHS.find(([, one]) => ms % one === 0) ?? [];
  return length === undefined ? `${count(ms)} ms` : counted(ms / length, unit, `${unit}s`);
}

/** A score or similarity with two decimals. */
export const ratio = (number: number): string => number.toFixed(2);

/** The model in a fingerprint of the form provider/model/dimensions/version. The model name can contain slashes. */
export function modelName(fingerprint: string): string {
  const parts = fingerprint.split('/');
  return parts.length < 4 ? fingerprint : parts.slice(1, -2).join('/');
}
