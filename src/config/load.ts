import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { assemble } from './assemble.ts';
import { isRemote, isUri, withoutCredentials } from '../memory/store-address.ts';
import { userDirectories, type Directories } from './directories.ts';
import { configError, masked, refusal, shownValue, suggestion, type Fault } from './faults.ts';
import { readFileIfThere, readNamedFile, readProjectFile, USER_FILE, type ConfigFile } from './files.ts';
import { CONFIG_KEYS, ENVIRONMENT_PREFIX, keyAt, keyOfVariable, valueFromText, type ConfigKey } from './keys.ts';
import { MIGRATIONS, type Migration } from './migrations.ts';
import type { Config } from './schema.ts';
import { splitUntrusted, untrustedWarnings, type UntrustedFile } from './untrusted.ts';
import { variable, type ConfigValue, type GivenValue, type ValueSource } from './values.ts';

export type { UntrustedFile } from './untrusted.ts';
export type { ConfigValue } from './values.ts';

export interface LoadedConfig {
  readonly config: Config;
  /** One value per key, in the order of the schema. */
  readonly values: readonly ConfigValue[];
  /** Paths of the files read. */
  readonly files: readonly string[];
  /** Warnings, one sentence each; they do not stop the program. */
  readonly warnings: readonly string[];
  /** The ignored part of the project file; absent if nothing is ignored. */
  readonly untrusted?: UntrustedFile;
  /** Path of the user file, whether it exists or not. */
  readonly userFile: string;
}

export interface LoadOptions {
  readonly cwd?: string | undefined;
  readonly env?: NodeJS.ProcessEnv | undefined;
  /** By key path; undefined counts as not set. Text is parsed like the text of a variable. */
  readonly flags?: Readonly<Record<string, unknown>> | undefined;
  /** Read instead of the project file and of SERVICE_CONFIG. */
  readonly configFile?: string | undefined;
  /** Whether faults in an untrusted project file and unknown variables are errors too. Default false. */
  readonly strict?: boolean | undefined;
  /** Default: the conventions of the operating system. */
  readonly directories?: Directories | undefined;
  readonly migrations?: readonly Migration[] | undefined;
}

/** Variables without a key of their own. */
const EXTRA_VARIABLES = new Set(['SERVICE_PORT', 'SERVICE_API_KEY', 'SERVICE_CONFIG']);

/**
 * The active configuration: flag over environment over project file over user file over default. An untrusted project file can only set
 * keys that do not reach beyond the project (project-trust.ts). Errors: `config` with all faults of all sources; `filesystem` if a file is
 * unreadable. Changes nothing.
 */
export function loadConfig(options: LoadOptions = {}): LoadedConfig {
  const cwd = resolve(options.cwd ?? process.cwd());
  const env = options.env ?? process.env;
  const directories = options.directories ?? userDirectories();
  const migrations = options.migrations ?? MIGRATIONS;

  const named = options.configFile ?? variable(env, 'SERVICE_CONFIG');
  const found = named === undefined ? readProjectFile(cwd, directories.data, migrations) : readNamedFile(absolute(named, cwd), migrations);
  const limited = found?.isTrusted === false ? splitUntrusted(found) : undefined;
  const project = limited?.allowed ?? found;
  const userFile = join(directories.config, USER_FILE);
  const user = project?.path === userFile ? undefined : readFileIfThere(userFile, migrations);

  const faults: Fault[] = [...(project?.faults ?? []), ...(user?.faults ?? [])];
  const given = [
    ...fromFlags(options.flags ?? {}, cwd, faults),
    ...fromEnvironment(env, cwd),
    ...fromFile(project, 'project file'),
    ...fromFile(user, 'user file'),
  ];
  const together = fitTogether({ given: checked(given, faults), env, directories, faults });
  const untrusted = limited && { ...limited.rest, faults: [...limited.rest.faults, ...together.leftOut] };
  const unknown = unknownVariables(env);
  if (options.strict === true) {
    const ofVariables = unknown.map(({ name, nearest }): Fault => ({
      key: name,
      from: 'environment',
      problem: `not a setting of Lore.${nearest}`,
    }));
    together.faults.push(...(untrusted?.faults ?? []), ...ofVariables);
  }
  const { assembled } = together;
  if (!assembled || together.faults.length > 0) throw configError(together.faults);
  return {
    config: assembled.config,
    values: assembled.values,
    files: [project?.path, user?.path].filter((path) => path !== undefined),
    warnings: [...unknown.map(ignoredWarning), ...(untrusted ? untrustedWarnings(untrusted, userFile) : []), ...assembled.warnings],
    ...(untrusted && untrusted.keys.length + untrusted.faults.length > 0 && { untrusted }),
    userFile,
  };
}

type Parts = Parameters<typeof assemble>[0];

