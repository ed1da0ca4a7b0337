import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CONFIG_KEYS, environmentName } from '../../src/config/keys.ts';
import { loadConfig, maskedValues, type LoadedConfig, type LoadOptions } from '../../src/config/load.ts';
import type { Migration } from '../../src/config/migrations.ts';
import { findProjectFile } from '../../src/config/project-file.ts';
import { trustFile } from '../../src/config/project-trust.ts';
import { LoreError } from '../../src/memory/errors.ts';
import { sampleOf } from '../helpers/config-samples.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'lore-config-')));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const at = (...parts: string[]): string => join(root, ...parts);
function write(path: string, content: unknown): string {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), typeof content === 'string' ? content : JSON.stringify(content));
  return at(path);
}
/** Reads nothing of the machine that runs the test. Its project file is trusted; project-trust.test.ts has those that are not. */
function load(options: LoadOptions = {}): LoadedConfig {
  mkdirSync(at('project'), { recursive: true });
  const project = findProjectFile(options.cwd ?? at('project'));
  if (project?.text !== undefined) trustFile({ path: project.path, text: project.text }, at('data'));
  return loadConfig({ cwd: at('project'), env: {}, directories: { data: at('data'), config: at('user') }, ...options });
}
function failure(options: LoadOptions): LoreError {
  try {
    load(options);
  } catch (error) {
    if (error instanceof LoreError) return error;
    throw error;
  }
  throw new Error('the configuration was accepted');
}
function valueOf(loaded: LoadedConfig, key: string) {
  return loaded.values.find((entry) => entry.key === key);
}

