import { join } from 'node:path';
import type { z } from 'zod';
import { countKeys, keysFilePath } from './api-keys.ts';
import { isOnService, isRemote } from '../memory/store-address.ts';
import { localFolderOf, type Directories } from './directories.ts';
import { shownValue, type Fault } from './faults.ts';
import { isHeaderSafe, isLoopback } from './formats.ts';
import { CONFIG_KEYS, keyAt } from './keys.ts';
import { ConfigSchema, type Config, type Provider } from './schema.ts';
import { variable, type ConfigValue, type GivenValue } from './values.ts';
import { withoutUndefined } from '../memory/without-undefined.ts';

interface Parts {
  /** Valid values, highest priority first. */
  readonly given: readonly GivenValue[];
  readonly env: NodeJS.ProcessEnv;
  readonly directories: Directories;
  /** Receives faults. */
  readonly faults: Fault[];
}

interface Assembled {
  readonly config: Config;
  readonly values: readonly ConfigValue[];
  readonly warnings: readonly string[];
}

type Chosen = Map<string, GivenValue>;

/** Environment variables in which providers' own tools keep their key. */
const PROVIDER_VARIABLES = {
  local: undefined,
  builtin: undefined,
  openai: 'OPENAI_API_KEY',
  gemini: 'GEMINI_API_KEY',
} as const satisfies Record<Provider, string | undefined>;

/** Combines the highest-priority value of each key, derives dependent values and validates the result. */
export function assemble({ given, env, directories, faults }: Parts): Assembled | undefined {
  const chosen: Chosen = new Map();
  for (const entry of given) if (!chosen.has(entry.key.path)) chosen.set(entry.key.path, entry);
  const warnings: string[] = [];
  addServiceKey(chosen, env, faults);
  addProviderKey(chosen, env, warnings);
  warnOfBackups(chosen, warnings);

  const parsed = ConfigSchema.safeParse(nested(chosen, directories));
  if (!parsed.success) {
    faults.push(...parsed.error.issues.flatMap((issue) => crossFault(issue, chosen, faults)));
    return undefined;
  }
  checkExposure(parsed.data, { chosen, directories, faults, warnings });
  return { config: parsed.data, values: CONFIG_KEYS.map((key) => valueOf(key.path, parsed.data, chosen)), warnings };
}

/** SERVICE_API_KEY adds a key and turns authentication on, whatever other sources say. */
function addServiceKey(chosen: Chosen, env: NodeJS.ProcessEnv, faults: Fault[]): void {
  const secret = variable(env, 'SERVICE_API_KEY');
  const [keys, enabled] = [keyAt('server.auth.apiKeys'), keyAt('server.auth.enabled')];
  if (secret === undefined || !keys || !enabled) return;
  if (!isHeaderSafe(secret)) {
    faults.push({
      key: keys.path,
      value: shownValue(secret, true),
      from: 'SERVICE_API_KEY',
      problem: 'must be printable ASCII characters without spaces',
    });
    return;
  }
  const others = (chosen.get(keys.path)?.value ?? []) as string[];
  const origin = { source: 'environment', from: 'SERVICE_API_KEY' } as const;
  chosen.set(keys.path, { ...origin, key: keys, value: [...new Set([...others, secret])] });
  chosen.set(enabled.path, { ...origin, key: enabled, value: true });
}

/**
 * Uses the provider's own variable if no key is set. It was not given to Lore, so it is never sent to an address from a project file: a
 * cloned project could collect it.
 */
function addProviderKey(chosen: Chosen, env: NodeJS.ProcessEnv, warnings: string[]): void {
  const name = PROVIDER_VARIABLES[(chosen.get('embeddings.provider')?.value ?? 'local') as Provider];
  const key = keyAt('embeddings.apiKey');
  if (name === undefined || !key || chosen.has(key.path)) return;
  const address = chosen.get('embeddings.baseUrl');
  const value = variable(env, name)?.trim();
  if (value !== undefined && address?.source === 'project file') {
    warnings.push(`${name} is not sent to the embeddings.baseUrl of ${address.from}; set ${key.environment} if you want that.`);
  } else if (value !== undefined && key.schema.safeParse(value).success) {
    chosen.set(key.path, { key, value, source: 'environment', from: name });
  } else if (!address) {
    warnings.push(`The embedding provider has no key: set ${key.environment} or ${name}.`);
  }
}

