import { MAX_TAG_CHARS, MAX_TAGS, PRIORITY_WORDS } from '../../memory/vocabulary.ts';
import type { Findings } from './findings.ts';
import { jsonValue } from './json-text.ts';

/** A text that is not blank, or a number as text. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** The texts of a list, of a JSON list in a text, or of a text separated by commas or semicolons. */
export function textsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap((item: unknown) => textOf(item) ?? []);
  const text = textOf(value)?.trim();
  if (text === undefined) return [];
  const list = text.startsWith('[') ? jsonValue(text) : undefined;
  return Array.isArray(list) ? textsOf(list) : text.split(/[,;]/);
}

const CONTROL = /\p{Cc}/u;

/** Normalizes tags: trimmed, without a leading `#`, each once; too long and surplus ones are left out. Undefined if none remains. */
export function tagsOf(values: readonly unknown[], findings: Findings): string[] | undefined {
  const words = values.flatMap((value) => textOf(value)?.trim().replace(/^#+/, '').trim() ?? []).filter((word) => word !== '');
  const fitting = [...new Set(words)].filter((word) => {
    const fits = word.length <= MAX_TAG_CHARS && !CONTROL.test(word);
    if (!fits) findings.leaveOut(`tags that are longer than ${MAX_TAG_CHARS} characters or contain control characters`, word);
    return fits;
  });
  for (const word of fitting.slice(MAX_TAGS)) findings.leaveOut(`tags beyond ${MAX_TAGS} an entry`, word);
  return fitting.length === 0 ? undefined : fitting.slice(0, MAX_TAGS);
}

const DAY =
  /^(\d{4})[-/](\d{1,2})(?:[-/](\d{1,2}))?(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})?$/i;
const WITH_MONTH_NAME = /[a-z]{3}/i;
const WITH_ZONE = /(?:Z|UTC|GMT|[+-]\d{2}:?\d{2}(?:\s*\([^)]*\))?)$/i;
/** Smaller numbers are years or counts, not seconds since 1970. */
const FIRST_SECOND = 100_000_000;
/** Larger numbers are milliseconds since 1970. */
const LAST_SECOND = 100_000_000_000;

/**
 * Parses a time to ISO 8601 in UTC: from ISO 8601, `2024-05-01 10:00`, a date with a month name, or seconds or milliseconds since 1970; UTC
 * if it has no zone. Undefined if it is invalid or ambiguous, such as `01/02/2024`.
 */
export function instantOf(value: unknown): string | undefined {
  const text = textOf(value)?.trim();
  if (text === undefined) return undefined;
  const ms = /^\d+(?:\.\d+)?$/.test(text) && text.length > 4 ? sinceEpoch(Number(text)) : calendar(text);
  if (ms === undefined || !Number.isFinite(ms)) return undefined;
  const date = new Date(ms);
  const year = date.getUTCFullYear();
  return year >= 1 && year <= 9999 ? date.toISOString() : undefined;
}

function sinceEpoch(value: number): number | undefined {
  if (value < FIRST_SECOND) return undefined;
  return Math.round(value < LAST_SECOND ? value * 1000 : value);
}

function calendar(text: string): number | undefined {
  const parts = DAY.exec(text);
  if (parts === null) {
    if (!WITH_MONTH_NAME.test(text) || !/\d{4}/.test(text)) return undefined;
    return Date.parse(WITH_ZONE.test(text) ? text : `${text} UTC`);
  }
  const [, year = '', month = '', day = '1', hour = '0', minute = '0', second = '0', fraction = '', zone = 'Z'] = parts;
  const two = (number: string): string => number.padStart(2, '0');
  const offset = /^(?:Z|UTC|GMT)$/i.test(zone) ? 'Z' : zone.replace(/(\d{2}):?(\d{2})$/, '$1:$2');
  const milliseconds = `${fraction}000`.slice(0, 3);
  return Date.parse(`${year}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:${two(second)}.${milliseconds}${offset}`);
}

/** Like `instantOf`; reports an unreadable date as left out. */
export function dateOf(value: unknown, findings: Findings): string | undefined {
  const instant = instantOf(value);
  const text = textOf(value);
  if (instant === undefined && text !== undefined) findings.leaveOut('dates that cannot be read', text);
  return instant;
}

/** A number 0..1 or undefined; reports any other value as left out. */
export function importanceOf(value: unknown, findings: Findings): number | undefined {
  const text = textOf(value)?.trim();
  if (text === undefined) return undefined;
  const number = Number(text);
  if (number >= 0 && number <= 1) return number;
  findings.leaveOut('importances that are not from 0 to 1', text);
  return undefined;
}

const PRIORITIES: ReadonlySet<string> = new Set(PRIORITY_WORDS);

/** A priority word or undefined; reports any other word as left out. */
export function priorityOf(value: unknown, findings: Findings): string | undefined {
  const text = textOf(value)?.trim().toLowerCase();
  if (text === undefined || PRIORITIES.has(text)) return text;
  findings.leaveOut('priorities other than low, normal and high', text);
  return undefined;
}

/** The known facts about the origin of an entry; undefined if there are none. */
export function referenceOf(facts: Readonly<Record<string, unknown>>): Record<string, unknown> | undefined {
  const known = Object.entries(facts).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return known.length === 0 ? undefined : Object.fromEntries(known);
}
