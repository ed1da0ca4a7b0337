import { LoreError } from '../memory/errors.ts';
import { nearestName } from '../memory/nearest-name.ts';
import { withoutCredentials } from '../memory/store-address.ts';
import { CONFIG_KEYS, type ConfigKey } from './keys.ts';

/** One thing that is wrong with the configuration. */
export interface Fault {
  /** Dotted, or the name of a file. */
  readonly key: string;
  /** As it may be shown: see `shownValue`. */
  readonly value?: string;
  /** The variable, flag or file it comes from. */
  readonly from?: string;
  readonly problem: string;
  /** Every key that takes part, where a rule over several keys is broken. */
  readonly partners?: readonly string[];
}

const MASK = '********';
const MAX_SHOWN_CHARS = 120;
/** Of a key, or of the path of a file. */
const MAX_NAME_CHARS = 1000;

/** The value without secrets: lists and records keep their shape, so that it shows how many there are. */
export function masked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(() => MASK);
  if (typeof value === 'object' && value !== null) return Object.fromEntries(Object.keys(value).map((name) => [name, MASK]));
  return value === undefined ? undefined : MASK;
}

/** The value as JSON, cut where it is long; an address without the credentials in it. */
export function shownValue(value: unknown, secret: boolean): string {
  const shown = secret ? masked(value) : typeof value === 'string' ? withoutCredentials(value) : value;
  const text = JSON.stringify(shown) ?? 'nothing';
  return text.length > MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS)}…` : text;
}

/** All faults in one error of several lines, one line a fault. */
export function configError(faults: readonly Fault[]): LoreError {
  const lines = faults.map((fault) => `  ${faultText(fault)}`);
  const count = faults.length === 1 ? 'an error' : `${faults.length} errors`;
  return new LoreError('config', [`The configuration has ${count}:`, ...lines].join('\n'), {
    hint: 'docs/configuration.md lists every key with its type and default.',
  });
}

/** A fault in one line, also where a key of a file holds line breaks or a whole book. */
export function faultText({ key, value, from, problem }: Fault): string {
  const name = key.slice(0, MAX_NAME_CHARS).replaceAll(/\s+/g, ' ');
  const subject = value === undefined ? name : `${name} = ${value}`;
  return `${subject}${from === undefined ? '' : ` (${from})`}: ${problem}`;
}

/** What a refused value should have been. */
export function refusal(key: ConfigKey): string {
  return `must be ${key.allowed}${key.meta.advice === undefined ? '' : `. ${key.meta.advice}`}`;
}

/** ` Did you mean …?`, or nothing where no name is near. `names` are dotted paths or variable names. */
export function suggestion(unknown: string, names: readonly string[]): string {
  const near = nearestName(unknown, names);
  return near === undefined ? '' : ` Did you mean ${near}?`;
}

/** ` Did you mean …?` for an unknown key or section of a file. */
export function keySuggestion(path: string): string {
  const paths = CONFIG_KEYS.flatMap(({ segments }) => segments.map((_, at) => segments.slice(0, at + 1).join('.')));
  return suggestion(path, [...new Set(paths)]);
}
