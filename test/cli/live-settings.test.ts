import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CONFIG_KEYS } from '../../src/config/keys.ts';
import { loadConfig, type LoadedConfig } from '../../src/config/load.ts';
import { LiveSettings } from '../../src/cli/settings/live-settings.ts';
import { openApp, type App } from '../../src/app.ts';
import { LoreError } from '../../src/memory/errors.ts';
import { silentLog } from '../../src/memory/log.ts';
import { temporaryFolder } from '../helpers/folder.ts';

const COMMENTED = `{
  // of Ana
  "search": { "limit": 3 }, // few
}
`;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let loaded: LoadedConfig;
let live: LiveSettings;
const changes: string[] = [];
const file = (): string => join(folder.path, 'config', 'config.json');

beforeEach(async () => {
  folder = await temporaryFolder();
  await mkdir(join(folder.path, 'config'));
  await writeFile(file(), COMMENTED);
  loaded = loadConfig({
    cwd: folder.path,
    directories: { data: folder.path, config: join(folder.path, 'config') },
    env: { SERVICE_MEMORY_MAX_LIMIT: '50' },
    flags: { 'embeddings.provider': 'builtin', 'memory.namespace': 'test', 'log.level': 'warn' },
  });
  changes.length = 0;
  live = new LiveSettings(loaded, ({ capture }) => void changes.push(String(capture.enabled)));
});
afterEach(() => folder[Symbol.asyncDispose]());

const of = async (key: string) => (await live.list()).settings.find((one) => one.key === key);
const rejected = async (key: string, value?: string): Promise<unknown> =>
  await live.change({ key, ...(value !== undefined && { value }) }).then(
    () => 'changed',
    (error: unknown) => (error instanceof LoreError ? `${error.code}: ${error.message}` : error),
  );

describe('the settings of a running server', () => {
  it('are written to the user file with its comments kept, and can be reset to the default', async () => {
    expect(await live.change({ key: 'search.limit', value: '20' })).toMatchObject({
      value: 20,
      source: 'user file',
      from: file(),
      change: 'now',
    });
    expect(await readFile(file(), 'utf8')).toBe(COMMENTED.replace('3', '20'));
    await live.change({ key: 'capture.ignoredTools', value: 'Read, Bash' });
    expect(await of('capture.ignoredTools')).toMatchObject({ value: ['Read', 'Bash'], source: 'user file' });
    const again = loadConfig({ cwd: folder.path, directories: { data: folder.path, config: join(folder.path, 'config') }, env: {} });
    expect([again.config.search.limit, again.config.capture.ignoredTools]).toEqual([20, ['Read', 'Bash']]);
    expect(await live.change({ key: 'search.limit' })).toMatchObject({ value: 10, source: 'default' });
    expect(await of('search.limit')).not.toHaveProperty('from');
    expect(await readFile(file(), 'utf8')).toContain('// of Ana');
    await Promise.all([live.change({ key: 'capture.enabled', value: 'off' }), live.change({ key: 'compaction.ttlDays', value: '7' })]);
    expect(changes).toEqual(['true', 'true', 'true', 'false', 'false']);
    expect(await readFile(file(), 'utf8')).toMatch(/"enabled": false[\s\S]*"ttlDays": 7/);
  });

  it('create a missing file, which the report then names', async () => {
    await folder[Symbol.asyncDispose]();
    await mkdir(join(folder.path, 'config'), { recursive: true });
    const bare = loadConfig({ cwd: folder.path, directories: { data: folder.path, config: join(folder.path, 'config') }, env: {} });
    live = new LiveSettings(bare, () => undefined);
    expect((await live.list()).files).toEqual([]);
    await live.change({ key: 'search.defaultMode', value: 'keyword' });
    expect((await live.list()).files).toEqual([file()]);
    expect(JSON.parse(await readFile(file(), 'utf8'))).toEqual({ search: { defaultMode: 'keyword' } });
  });

  it('reject unknown, forbidden, restart-only and overridden settings, and leave the file alone', async () => {
    expect(await rejected('search.none', '1')).toBe('not_found: There is no setting "search.none".');
    expect(await rejected('search.limit', 'many')).toMatch(/^invalid_input: search.limit must be a whole number from 1 to /);
    expect(await rejected('search.limit', '51')).toBe('invalid_input: search.limit must be at most memory.maxLimit (50)');
    expect(await rejected('server.port', '80')).toBe('conflict: server.port is read when the server starts.');
    expect(await rejected('memory.maxLimit', '60')).toBe(
      'conflict: memory.maxLimit is set by SERVICE_MEMORY_MAX_LIMIT, which takes precedence.',
    );
    expect(await rejected('log.level')).toBe('conflict: log.level is set by a flag, which takes precedence.');
    expect(await readFile(file(), 'utf8')).toBe(COMMENTED);
    await writeFile(file(), '{ "search": ');
    expect(await rejected('search.limit', '20')).toMatch(/^config: .* was not changed/);
    expect(await of('search.limit')).toMatchObject({ value: 3 });
  });

  it('show whether each can be changed here, and never show a secret', async () => {
    expect((await Promise.all(['search.limit', 'server.port', 'memory.maxLimit'].map(of))).map((one) => one?.change)).toEqual([
      'now',
      'restart',
      'elsewhere',
    ]);
    expect((await of('search.defaultMode'))?.choices).toEqual(['vector', 'keyword', 'hybrid']);
    expect(CONFIG_KEYS.filter(({ meta }) => meta.live === true && (meta.secret === true || meta.path === true))).toEqual([]);
  });
});

describe('an open store', () => {
  let app: App;
  beforeEach(async () => {
    app = await openApp(loaded, { log: silentLog, cwd: folder.path, settings: live });
    for (const nth of [1, 2, 3, 4, 5, 6]) await app.memories.save({ content: `The ${nth}. lighthouse stands at the harbour` });
  });
  afterEach(() => app.close());
  const found = async () => await app.memories.recall({ query: 'lighthouse harbour' });
  const change = (key: string, value: string) => app.memories.settings.change({ key, value });

  it('applies a changed setting at once', async () => {
    expect((await found()).results).toHaveLength(3);
    await change('search.limit', '5');
    await change('search.defaultMode', 'keyword');
    expect(await found()).toMatchObject({ mode: 'keyword', results: expect.objectContaining({ length: 5 }) as unknown });
    const said = {
      client: 'claude',
      session: 'one',
      event: 'tool',
      tool: 'Bash',
      output: 'The lighthouse was painted white because the old one fell',
    } as const;
    expect(await app.memories.capture.accept(said)).toMatchObject({ accepted: true });
    await change('capture.enabled', 'false');
    expect(await app.memories.capture.accept(said)).toMatchObject({ accepted: false });
    expect(await app.memories.health()).toMatchObject({ autoCapture: false });
    expect((await app.memories.lifecycle.compact({ dryRun: true })).archived).toBe(0);
    await change('compaction.maxEntries', '2');
    expect((await app.memories.lifecycle.compact({ dryRun: true })).archived).toBe(4);
  });
});
