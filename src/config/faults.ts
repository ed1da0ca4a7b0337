import { LoreError } from '../memory/errors.ts';
import { nearestName } from '../memory/nearest-name.ts';
import { withoutCredentials } from '../memory/store-address.ts';
import { CONFIG_KEYS, type ConfigKey } from './keys.ts';

/** A configuration error. */
export interface Fault {
  /** Dotted key or file name. */
  readonly key: string;
  /** The value in displayable form: see `shownValue`. */
  readonly value?: string;
  /** The variable, flag or file that set it. */
  readonly from?: string;
  readonly problem: string;
  /** All keys of a broken rule over several keys. */
  readonly partners?: readonly string[];
}

const MASK = '********';
const MAX_SHOWN_CHARS = 120;
/** Maximum length of a shown key or file path. */
const MAX_NAME_CHARS = 1000;

/** The value with secrets masked; lists and records keep their size. */
export function masked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(() => MASK);
  if (typeof value === 'object' && value !== null) return Object.fromEntries(Object.keys(value).map((name) => [name, MASK]));
  return value === undefined ? undefined : MASK;
}

/** The value as JSON, shortened; an address without credentials. */
export function shownValue(value: unknown, secret: boolean): string {
  const shown = secret ? masked(value) : typeof value === 'string' ? withoutCredentials(value) : value;
  const text = JSON.stringify(shown) ?? 'nothing';
  return text.length > MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS)}…` : text;
}

/** One error with a line per fault. */
export function configError(faults: readonly Fault[]): LoreError {
  const lines = faults.map((fault) => `  ${faultText(fault)}`);
  const count = faults.length === 1 ? 'an error' : `${faults.length} errors`;
  return new LoreError('config', [`The configuration has ${count}:`, ...lines].join('\n'), {
    hint: 'docs/configuration.md lists every key with its type and default.',
  });
}

/** A fault in one line, even if a key contains line breaks or is very long. */
export function faultText({ key, value, from, problem }: Fault): string {
  const name = key.slice(0, MAX_NAME_CHARS).replaceAll(/\s+/g, ' ');
  const subject = value === undefined ? name : `${name} = ${value}`;
  return `${subject}${from === undefined ? '' : ` (${from})`}: ${problem}`;
}

/** What an invalid value should be. */
export function refusal(key: ConfigKey): string {
  return `must be ${key.allowed}${key.meta.advice === undefined ? '' : `. ${key.meta.advice}`}`;
}

/** ` Did you mean …?`, or empty if no name is similar. `names`: dotted paths or variable names. */
export function suggestion(unknown: string, names: readonly string[]): string {
  const near = nearestName(unknown, names);
  return near === undefined ? '' : ` Did you mean ${near}?`;
}

/** ` Did you mean …?` for an unknown key or section of a file. */
export function keySuggestion(path: string): string {
  const paths = CONFIG_KEYS.flatMap(({ segments }) => segments.map((_, at) => segments.slice(0, at + 1).join('.')));
  return suggestion(path, [...new Set(paths)]);
}
