import { readFileSync } from 'node:fs';
import { parse, printParseErrorCode, type ParseError } from 'jsonc-parser';
import { LoreError } from '../memory/errors.ts';
import { keySuggestion, shownValue, type Fault } from './faults.ts';
import { isSection, keyAt, type ConfigKey } from './keys.ts';
import { compareVersions, isVersion, migrate, type Migration } from './migrations.ts';
import { findProjectFile, type ProjectFile } from './project-file.ts';
import { isTrusted } from './project-trust.ts';
import { CONFIG_VERSION } from './schema.ts';

export const USER_FILE = 'config.json';

/** A parsed config file. */
export interface ConfigFile {
  readonly path: string;
  readonly entries: readonly { readonly key: ConfigKey; readonly value: unknown }[];
  readonly faults: readonly Fault[];
  /** False for a project file whose current content the user has not trusted. */
  readonly isTrusted: boolean;
}

/** The text of a file; undefined if it does not exist. Errors: `filesystem`. */
function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new LoreError('filesystem', `The config file ${path} cannot be read (${code}).`, {
      cause,
      hint: 'Make it readable, or name another one with --config.',
    });
  }
}

/** Reads a file named by the user. Errors: `filesystem` if it is missing or unreadable. */
export function readNamedFile(path: string, migrations: readonly Migration[]): ConfigFile {
  const text = textOf(path);
  if (text !== undefined) return interpret(path, text, migrations);
  throw new LoreError('filesystem', `The config file ${path} does not exist.`, { hint: 'Check the path of --config or SERVICE_CONFIG.' });
}

/** Reads a file if it exists. Errors: `filesystem` if it is unreadable. */
export function readFileIfThere(path: string, migrations: readonly Migration[]): ConfigFile | undefined {
  const text = textOf(path);
  return text === undefined ? undefined : interpret(path, text, migrations);
}

/** Reads the nearest `lore.config.json` in a folder or above it. Never throws: problems become faults. */
export function readProjectFile(cwd: string, dataFolder: string, migrations: readonly Migration[]): ConfigFile | undefined {
  const found = findProjectFile(cwd);
  return found && interpretProjectFile(found, isTrusted(found, dataFolder), migrations);
}

/** Interprets a project file, trusted or not. */
export function interpretProjectFile({ path, text, problem }: ProjectFile, trusted: boolean, migrations: readonly Migration[]): ConfigFile {
  const file =
    text === undefined
      ? { path, entries: [], faults: [{ key: path, problem: problem ?? 'cannot be read' }] }
      : interpret(path, text, migrations);
  return { ...file, isTrusted: trusted };
}

function interpret(path: string, text: string, migrations: readonly Migration[]): ConfigFile {
  const refused = (faults: readonly Fault[]): ConfigFile => ({ path, entries: [], faults, isTrusted: true });
  const errors: ParseError[] = [];
  let content: unknown;
  try {
    content = parse(text.replace(/^\uFEFF/, ''), errors, { allowTrailingComma: true });
  } catch {
    // The parser is recursive and overflows at some ten thousand brackets.
    return refused([{ key: path, problem: 'is nested too deeply' }]);
  }
  const error = errors[0];
  if (error) return refused([{ key: path, problem: parseProblem(text, error) }]);
  if (!isObject(content)) return refused([{ key: path, problem: 'must contain one JSON object' }]);
  const { $schema: _editorHint, version = CONFIG_VERSION, ...rest } = content;
  const versionFault = checkVersion(version, path);
  if (versionFault) return refused([versionFault]);
  const settings = flatten(migrate(rest, version as string, migrations), path);
  return { path, ...settings, isTrusted: true };
}

function checkVersion(version: unknown, from: string): Fault | undefined {
  const fault = { key: 'version', value: shownValue(version, false), from };
  if (!isVersion(version)) return { ...fault, problem: 'must be a version such as 0.1.0' };
  if (compareVersions(version, CONFIG_VERSION) <= 0) return undefined;
  return { ...fault, problem: `is newer than this version of Lore supports (${CONFIG_VERSION}); update Lore to use this file` };
}

/** Describes a parse error; line and column start at 1. */
function parseProblem(text: string, error: ParseError): string {
  const before = text
    .replace(/^\uFEFF/, '')
    .slice(0, error.offset)
    .split('\n');
  const what = printParseErrorCode(error.error)
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
  return `is not valid JSON: ${what} at line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function flatten(content: Readonly<Record<string, unknown>>, from: string): Pick<ConfigFile, 'entries' | 'faults'> {
  const entries: { key: ConfigKey; value: unknown }[] = [];
  const faults: Fault[] = [];
  const visit = (section: Readonly<Record<string, unknown>>, prefix: string): void => {
    for (const [name, value] of Object.entries(section)) {
      const path = prefix + name;
      const key = keyAt(path);
      if (key) entries.push({ key, value });
      else if (!isSection(path)) faults.push({ key: path, ...plainValue(value), from, problem: `unknown key.${keySuggestion(path)}` });
      else if (isObject(value)) visit(value, `${path}.`);
      else faults.push({ key: path, ...plainValue(value), from, problem: 'must be an object of keys' });
    }
  };
  visit(content, '');
  return { entries, faults };
}

/** The value of an unknown key, only if it is a number or boolean: text may be a secret. */
function plainValue(value: unknown): { readonly value?: string } {
  return typeof value === 'number' || typeof value === 'boolean' ? { value: shownValue(value, false) } : {};
}
