import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CONFIG_KEYS } from '../../src/config/keys.ts';
import { loadConfig, type LoadedConfig, type LoadOptions } from '../../src/config/load.ts';
import { PROJECT_FILE } from '../../src/config/project-file.ts';
import { revokeTrust, trustedFiles, trustFile } from '../../src/config/project-trust.ts';
import { sampleOf } from '../helpers/config-samples.ts';

let root: string;
let file: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'lore-trust-')));
  for (const folder of ['project', 'user', 'data']) mkdirSync(join(root, folder));
  file = join(root, 'project', PROJECT_FILE);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const data = () => join(root, 'data');
function load(options: LoadOptions = {}): LoadedConfig {
  return loadConfig({ cwd: join(root, 'project'), env: {}, directories: { data: data(), config: join(root, 'user') }, ...options });
}
function write(content: unknown): string {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  writeFileSync(file, text);
  return text;
}
const trust = (text: string): void => trustFile({ path: file, text }, data());
const user = (content: unknown): void => writeFileSync(join(root, 'user', 'config.json'), JSON.stringify(content));

/** The only keys that reach no further than the project. A new one belongs here only after somebody asked what a stranger could do with it. */
const PROJECT_KEYS = [
  'search.defaultMode',
  'search.vectorWeight',
  'search.keywordWeight',
  'search.recencyWeight',
  'search.importanceWeight',
  'search.limit',
  'search.hnswEf',
  'memory.namespace',
  'memory.container',
  'index.maxFileSizeKB',
  'index.chunkSize',
  'index.maxFilesPerScan',
];

describe('an untrusted project file', () => {
  it.each(CONFIG_KEYS.filter(({ path }) => path !== 'version').map((key) => [key.path, key] as const))(
    'sets %s only if that cannot reach beyond the project',
    (path, key) => {
      const [, value] = sampleOf(key, join(root, 'somewhere'));
      write(key.segments.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value));
      const loaded = load();
      const isAllowed = PROJECT_KEYS.includes(path) || path === 'capture.enabled';
      expect(loaded.values.find(({ key: name }) => name === path)?.source).toBe(isAllowed ? 'project file' : 'default');
      expect(loaded.untrusted).toEqual(isAllowed ? undefined : { path: file, keys: [path], faults: [] });
    },
  );

  it('is reported in one warning with what it sets and the two ways to apply it', () => {
    write({ storage: { path: './store' }, embeddings: { provider: 'openai' }, search: { limit: 3 } });
    expect(load().warnings).toEqual([
      `${file} sets storage.path and embeddings.provider, which are not applied: you have not trusted this file as it is now. ` +
        `To use them, put them into ${join(root, 'user', 'config.json')}, or read the file and run \`lore trust\` in ${join(root, 'project')}.`,
    ]);
    expect(load().config.search.limit).toBe(3);
  });

  it('cannot switch capture on, or change anything that the user has set', () => {
    user({ capture: { enabled: false }, server: { auth: { enabled: true } } });
    write({ capture: { enabled: true }, server: { auth: { enabled: false, apiKeys: ['theirs'] } } });
    const { config } = load();
    expect([config.capture.enabled, config.server.auth]).toEqual([false, { enabled: true, apiKeys: [] }]);
  });

  it('lets the user file set what the project file may not', () => {
    user({ storage: { path: '/mine' } });
    write({ storage: { path: '/theirs' } });
    expect(load().values.find(({ key }) => key === 'storage.path')).toMatchObject({ value: '/mine', source: 'user file' });
  });

  it.each<[string, unknown, string]>([
    ['a value that is not allowed', { search: { limit: 1000 } }, 'search.limit = 1000 (FILE): must be a whole number from 1 to 100'],
    ['an unknown key', { sorage: {} }, 'sorage (FILE): unknown key. Did you mean storage?'],
    ['no JSON', '{ "search" 5 }', 'FILE: is not valid JSON: colon expected at line 1, column 12'],
    ['brackets without end', `{"a":${'['.repeat(30_000)}`, 'FILE: is nested too deeply'],
    ['more than anybody writes', `{"a":"${'x'.repeat(70_000)}"}`, 'FILE: is larger than 64 KB'],
    [
      'a newer version',
      { version: '9.0.0' },
      'version = "9.0.0" (FILE): is newer than this version of Lore supports (0.1.0); update Lore to use this file',
    ],
    ['a value against one of the user', { search: { limit: 60 } }, 'search.limit = 60 (FILE): must be at most memory.maxLimit (50)'],
    [
      'a value against a variable',
      { search: { keywordWeight: 0 } },
      'search.keywordWeight = 0 (FILE): does not fit: search.vectorWeight must be above 0 if search.keywordWeight is 0',
    ],
  ])('stops no command by %s, but does not pass a check', (_what, content, fault) => {
    user({ memory: { maxLimit: 50 } });
    write(content);
    const env = { SERVICE_SEARCH_VECTOR_WEIGHT: '0' };
    const { config, warnings } = load({ env });
    expect([config.search.limit, config.search.keywordWeight]).toEqual([10, undefined]);
    expect(warnings).toEqual([`Not applied: ${fault.replaceAll('FILE', file)}`]);
    expect(() => load({ env, strict: true })).toThrow(expect.objectContaining({ code: 'config' }));
  });

  it('hides no fault of other files, and does not override what they set', () => {
    user({ memory: { maxLimit: 50 } });
    write({ search: { limit: 60 } });
    expect(() => load({ env: { SERVICE_PORT: 'http' } })).toThrow(
      expect.objectContaining({ message: expect.stringContaining('server.port') }),
    );
    const { config } = load({ env: { SERVICE_PORT: '7100' } });
    expect([config.server.port, config.memory.maxLimit, config.search.limit]).toEqual([7100, 50, 10]);
  });

  it('is reported with its forbidden settings and its errors, also if there is one of each', () => {
    write({ storage: { path: './store' }, search: { limit: 1000 } });
    expect(load().untrusted).toMatchObject({ keys: ['storage.path'], faults: [{ key: 'search.limit' }] });
  });

  it('has its first faults listed and the others counted, and long names are not compared', () => {
    write(Object.fromEntries([...Array.from({ length: 50 }, (_, nth) => [`key${nth}`, 1] as const), ['k'.repeat(50_000), 1]]));
    const { warnings } = load();
    expect(warnings).toHaveLength(6);
    expect(warnings.at(-1)).toBe(`\`lore config --validate\` shows 46 more errors of ${file}.`);
  });

  it.each([
    ['a folder', () => mkdirSync(file)],
    ['a device', () => symlinkSync('/dev/zero', file)],
    ['a link that goes round', () => symlinkSync(file, file)],
  ])('stops no command by being %s', (_what, make) => {
    make();
    expect(load().warnings).toEqual([expect.stringContaining(`Not applied: ${file}: `)]);
  });

  it('sets no prototype', () => {
    write('{ "__proto__": { "storage": { "path": "/theirs" } }, "constructor": 1 }');
    expect(load().config.storage.path).toBe(join(data(), 'store'));
  });
});