/** The URI of a store that is not in a folder. */
function remotePath(chosen: Chosen): string | undefined {
  const path = chosen.get('storage.path')?.value;
  return typeof path === 'string' && isRemote(path) ? path : undefined;
}

/** Warns that backups need a location if the store is not in a folder. */
function warnOfBackups(chosen: Chosen, warnings: string[]): void {
  const place = remotePath(chosen);
  if (place === undefined || !chosen.has('storage.backupInterval') || chosen.has('storage.backupPath')) return;
  const where = isOnService(place) ? 'in LanceDB Cloud (docs/lancedb-cloud.md)' : 'on object storage (docs/shared-store.md)';
  warnings.push(`storage.backupInterval has no effect without storage.backupPath: the store is ${where}.`);
}

function nested(chosen: Chosen, directories: Directories): Record<string, unknown> {
  const root: Record<string, unknown> = {};
  const put = (segments: readonly string[], value: unknown): void => {
    let section = root;
    for (const name of segments.slice(0, -1)) section = (section[name] ??= {}) as Record<string, unknown>;
    section[segments.at(-1) ?? ''] = value;
  };
  put(['storage', 'path'], join(directories.data, 'store'));
  put(['embeddings', 'cacheDir'], join(directories.data, 'models'));
  put(['embeddings', 'localModelPath'], join(directories.data, 'models'));
  const uri = remotePath(chosen);
  if (uri !== undefined) {
    const own = (chosen.get('storage.localPath')?.value ?? localFolderOf(uri, directories)) as string;
    put(['storage', 'localPath'], own);
    put(['audit', 'path'], join(own, 'audit'));
  }
  for (const { key, value } of chosen.values()) put(key.segments, value);
  return root;
}

/** The fault for a broken rule over several keys; none if one of them already has a fault and its default broke the rule. */
function crossFault(issue: z.core.$ZodIssue, chosen: Chosen, faults: readonly Fault[]): Fault[] {
  const path = issue.path.join('.');
  const partners: unknown = issue.code === 'custom' ? issue.params?.['keys'] : undefined;
  const paths = Array.isArray(partners) ? partners.map(String) : [path];
  if (faults.some((fault) => paths.includes(fault.key))) return [];
  const culprit = chosen.get(path) ?? paths.map((partner) => chosen.get(partner)).find((entry) => entry !== undefined);
  const own = chosen.get(path);
  return [
    {
      key: path,
      ...(own && { value: shownValue(own.value, own.key.meta.secret === true) }),
      ...(culprit && { from: culprit.from }),
      problem: issue.message,
      partners: paths,
    },
  ];
}

interface Exposure {
  readonly chosen: Chosen;
  readonly directories: Directories;
  readonly faults: Fault[];
  readonly warnings: string[];
}

/** Refuses to listen beyond this machine without an API key. */
function checkExposure({ server }: Config, { chosen, directories, faults, warnings }: Exposure): void {
  const keys = server.auth.apiKeys.length + countKeys(keysFilePath(directories.config));
  if (server.auth.enabled === false && server.auth.apiKeys.length > 0) {
    warnings.push('server.auth.apiKeys has keys, but server.auth.enabled is false: no request needs a key.');
  }
  if (server.auth.enabled === true && keys === 0) {
    warnings.push(
      'server.auth.enabled is true, but there is no key: every request is refused. Generate one with `lore auth generate-key`.',
    );
  }
  const closed = server.auth.enabled ?? keys > 0;
  if (closed || server.allowUnauthenticated || isLoopback(server.host)) return;
  const origin = chosen.get('server.host')?.from;
  faults.push({
    key: 'server.host',
    value: shownValue(server.host, false),
    ...withoutUndefined({ from: origin }),
    problem:
      'would open the store to the network without an API key. Set SERVICE_API_KEY or run `lore auth generate-key`, keep 127.0.0.1, or set server.allowUnauthenticated to true',
  });
}

function valueOf(path: string, config: Config, chosen: Chosen): ConfigValue {
  const entry = chosen.get(path);
  const value = path.split('.').reduce<unknown>((section, name) => (section as Record<string, unknown>)[name], config);
  const secret = keyAt(path)?.meta.secret === true;
  if (!entry) return { key: path, value, source: 'default', secret };
  return { key: path, value, source: entry.source, secret, ...(entry.source !== 'flag' && { from: entry.from }) };
}
