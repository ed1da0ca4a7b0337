import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { userDirectories } from '../config/directories.ts';
import { findProjectFile } from '../config/project-file.ts';
import { isTrusted, mayProjectSet } from '../config/project-trust.ts';

/** The settings that a hook needs. */
export interface HookSettings {
  readonly enabled: boolean;
  /** `capture.assist`. */
  readonly assist: boolean;
  readonly storagePath: string;
  readonly namespace: string | undefined;
  readonly redacts: boolean;
}

const KEYS = {
  enabled: { path: ['capture', 'enabled'], variable: 'SERVICE_CAPTURE_ENABLED' },
  assist: { path: ['capture', 'assist'], variable: 'SERVICE_CAPTURE_ASSIST' },
  storagePath: { path: ['storage', 'path'], variable: 'SERVICE_STORAGE_PATH' },
  namespace: { path: ['memory', 'namespace'], variable: 'SERVICE_MEMORY_NAMESPACE' },
  redactSecrets: { path: ['memory', 'redactSecrets'], variable: 'SERVICE_MEMORY_REDACT_SECRETS' },
} as const;
type Key = keyof typeof KEYS;

/** A value and the base folder of a relative path in it. */
interface Found {
  readonly value: unknown;
  readonly base: string;
}

interface Places {
  /** Working directory of the client: the project file is searched from here upward. */
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** `--config`. */
  readonly configFile: string | undefined;
}

/**
 * Reads the same values as `loadConfig` for these keys in a fraction of the time: no schema, no errors. A missing or broken file counts as
 * empty.
 */
export async function hookSettings({ cwd, env, configFile }: Places): Promise<HookSettings> {
  const named = configFile ?? (env['SERVICE_CONFIG'] || undefined);
  const project = named === undefined ? await projectSettings(cwd) : await parsedFile(textAt(absolute(named, cwd)));
  const files = [project, await parsedFile(textAt(join(userDirectories().config, 'config.json')))];
  const find = (key: Key): Found | undefined => {
    const { path, variable } = KEYS[key];
    const given = env[variable];
    if (given !== undefined && given !== '') return { value: given, base: cwd };
    for (const file of files) {
      const value = path.reduce<unknown>((section, name) => (isRecord(section) ? own(section, name) : undefined), file?.content);
      const counts = value !== undefined && (file?.isTrusted !== false || mayProjectSet(path.join('.'), value));
      if (file !== undefined && counts) return { value, base: dirname(file.path) };
    }
    return undefined;
  };
  const storage = find('storagePath');
  const namespace = find('namespace')?.value;
  return {
    enabled: ![false, 'false', '0', 'no', 'off'].includes(find('enabled')?.value as string | false),
    assist: [true, 'true', '1', 'yes', 'on'].includes(find('assist')?.value as string | true),
    storagePath: typeof storage?.value === 'string' ? absolute(storage.value, storage.base) : join(userDirectories().data, 'store'),
    namespace: typeof namespace === 'string' && namespace.trim() !== '' && namespace.length <= 256 ? namespace : undefined,
    redacts: find('redactSecrets')?.value !== 'never',
  };
}

interface TextFile {
  readonly path: string;
  readonly text: string;
}

/** The project file. If the user has not trusted it, only the keys that `mayProjectSet` allows count, as in `loadConfig`. */
async function projectSettings(cwd: string): Promise<Parsed | undefined> {
  const file = findProjectFile(cwd);
  if (file?.text === undefined) return undefined;
  const parsed = await parsedFile({ path: file.path, text: file.text });
  return parsed && { ...parsed, isTrusted: isTrusted(file, userDirectories().data) };
}

function textAt(path: string): TextFile | undefined {
  try {
    return { path, text: readFileSync(path, 'utf8') };
  } catch {
    return undefined;
  }
}

interface Parsed {
  readonly path: string;
  readonly content: unknown;
  /** False for a project file whose current content the user has not trusted. Default true. */
  readonly isTrusted?: boolean;
}

/** Parses JSON, and JSON with comments. Loads the JSONC parser only if the file needs it. */
async function parsedFile(file: TextFile | undefined): Promise<Parsed | undefined> {
  if (file === undefined) return undefined;
  const { path } = file;
  const text = file.text.replace(/^\uFEFF/, '');
  try {
    return { path, content: JSON.parse(text) as unknown };
  } catch {
    const { parse } = await import('jsonc-parser');
    try {
      return { path, content: parse(text, [], { allowTrailingComma: true }) as unknown };
    } catch {
      // The parser throws on very deep nesting.
      return undefined;
    }
  }
}

/** Resolves a path. A URI is unchanged; `~` is the home folder. */
function absolute(path: string, base: string): string {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(path)) return path;
  if (path === '~' || path.startsWith('~/')) return join(homedir(), path.slice(1));
  return resolve(base, path);
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;

const own = (record: Readonly<Record<string, unknown>>, name: string): unknown => (Object.hasOwn(record, name) ? record[name] : undefined);
