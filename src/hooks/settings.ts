import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { userDirectories } from '../config/directories.ts';

/** The few settings that a hook needs. */
export interface HookSettings {
  readonly enabled: boolean;
  readonly storagePath: string;
  readonly namespace: string | undefined;
  readonly redacts: boolean;
}

const KEYS = {
  enabled: { path: ['capture', 'enabled'], variable: 'SERVICE_CAPTURE_ENABLED' },
  storagePath: { path: ['storage', 'path'], variable: 'SERVICE_STORAGE_PATH' },
  namespace: { path: ['memory', 'namespace'], variable: 'SERVICE_MEMORY_NAMESPACE' },
  redactSecrets: { path: ['memory', 'redactSecrets'], variable: 'SERVICE_MEMORY_REDACT_SECRETS' },
} as const;
type Key = keyof typeof KEYS;

/** A value, and the folder that a relative path in it counts from. */
interface Found {
  readonly value: unknown;
  readonly base: string;
}

interface Places {
  /** Working directory of the client: the project file is looked for from here upward. */
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** `--config`. */
  readonly configFile: string | undefined;
}

/**
 * What `loadConfig` gives for these keys, in a fraction of the time: without the schema, and without faults. A file that is missing or broken counts as
 * empty, so that a hook works wherever it can.
 */
export async function hookSettings({ cwd, env, configFile }: Places): Promise<HookSettings> {
  const named = configFile ?? (env['SERVICE_CONFIG'] || undefined);
  const project = named === undefined ? projectFile(cwd) : textAt(absolute(named, cwd));
  const files = await Promise.all([project, textAt(join(userDirectories().config, 'config.json'))].map(parsedFile));
  const find = (key: Key): Found | undefined => {
    const { path, variable } = KEYS[key];
    const given = env[variable];
    if (given !== undefined && given !== '') return { value: given, base: cwd };
    for (const file of files) {
      const value = path.reduce<unknown>((section, name) => (isRecord(section) ? section[name] : undefined), file?.content);
      if (file !== undefined && value !== undefined) return { value, base: dirname(file.path) };
    }
    return undefined;
  };
  const storage = find('storagePath');
  const namespace = find('namespace')?.value;
  return {
    enabled: ![false, 'false', '0', 'no', 'off'].includes(find('enabled')?.value as string | false),
    storagePath: typeof storage?.value === 'string' ? absolute(storage.value, storage.base) : join(userDirectories().data, 'store'),
    namespace: typeof namespace === 'string' && namespace.trim() !== '' && namespace.length <= 256 ? namespace : undefined,
    redacts: find('redactSecrets')?.value !== 'never',
  };
}

interface TextFile {
  readonly path: string;
  readonly text: string;
}

function projectFile(cwd: string): TextFile | undefined {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const file = textAt(join(folder, 'lore.config.json'));
    if (file !== undefined || dirname(folder) === folder) return file;
  }
}

function textAt(path: string): TextFile | undefined {
  try {
    return { path, text: readFileSync(path, 'utf8').replace(/^\uFEFF/, '') };
  } catch {
    return undefined;
  }
}

/** Loads the reader of comments only for a file that has some. */
async function parsedFile(file: TextFile | undefined): Promise<{ readonly path: string; readonly content: unknown } | undefined> {
  if (file === undefined) return undefined;
  const { path, text } = file;
  try {
    return { path, content: JSON.parse(text) as unknown };
  } catch {
    const { parse } = await import('jsonc-parser');
    return { path, content: parse(text, [], { allowTrailingComma: true }) as unknown };
  }
}

/** A URI stays as it is; `~` is the home of this user. */
function absolute(path: string, base: string): string {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(path)) return path;
  if (path === '~' || path.startsWith('~/')) return join(homedir(), path.slice(1));
  return resolve(base, path);
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;
