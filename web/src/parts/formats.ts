const LOCALE = 'en-GB';
const day = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short' });
const dayOfYear = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short', year: 'numeric' });
const moment = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' });
const utcDay = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const whole = new Intl.NumberFormat('en-US');
const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;

/** `12 Mar`, with the year where it is not this one. */
export function shortDay(iso: string, now = new Date()): string {
  const date = new Date(iso);
  return (date.getFullYear() === now.getFullYear() ? day : dayOfYear).format(date);
}

/** `12 Mar 2026, 16:42` in the reader's time zone. */
export const fullMoment = (iso: string | number): string => moment.format(new Date(iso));

/** `12 Mar` for a day given as `2026-03-12`, whatever the reader's time zone. */
export const calendarDay = (isoDay: string): string => utcDay.format(new Date(`${isoDay}T00:00:00Z`));

/** `3,034` */
export const count = (number: number): string => whole.format(number);

/** `1 memory`, `3,034 memories`. */
export const counted = (number: number, one: string, many: string): string => `${count(number)} ${number === 1 ? one : many}`;

/** Number and unit apart, so that the unit can be set smaller; three digits at most. */
export function bytes(number: number): { readonly value: string; readonly unit: string } {
  const step = number < 1 ? 0 : Math.min(Math.floor(Math.log10(number) / 3), UNITS.length - 1);
  const scaled = number / 1000 ** step;
  return { value: step === 0 || scaled >= 100 ? count(Math.round(scaled)) : scaled.toFixed(1), unit: UNITS[step] ?? '' };
}

/** A score or a similarity: two digits behind the point. */
export const ratio = (number: number): string => number.toFixed(2);