/** Assembles the parts without values of an untrusted file that break a rule over several keys: it must not stop a command. */
function fitTogether(parts: Parts): { assembled: ReturnType<typeof assemble>; faults: Fault[]; leftOut: readonly Fault[] } {
  const faults = [...parts.faults];
  const assembled = assemble({ ...parts, faults });
  const isBreaking = ({ key, isTrusted }: GivenValue): boolean =>
    isTrusted === false && faults.some(({ partners }) => partners?.includes(key.path) === true);
  const breaking = parts.given.filter(isBreaking);
  if (breaking.length === 0) return { assembled, faults, leftOut: [] };
  const leftOut = breaking.map(({ key, value, from }): Fault => {
    const { key: first = '', problem = '' } = faults.find(({ partners }) => partners?.includes(key.path)) ?? {};
    return {
      key: key.path,
      value: shownValue(value, false),
      from,
      problem: first === key.path ? problem : `does not fit: ${first} ${problem}`,
    };
  });
  const rest = [...parts.faults];
  return { assembled: assemble({ ...parts, given: parts.given.filter((one) => !isBreaking(one)), faults: rest }), faults: rest, leftOut };
}

/** The values with every secret masked, for display. */
export function maskedValues(loaded: Pick<LoadedConfig, 'values'>): readonly ConfigValue[] {
  return loaded.values.map((entry) => {
    if (entry.secret) return { ...entry, value: masked(entry.value) };
    return typeof entry.value === 'string' ? { ...entry, value: withoutCredentials(entry.value) } : entry;
  });
}

function fromFlags(flags: Readonly<Record<string, unknown>>, cwd: string, faults: Fault[]): GivenValue[] {
  return Object.entries(flags).flatMap(([path, value]): GivenValue[] => {
    if (value === undefined) return [];
    const key = keyAt(path);
    if (key)
      return [given(key, typeof value === 'string' ? valueFromText(key, value) : value, { source: 'flag', from: 'flag', base: cwd })];
    faults.push({ key: path, from: 'flag', problem: 'unknown key' });
    return [];
  });
}

/** SERVICE_PORT takes precedence over SERVICE_SERVER_PORT; otherwise one variable per key. */
function fromEnvironment(env: NodeJS.ProcessEnv, cwd: string): GivenValue[] {
  return CONFIG_KEYS.flatMap((key) => {
    const names = key.path === 'server.port' ? ['SERVICE_PORT', key.environment] : [key.environment];
    return names.flatMap((name): GivenValue[] => {
      const text = name === undefined ? undefined : variable(env, name);
      if (name === undefined || text === undefined) return [];
      return [given(key, valueFromText(key, text), { source: 'environment', from: name, base: cwd })];
    });
  });
}

function fromFile(file: ConfigFile | undefined, source: ValueSource): GivenValue[] {
  if (!file) return [];
  const { path: from, isTrusted } = file;
  return file.entries.map(({ key, value }) => ({ ...given(key, value, { source, from, base: dirname(from) }), isTrusted }));
}

function given(key: ConfigKey, value: unknown, { base, ...origin }: { source: ValueSource; from: string; base: string }): GivenValue {
  return { key, value: key.meta.path && typeof value === 'string' && value !== '' ? absolute(value, base) : value, ...origin };
}

/** Resolves a path against `base`; `~` is the home directory. URIs stay, without trailing slashes, which would name another store. */
export function absolute(path: string, base: string): string {
  if (isUri(path)) return isRemote(path) ? path.replace(/\/+$/, '') : path;
  if (path === '~' || path.startsWith('~/')) return join(homedir(), path.slice(1));
  return resolve(base, path);
}

/** The valid values. Each invalid one is a fault, even if a source of higher priority overrides it. */
function checked(all: readonly GivenValue[], faults: Fault[]): GivenValue[] {
  return all.filter(({ key, value, from }) => {
    if (value !== undefined && key.schema.safeParse(value).success) return true;
    faults.push({ key: key.path, value: shownValue(value, key.meta.secret === true), from, problem: refusal(key) });
    return false;
  });
}

interface UnknownVariable {
  readonly name: string;
  /** A suggestion as a sentence; may be empty. */
  readonly nearest: string;
}

/** Unknown variables with the prefix. Other software uses it too, so they are errors only in strict mode. */
function unknownVariables(env: NodeJS.ProcessEnv): UnknownVariable[] {
  const known = CONFIG_KEYS.flatMap(({ environment }) => environment ?? []);
  return Object.keys(env)
    .filter((name) => name.startsWith(ENVIRONMENT_PREFIX) && !EXTRA_VARIABLES.has(name) && !keyOfVariable(name))
    .sort()
    .map((name) => ({ name, nearest: suggestion(name, [...EXTRA_VARIABLES, ...known]) }));
}

const ignoredWarning = ({ name, nearest }: UnknownVariable): string =>
  `The variable ${name} is not a setting of Lore and is ignored.${nearest}`;