describe('sources', () => {
  it('returns every default and absolute folders if nothing is configured', () => {
    const { config, files, warnings, values } = load();
    expect(config).toMatchObject({
      server: { port: 7007, host: '127.0.0.1', responseForm: 'reference', rateLimit: { enabled: 'remote', requestsPerMinute: 100 } },
      storage: { type: 'lancedb', path: at('data', 'store') },
      embeddings: { provider: 'local', model: 'Xenova/all-MiniLM-L6-v2', dimensions: 384, cacheDir: at('data', 'models') },
      version: '0.1.0',
    });
    expect({ files, warnings }).toEqual({ files: [], warnings: [] });
    expect(values.map((entry) => entry.key)).toEqual(CONFIG_KEYS.map((key) => key.path));
    expect(new Set(values.map((entry) => entry.source))).toEqual(new Set(['default']));
  });

  it('a flag overrides the environment, the project file, and the user file', () => {
    const user = write('user/config.json', { search: { limit: 4 } });
    expect(valueOf(load(), 'search.limit')).toEqual({ key: 'search.limit', value: 4, source: 'user file', from: user, secret: false });
    const project = write('project/lore.config.json', { search: { limit: 3 } });
    expect(valueOf(load(), 'search.limit')).toMatchObject({ value: 3, source: 'project file', from: project });
    const env = { SERVICE_SEARCH_LIMIT: '2' };
    expect(valueOf(load({ env }), 'search.limit')).toMatchObject({ value: 2, source: 'environment', from: 'SERVICE_SEARCH_LIMIT' });
    const flagged = load({ env, flags: { 'search.limit': 1 } });
    expect(valueOf(flagged, 'search.limit')).toEqual({ key: 'search.limit', value: 1, source: 'flag', secret: false });
    expect(flagged.config.search.limit).toBe(1);
    expect(flagged.files).toEqual([project, user]);
  });

  it('merges files key by key', () => {
    write('user/config.json', { server: { port: 1111, host: 'localhost' } });
    write('project/lore.config.json', { server: { port: 2222 } });
    expect(load().config.server).toMatchObject({ port: 2222, host: 'localhost' });
  });

  it('reads comments, trailing commas, a byte order mark and an editor schema', () => {
    write('project/lore.config.json', '\uFEFF// mine\n{ "$schema": "x.json", "search": { "limit": 7, /* few */ }, }\n');
    expect(load().config.search.limit).toBe(7);
  });

  it('finds the nearest project file upward', () => {
    write('lore.config.json', { search: { limit: 2 } });
    mkdirSync(at('project/deep/er'), { recursive: true });
    expect(load({ cwd: at('project/deep/er') }).config.search.limit).toBe(2);
    write('project/lore.config.json', { search: { limit: 3 } });
    expect(load({ cwd: at('project/deep/er') }).config.search.limit).toBe(3);
  });

  it('reads a named file instead of the project file; a flag overrides SERVICE_CONFIG', () => {
    write('project/lore.config.json', { search: { limit: 3 } });
    write('other.json', { search: { limit: 5 } });
    write('another.json', { search: { limit: 6 } });
    const env = { SERVICE_CONFIG: at('other.json') };
    expect(load({ env }).config.search.limit).toBe(5);
    expect(load({ env, configFile: '../another.json' }).config.search.limit).toBe(6);
  });

  it('prefers --port to SERVICE_PORT to SERVICE_SERVER_PORT to a file', () => {
    write('project/lore.config.json', { server: { port: 1 } });
    const env = { SERVICE_SERVER_PORT: '2' };
    expect(load({ env }).config.server.port).toBe(2);
    expect(valueOf(load({ env: { ...env, SERVICE_PORT: '3' } }), 'server.port')).toMatchObject({ value: 3, from: 'SERVICE_PORT' });
    expect(load({ env: { ...env, SERVICE_PORT: '3' }, flags: { 'server.port': '4' } }).config.server.port).toBe(4);
  });

  it('treats an empty variable and an undefined flag as unset', () => {
    expect(
      load({ env: { SERVICE_PORT: '', SERVICE_API_KEY: '', SERVICE_CONFIG: '' }, flags: { 'server.port': undefined } }).config,
    ).toEqual(load().config);
  });

  it('reads lists, records and switches from variables', () => {
    const env = {
      SERVICE_CAPTURE_IGNORED_TOOLS: 'Read, Bash ,',
      SERVICE_STORAGE_OPTIONS: 'region=eu-west-1, token=a=b',
      SERVICE_CAPTURE_ENABLED: 'off',
      SERVICE_SERVER_RATE_LIMIT_ENABLED: 'true',
    };
    const { config } = load({ env });
    expect(config.capture).toMatchObject({ enabled: false, ignoredTools: ['Read', 'Bash'] });
    expect(config.storage.options).toEqual({ region: 'eu-west-1', token: 'a=b' });
    expect(config.server.rateLimit.enabled).toBe(true);
    expect(load({ env: { SERVICE_SERVER_RATE_LIMIT_ENABLED: 'remote' } }).config.server.rateLimit.enabled).toBe('remote');
  });

  it('resolves a path from the folder of its file, a variable from the working directory, and keeps a URI', () => {
    write('project/lore.config.json', { storage: { path: './memories' } });
    expect(load({ cwd: at('project') }).config.storage.path).toBe(at('project/memories'));
    mkdirSync(at('project/sub'));
    expect(load({ cwd: at('project/sub') }).config.storage.path).toBe(at('project/memories'));
    expect(load({ env: { SERVICE_STORAGE_PATH: 'here' } }).config.storage.path).toBe(at('project/here'));
    expect(load({ env: { SERVICE_STORAGE_PATH: '~/memories' } }).config.storage.path).toBe(join(homedir(), 'memories'));
    expect(load({ env: { SERVICE_STORAGE_PATH: 's3://bucket/store' } }).config.storage.path).toBe('s3://bucket/store');
  });

  it('expands ~ to the home of this user, and ignores slashes at the end of a bucket', () => {
    const pathOf = (text: string): string => load({ env: { SERVICE_STORAGE_PATH: text } }).config.storage.path;
    expect([pathOf('~'), pathOf('~memories')]).toEqual([homedir(), at('project/~memories')]);
    expect([pathOf('s3://bucket/store//'), pathOf('s3://bucket/a//b/')]).toEqual(['s3://bucket/store', 's3://bucket/a//b']);
    // A text of another kind is no path, whatever it begins with.
    expect(load({ env: { SERVICE_EMBEDDINGS_MODEL: '~/model' } }).config.embeddings.model).toBe('~/model');
  });

  it('reads the user file once even if it is also named, and lists the files it read', () => {
    const user = write('user/config.json', { search: { limit: 4 } });
    const named = load({ configFile: user });
    expect([named.files, named.userFile]).toEqual([[user], user]);
    expect(valueOf(named, 'search.limit')).toMatchObject({ value: 4, source: 'project file' });
    const project = write('project/lore.config.json', { search: { limit: 3 } });
    expect(load().files).toEqual([project, user]);
    write('user/config.json', { sorage: {} });
    expect(failure({ configFile: user }).message.split('\n')).toHaveLength(2);
  });

  it('uses the folder and variables of the process by default', () => {
    vi.stubEnv('SERVICE_SEARCH_LIMIT', '7').stubEnv('SERVICE_STORAGE_PATH', 'here');
    try {
      const { config } = loadConfig({ directories: { data: at('data'), config: at('user') } });
      expect([config.search.limit, config.storage.path]).toEqual([7, join(process.cwd(), 'here')]);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('fills model and dimensions of the provider in use', () => {
    const { embeddings } = load({ env: { SERVICE_EMBEDDINGS_PROVIDER: 'gemini', GEMINI_API_KEY: 'g' } }).config;
    expect(embeddings).toMatchObject({ dimensions: 768, apiKey: 'g' });
    const own = load({ env: { SERVICE_EMBEDDINGS_PROVIDER: 'openai', SERVICE_EMBEDDINGS_DIMENSIONS: '64', OPENAI_API_KEY: 'o' } });
    expect(own.config.embeddings).toMatchObject({ model: 'text-embedding-3-small', dimensions: 64 });
  });
});

describe('environment names', () => {
  it('are upper snake case of the key path', () => {
    expect(environmentName('search.vectorWeight')).toBe('SERVICE_SEARCH_VECTOR_WEIGHT');
    expect(environmentName('server.rateLimit.requestsPerMinute')).toBe('SERVICE_SERVER_RATE_LIMIT_REQUESTS_PER_MINUTE');
    expect(environmentName('index.maxFileSizeKB')).toBe('SERVICE_INDEX_MAX_FILE_SIZE_KB');
    expect(new Set(CONFIG_KEYS.map((key) => key.environment)).size).toBe(CONFIG_KEYS.length);
  });

  it.each(CONFIG_KEYS.filter((key) => key.environment !== undefined).map((key) => [key.environment ?? '', key] as const))(
    '%s sets its key',
    (name, key) => {
      const [text, value] = sampleOf(key, at('somewhere'));
      // Keeps the rules over several keys out of this.
      const others = {
        'memory.chunkOverlap': 0,
        'search.limit': 1,
        'memory.defaultLimit': 1,
        'server.headersTimeoutMs': 1,
        'server.allowUnauthenticated': true,
      };
      const flags = Object.fromEntries(Object.entries(others).filter(([path]) => path !== key.path));
      const loaded = load({
        env: { [name]: text },
        flags: key.path === 'server.cors.credentials' ? { ...flags, 'server.cors.origins': [] } : flags,
      });
      expect(valueOf(loaded, key.path)).toEqual({
        key: key.path,
        value,
        source: 'environment',
        from: name,
        secret: key.meta.secret === true,
      });
    },
  );

  it('exist for every setting except the version of a file', () => {
    expect(CONFIG_KEYS.filter((key) => key.environment === undefined).map((key) => key.path)).toEqual(['version']);
  });

  it('does not take the file version from the environment', () => {
    const loaded = load({ env: { SERVICE_VERSION: '9.9.9' } });
    expect(loaded.config.version).toBe('0.1.0');
  });
});

describe('faults', () => {
  it('are all reported at once with key, value, source and allowed values', () => {
    const user = write('user/config.json', { memory: { chunkSize: 'big' }, serch: { limit: 1 } });
    const project = write('project/lore.config.json', { server: { prot: 1 }, capture: true, storage: { type: 'json' } });
    const error = failure({
      env: { SERVICE_SEARCH_LIMIT: '500', SERVICE_PORT: 'http', SERVICE_CAPTURE_ENABLED: 'maybe' },
      flags: { 'log.level': 'loud' },
    });
    expect(error.code).toBe('config');
    expect(error.hint).toMatch(/configuration\.md/);
    const lines = error.message.split('\n');
    expect(lines[0]).toBe('The configuration has 9 errors:');
    expect(lines.slice(1).toSorted()).toEqual(
      [
        `  memory.chunkSize = "big" (${user}): must be a whole number from 50 to 100000`,
        `  serch (${user}): unknown key. Did you mean search?`,
        `  server.prot = 1 (${project}): unknown key. Did you mean server.port?`,
        `  capture = true (${project}): must be an object of keys`,
        `  storage.type = "json" (${project}): must be lancedb. To move from another store (json, indexeddb, graph databases), import its JSON or JSONL file with \`lore import\`.`,
        '  search.limit = 500 (SERVICE_SEARCH_LIMIT): must be a whole number from 1 to 100',
        '  server.port = "http" (SERVICE_PORT): must be a whole number from 0 to 65535',
        '  capture.enabled = "maybe" (SERVICE_CAPTURE_ENABLED): must be true or false',
        '  log.level = "loud" (flag): must be trace, debug, info, warn, error, fatal or silent',
      ].toSorted(),
    );
  });

  it('name an unknown flag', () => {
    expect(failure({ flags: { 'search.limt': 5 } }).message).toContain('search.limt (flag): unknown key');
    expect(load({ flags: { 'search.limt': undefined } }).warnings).toEqual([]);
  });

  it('name the section of a misplaced key', () => {
    write('project/lore.config.json', { chunkSize: 5 });
    expect(failure({}).message).toContain(
      'chunkSize = 5 (' + at('project/lore.config.json') + '): unknown key. Did you mean memory.chunkSize?',
    );
  });

  it('are reported for a value that a stronger source overrides', () => {
    write('project/lore.config.json', { server: { port: 70_000 } });
    expect(failure({ flags: { 'server.port': 7007 } }).message).toContain('server.port = 70000');
  });

  it('include rules over several keys, in the same report', () => {
    const error = failure({
      env: {
        SERVICE_MEMORY_CHUNK_OVERLAP: '600',
        SERVICE_MEMORY_MAX_LIMIT: '5',
        SERVICE_PORT: '-1',
        SERVICE_SERVER_CORS_CREDENTIALS: 'true',
      },
    });
    expect(error.message.split('\n').slice(1)).toEqual([
      '  server.port = -1 (SERVICE_PORT): must be a whole number from 0 to 65535',
      '  memory.chunkOverlap = 600 (SERVICE_MEMORY_CHUNK_OVERLAP): must be less than memory.chunkSize (500)',
      '  search.limit (SERVICE_MEMORY_MAX_LIMIT): must be at most memory.maxLimit (5)',
      '  memory.defaultLimit (SERVICE_MEMORY_MAX_LIMIT): must be at most memory.maxLimit (5)',
      '  server.cors.credentials = true (SERVICE_SERVER_CORS_CREDENTIALS): must be false while server.cors.origins contains *: browsers refuse this combination',
    ]);
  });

  it('leave out a rule broken only by the default of an invalid key', () => {
    const error = failure({ env: { SERVICE_MEMORY_CHUNK_OVERLAP: '600', SERVICE_MEMORY_CHUNK_SIZE: 'large' } });
    expect(error.message.split('\n')).toHaveLength(2);
  });

  it('never show a secret', () => {
    write('project/lore.config.json', { embeddings: { apiKey: 'bad hush' }, storage: { options: { token: 5 } }, hush: 'hush' });
    const { message } = failure({ env: { SERVICE_API_KEY: 'hush hush', SERVICE_SERVER_AUTH_API_KEYS: 'hush hush' } });
    expect(message.split('\n')).toHaveLength(6);
    expect(message.replace('  hush (', '')).not.toContain('hush');
    expect(message).toContain('embeddings.apiKey = "********"');
  });

  it('name line and column of a file that is not JSON', () => {
    const file = write('project/lore.config.json', '{\n  "search": { "limit" 5 }\n}');
    expect(failure({}).message).toContain(`${file}: is not valid JSON: colon expected at line 2, column 23`);
    write('project/lore.config.json', '[1]');
    expect(failure({}).message).toContain(`${file}: must contain one JSON object`);
    write('project/lore.config.json', '');
    expect(failure({}).message).toContain('is not valid JSON');
  });

  it('of the file system have their own code', () => {
    expect(failure({ configFile: 'missing.json' })).toMatchObject({ code: 'filesystem' });
    mkdirSync(at('user/config.json'), { recursive: true });
    expect(failure({})).toMatchObject({ code: 'filesystem' });
  });

  it('of null and of wrong JSON types are refused, not coerced', () => {
    write('project/lore.config.json', { server: { port: '8080' }, search: { limit: null }, capture: { enabled: 1 } });
    expect(failure({}).message.split('\n')).toHaveLength(4);
  });
});

describe('warnings', () => {
  it('name unknown variables, with the nearest name', () => {
    const { warnings } = load({ env: { SERVICE_SERCH_LIMIT: '5', SERVICE_NAME: 'other', OTHER: 'x' } });
    expect(warnings).toEqual([
      'The variable SERVICE_NAME is not a setting of Lore and is ignored.',
      'The variable SERVICE_SERCH_LIMIT is not a setting of Lore and is ignored. Did you mean SERVICE_SEARCH_LIMIT?',
    ]);
  });

  it('name no variable that is a setting or an alias, and suggest it if it is near', () => {
    const env = { SERVICE_PORT: '7100', SERVICE_API_KEY: 'k', SERVICE_CONFIG: write('other.json', {}), SERVICE_SEARCH_LIMIT: '5' };
    expect(load({ env }).warnings).toEqual([]);
    const { warnings } = load({ env: { SERVICE_PROT: '1', SERVICE_API_KEI: 'k', SERVICE_CONFIK: 'x', SERVICE_SEARCH_LIMITS: '5' } });
    expect(warnings.map((text) => /Did you mean (\w+)/.exec(text)?.[1])).toEqual([
      'SERVICE_API_KEY',
      'SERVICE_CONFIG',
      'SERVICE_PORT',
      'SERVICE_SEARCH_LIMIT',
    ]);
  });

  it('report ignored keys, and a lock without a key', () => {
    expect(load({ env: { SERVICE_SERVER_AUTH_ENABLED: 'false', SERVICE_SERVER_AUTH_API_KEYS: 'k' } }).warnings).toHaveLength(1);
    expect(load({ env: { SERVICE_SERVER_AUTH_ENABLED: 'true' } }).warnings[0]).toContain('generate-key');
  });

  it('report a hosted provider without a key, unless it has a custom address', () => {
    const env = { SERVICE_EMBEDDINGS_PROVIDER: 'openai' };
    expect(load({ env }).warnings[0]).toContain('OPENAI_API_KEY');
    expect(load({ env: { ...env, SERVICE_EMBEDDINGS_BASE_URL: 'http://127.0.0.1:11434/v1' } }).warnings).toEqual([]);
  });
});

describe('keys and exposure', () => {
  it('adds SERVICE_API_KEY to the configured keys and switches authentication on', () => {
    write('project/lore.config.json', { server: { auth: { enabled: false, apiKeys: ['one'] } } });
    const loaded = load({ env: { SERVICE_API_KEY: 'two' } });
    expect(loaded.config.server.auth).toEqual({ enabled: true, apiKeys: ['one', 'two'] });
    expect(valueOf(loaded, 'server.auth.enabled')).toMatchObject({ source: 'environment', from: 'SERVICE_API_KEY' });
  });

  it('shows the source of a provider key, and masks every secret', () => {
    const env = {
      SERVICE_EMBEDDINGS_PROVIDER: 'openai',
      OPENAI_API_KEY: 'hush',
      SERVICE_API_KEY: 'hush',
      SERVICE_STORAGE_OPTIONS: 'a=hush',
    };
    const loaded = load({ env });
    expect(loaded.config.embeddings.apiKey).toBe('hush');
    const shown = maskedValues(loaded);
    expect(JSON.stringify(shown)).not.toContain('hush');
    expect(shown.find((entry) => entry.key === 'embeddings.apiKey')).toEqual({
      key: 'embeddings.apiKey',
      value: '********',
      source: 'environment',
      from: 'OPENAI_API_KEY',
      secret: true,
    });
    expect(shown.find((entry) => entry.key === 'server.auth.apiKeys')?.value).toEqual(['********']);
    expect(maskedValues(load()).find((entry) => entry.key === 'embeddings.apiKey')?.value).toBeUndefined();
  });

  it('hides only the secrets of an address', () => {
    const env = { SERVICE_EMBEDDINGS_BASE_URL: 'http://me:hush@127.0.0.1:11434/v1', SERVICE_PORT: '7100' };
    const shown = maskedValues(load({ env }));
    const of = (key: string): unknown => shown.find((entry) => entry.key === key)?.value;
    expect(of('embeddings.baseUrl')).not.toContain('hush');
    expect([of('server.port'), of('server.host'), of('capture.enabled')]).toEqual([7100, '127.0.0.1', load().config.capture.enabled]);
  });

  it('does not send the key of the provider to an address that a project chose', () => {
    write('project/lore.config.json', { embeddings: { provider: 'openai', baseUrl: 'https://collector.example/v1' } });
    const { config, warnings } = load({ env: { OPENAI_API_KEY: 'hush' } });
    expect(config.embeddings.apiKey).toBeUndefined();
    expect(warnings[0]).toContain('OPENAI_API_KEY is not sent');
    expect(load({ env: { SERVICE_EMBEDDINGS_API_KEY: 'given' } }).config.embeddings.apiKey).toBe('given');
  });

  it.each(['0.0.0.0', '192.168.1.4', '::', 'my-host'])('refuses to listen on %s without a key', (host) => {
    const error = failure({ flags: { 'server.host': host } });
    expect(error.code).toBe('config');
    expect(error.message).toContain(`server.host = "${host}" (flag): would open the store`);
    expect(load({ flags: { 'server.host': host }, env: { SERVICE_API_KEY: 'k' } }).config.server.host).toBe(host);
    expect(load({ flags: { 'server.host': host, 'server.auth.apiKeys': ['k'] } }).config.server.host).toBe(host);
    expect(load({ flags: { 'server.host': host, 'server.allowUnauthenticated': true } }).config.server.host).toBe(host);
    expect(failure({ flags: { 'server.host': host, 'server.auth.apiKeys': ['k'], 'server.auth.enabled': false } }).code).toBe('config');
  });

  it.each(['127.0.0.1', '127.8.9.1', '::1', '[::1]', 'localhost', 'lore.localhost'])('listens on %s without a key', (host) => {
    expect(load({ flags: { 'server.host': host } }).config.server.host).toBe(host);
  });
});

describe('file versions', () => {
  const migrations: Migration[] = [
    { to: '0.0.8', change: ({ maxBody, ...rest }) => ({ ...rest, server: { bodyLimit: maxBody } }) },
    {
      to: '0.1.0',
      change: ({ server, ...rest }) => {
        const { bodyLimit, ...others } = server as Record<string, unknown>;
        return { ...rest, server: { ...others, bodyLimitBytes: bodyLimit } };
      },
    },
  ];

  it('migrate through every step beyond the version of the file', () => {
    write('project/lore.config.json', { version: '0.0.7', maxBody: 2048 });
    expect(load({ migrations }).config.server.bodyLimitBytes).toBe(2048);
    write('project/lore.config.json', { version: '0.0.8', server: { bodyLimit: 4096 } });
    expect(load({ migrations }).config.server.bodyLimitBytes).toBe(4096);
    write('project/lore.config.json', { version: '0.1.0', server: { bodyLimitBytes: 8192 } });
    expect(load({ migrations }).config).toMatchObject({ server: { bodyLimitBytes: 8192 }, version: '0.1.0' });
  });

  it('refuse a newer file and an invalid version', () => {
    write('project/lore.config.json', { version: '0.10.0', unknown: 1 });
    expect(failure({}).message).toContain('version = "0.10.0"');
    expect(failure({}).message).toContain('newer than this version of Lore supports (0.1.0)');
    write('project/lore.config.json', { version: 1 });
    expect(failure({}).message).toContain('must be a version such as 0.1.0');
  });
});
