/** Calendar days in a time zone. */
import { z } from 'zod';
import { DAY_MS } from './durations.ts';

const MAX_NAME = 64;
const SECOND_MS = 1000;

/** A name such as `Europe/Berlin`. */
export const TimeZone = z
  .string()
  .max(MAX_NAME, `must be at most ${MAX_NAME} characters`)
  .refine(isTimeZone, 'must be the name of a time zone, such as Europe/Berlin')
  .meta({ description: 'IANA name of the time zone for days. Default UTC.', examples: ['Europe/Berlin'] });

/** Default time zone of requests. */
export const DEFAULT_TIME_ZONE = 'UTC';

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Converts between instants and calendar days of one time zone. */
export class Calendar {
  readonly #format: Intl.DateTimeFormat;

  constructor(timeZone: string) {
    this.#format = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  }

  /** The calendar day of an instant (epoch milliseconds), given as midnight UTC of that date, so that days can be added. */
  dayOf(moment: number): number {
    const wall = this.#wallClock(moment);
    return wall - (((wall % DAY_MS) + DAY_MS) % DAY_MS);
  }

  /** The instant at which a day (as from `dayOf`) begins, epoch milliseconds. A skipped day begins when the next one does. */
  startOf(day: number): number {
    const [early, late] = [day - DAY_MS, day + DAY_MS];
    const start = day - this.#offset(early);
    if (start === day - this.#offset(late)) return start;
    // The UTC offset changes near midnight: search the first second of the day.
    let [before, from] = [early, late];
    while (from - before > SECOND_MS) {
      const middle = before + Math.floor((from - before) / 2 / SECOND_MS) * SECOND_MS;
      if (this.dayOf(middle) < day) before = middle;
      else from = middle;
    }
    return from;
  }

  /** UTC offset at an instant, milliseconds. */
  #offset(moment: number): number {
    return this.#wallClock(moment) - moment;
  }

  /** Local wall clock time, encoded as if it were UTC. */
  #wallClock(moment: number): number {
    const parts: Record<string, number> = {};
    for (const { type, value } of this.#format.formatToParts(moment)) parts[type] = Number(value);
    const { year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    // `Date.UTC` maps the years 0 to 99 to 1900 to 1999.
    return new Date(Date.UTC(2000, month - 1, day, hour, minute, second)).setUTCFullYear(year, month - 1, day);
  }
}

/** ISO date of a day, such as `2026-01-31`. */
export const dayName = (day: number): string => new Date(day).toISOString().slice(0, 10);