describe('a trusted project file', () => {
  it('is applied as a whole, and its errors are reported', () => {
    trust(write({ storage: { path: './memories' }, capture: { enabled: true } }));
    const { config, untrusted, warnings } = load();
    expect([config.storage.path, untrusted, warnings]).toEqual([join(root, 'project', 'memories'), undefined, []]);
    trust(write({ search: { limit: 1000 } }));
    expect(() => load()).toThrow(expect.objectContaining({ code: 'config' }));
  });

  it('loses trust when it changes, and regains it when it is as before', () => {
    const text = write({ storage: { path: '/one' } });
    trust(text);
    write({ storage: { path: '/two' } });
    expect(load().config.storage.path).toBe(join(data(), 'store'));
    expect(trustedFiles(data())).toEqual([{ path: file, state: 'changed' }]);
    write(text);
    expect(load().config.storage.path).toBe('/one');
  });

  it('is not trusted in another folder with the same content, or behind a link from there', () => {
    trust(write({ storage: { path: './store' } }));
    const other = join(root, 'other');
    mkdirSync(other);
    symlinkSync(file, join(other, PROJECT_FILE));
    const loaded = load({ cwd: other });
    expect([loaded.config.storage.path, loaded.untrusted?.keys]).toEqual([join(data(), 'store'), ['storage.path']]);
  });

  it('is trusted by any path to its folder', () => {
    trust(write({ storage: { path: '/mine' } }));
    symlinkSync(join(root, 'project'), join(root, 'way'));
    expect(load({ cwd: join(root, 'way') }).config.storage.path).toBe('/mine');
  });

  it('is listed for this user only, until it is revoked', () => {
    trust(write({ storage: { path: '/one' } }));
    trust(write({ storage: { path: '/two' } }));
    expect(trustedFiles(data())).toEqual([{ path: file, state: 'trusted' }]);
    const records = join(data(), 'trusted');
    expect([statSync(records).mode & 0o777, ...readdirSync(records).map((name) => statSync(join(records, name)).mode & 0o777)]).toEqual([
      0o700, 0o600,
    ]);
    rmSync(file);
    expect(trustedFiles(data())).toEqual([{ path: file, state: 'missing' }]);
    expect([revokeTrust(file, data()), revokeTrust(file, data()), trustedFiles(data())]).toEqual([true, false, []]);
  });
});

it('a file named explicitly needs no trust', () => {
  write({ storage: { path: '/named' } });
  expect(load({ configFile: file }).config.storage.path).toBe('/named');
  expect(load({ env: { SERVICE_CONFIG: file } }).config.storage.path).toBe('/named');
});
