import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { generateKey, listKeys, openKeyRing, revokeKey } from '../../src/config/api-keys.ts';
import { loadConfig } from '../../src/config/load.ts';
import { ConfigSchema } from '../../src/config/schema.ts';
import { recordedLog } from '../helpers/recorded-log.ts';

let root: string;
let file: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lore-keys-'));
  file = join(root, 'config', 'keys.json');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function ring(auth: { enabled?: boolean; apiKeys?: string[] } = {}) {
  return openKeyRing({ config: ConfigSchema.parse({ server: { auth } }), file, checkEveryMs: 0 });
}

describe('generated keys', () => {
  it('have 32 random bytes, are shown once, and are stored as SHA-256 in a private file', async () => {
    const { key, record } = await generateKey({ file, name: 'laptop', access: 'read', namespace: 'owner/repo' });
    expect(key).toMatch(/^lore_[A-Za-z0-9_-]{43}$/);
    expect(record).toMatchObject({ name: 'laptop', access: 'read', namespace: 'owner/repo' });
    const text = readFileSync(file, 'utf8');
    expect(text).not.toContain(key.slice(5));
    expect(text).toContain(createHash('sha256').update(key).digest('hex'));
    expect(await listKeys(file)).toEqual([record]);
    expect(existsSync(`${file}.new`)).toBe(false);
  });

  it('are stored with mode 0600 in a folder of mode 0700', async () => {
    await generateKey({ file, access: 'full' });
    await generateKey({ file, access: 'full' });
    // Windows has no such modes and shows every writable file so.
    const [fileMode, folderMode] = process.platform === 'win32' ? [0o666, 0o666] : [0o600, 0o700];
    expect(statSync(file).mode & 0o777).toBe(fileMode);
    expect(statSync(join(root, 'config')).mode & 0o777).toBe(folderMode);
  });

  it('get a generated name by default, and names stay unique', async () => {
    const { record } = await generateKey({ file, access: 'full' });
    expect(record.name).toBe(`key-${record.id}`);
    await expect(generateKey({ file, name: record.name, access: 'full' })).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(generateKey({ file, name: 'a\nb', access: 'full' })).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(generateKey({ file, access: 'full', namespace: '' })).rejects.toMatchObject({ code: 'invalid_input' });
    expect(await listKeys(file)).toHaveLength(1);
    expect(existsSync(`${file}.new`)).toBe(false);
  });

  it('survive concurrent creation', async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => generateKey({ file, access: 'full' })));
    expect((await listKeys(file)).map(({ id }) => id).toSorted()).toEqual(made.map(({ record }) => record.id).toSorted());
  });

  it('can be created after a process died while changing the file', async () => {
    await generateKey({ file, access: 'full' });
    writeFileSync(`${file}.new`, 'half');
    utimesSync(`${file}.new`, 1, 1);
    await generateKey({ file, access: 'full' });
    expect(await listKeys(file)).toHaveLength(2);
  });

  it('can be revoked by name, id or id prefix', async () => {
    const made = [];
    for (const name of ['one', 'two', 'three']) made.push(await generateKey({ file, name, access: 'full' }));
    const [, two, three] = made.map(({ record }) => record);
    expect(await revokeKey({ file, key: 'one' })).toMatchObject({ name: 'one' });
    expect(await revokeKey({ file, key: two?.id ?? '' })).toEqual(two);
    expect(await revokeKey({ file, key: three?.id.slice(0, 6) ?? '' })).toEqual(three);
    expect(await listKeys(file)).toEqual([]);
  });

  it('are not revoked by an unknown or ambiguous name', async () => {
    const { record } = await generateKey({ file, name: 'one', access: 'full' });
    const other = { ...record, id: `${record.id.slice(0, 6)}${record.id.endsWith('0') ? '111111' : '000000'}`, name: 'other' };
    writeFileSync(file, JSON.stringify({ version: 1, keys: [record, other] }));
    for (const key of ['', 'x', record.id.slice(0, 3), 'zzzz']) {
      await expect(revokeKey({ file, key })).rejects.toMatchObject({ code: 'not_found' });
    }
    await expect(revokeKey({ file, key: record.id.slice(0, 6) })).rejects.toMatchObject({ code: 'invalid_input' });
    expect(await listKeys(file)).toHaveLength(2);
  });

  it('never overwrite a damaged file', async () => {
    await generateKey({ file, access: 'full' });
    writeFileSync(file, '{');
    await expect(generateKey({ file, access: 'full' })).rejects.toMatchObject({ code: 'config' });
    await expect(listKeys(file)).rejects.toMatchObject({ code: 'config' });
    expect(readFileSync(file, 'utf8')).toBe('{');
  });
});

describe('a key ring', () => {
  it('requires no key if none is configured', () => {
    expect(ring().required).toBe(false);
    expect(ring().grantFor('anything')).toBeUndefined();
  });

  it('grants everything to a configured key and to no other', () => {
    const keys = ring({ apiKeys: ['one', 'two'] });
    expect(keys.required).toBe(true);
    expect(keys.grantFor('two')).toEqual({ name: 'configured key 2', access: 'full' });
    for (const wrong of ['', 'on', 'onee', 'ONE', 'one ']) expect(keys.grantFor(wrong)).toBeUndefined();
  });

  it('follows server.auth.enabled if it is set', () => {
    expect(ring({ enabled: true }).required).toBe(true);
    expect(ring({ enabled: false, apiKeys: ['one'] }).required).toBe(false);
  });

  it('takes SERVICE_API_KEY', () => {
    const directories = { data: root, config: root };
    const { config } = loadConfig({ cwd: root, env: { SERVICE_API_KEY: 'hush' }, directories });
    const keys = openKeyRing({ config, file });
    expect(keys.required).toBe(true);
    expect(keys.grantFor('hush')).toMatchObject({ access: 'full' });
  });

  it('gives a generated key its access, and notices new and revoked keys at run time', async () => {
    const keys = ring();
    const { key } = await generateKey({ file, name: 'reader', access: 'read', namespace: 'notes' });
    expect(keys.required).toBe(true);
    expect(keys.grantFor(key)).toEqual({ name: 'reader', access: 'read', namespace: 'notes' });
    await revokeKey({ file, key: 'reader' });
    expect(keys.grantFor(key)).toBeUndefined();
    expect(keys.required).toBe(true);
    expect(ring().required).toBe(false);
  });

  it('finds each of very many keys', () => {
    const keys = Array.from({ length: 20_000 }, (_, nth) => `key ${nth}`);
    const records = keys.map((key, nth) => ({
      id: nth.toString(16).padStart(12, '0'),
      name: `name ${nth}`,
      access: 'read',
      sha256: createHash('sha256').update(key).digest('hex'),
      createdAt: '2026-01-01T00:00:00.000Z',
    }));
    mkdirSync(join(root, 'config'));
    writeFileSync(file, JSON.stringify({ version: 1, keys: records }));
    const known = ring({ apiKeys: ['key_1', 'key_2', 'key_1'] });
    // Were each compared with every other, this would take minutes.
    expect(keys.map((key) => known.grantFor(key)?.name)).toEqual(records.map(({ name }) => name));
    expect(known.grantFor('key_1')).toEqual({ name: 'configured key 1', access: 'full' });
    expect(known.grantFor('key 20000')).toBeUndefined();
  });

  it('sees changes of its own process at once', async () => {
    const keys = openKeyRing({ config: ConfigSchema.parse({}), file, now: () => 5_000 });
    const { key } = await generateKey({ file, name: 'all', access: 'full' });
    expect([keys.required, keys.grantFor(key)?.name]).toEqual([true, 'all']);
    await revokeKey({ file, key: 'all' });
    expect([keys.required, keys.grantFor(key)]).toEqual([true, undefined]);
  });

  it('reads its file at most once a second', async () => {
    let now = 5_000;
    const made = join(root, 'elsewhere.json');
    const { key } = await generateKey({ file: made, name: 'all', access: 'full' });
    const keys = openKeyRing({ config: ConfigSchema.parse({}), file, now: () => now });
    mkdirSync(dirname(file));
    copyFileSync(made, file);
    now += 999;
    expect(keys.grantFor(key)).toBeUndefined();
    now += 1;
    // Nothing is said of a namespace where the key is for all of them.
    expect(keys.grantFor(key)).toStrictEqual({ name: 'all', access: 'full' });
    rmSync(file);
    now += 999;
    expect(keys.grantFor(key)).toBeDefined();
    now += 1;
    expect(keys.grantFor(key)).toBeUndefined();
  });

  it('stays closed after its last key is revoked, even if it was never used before', async () => {
    const { key } = await generateKey({ file, name: 'only', access: 'full' });
    const keys = ring();
    await revokeKey({ file, key: 'only' });
    expect(keys.grantFor(key)).toBeUndefined();
    expect(keys.required).toBe(true);
  });

  it('stays open while its file has no key', () => {
    const keys = ring();
    mkdirSync(join(root, 'config'));
    writeFileSync(file, JSON.stringify({ version: 1, keys: [] }));
    expect(keys.grantFor('any')).toBeUndefined();
    expect(keys.required).toBe(false);
  });

  it('warns once of an unreadable file, and again if it happens another time', async () => {
    const { key } = await generateKey({ file, access: 'full' });
    const whole = readFileSync(file);
    const log = recordedLog();
    const keys = openKeyRing({ config: ConfigSchema.parse({}), file, checkEveryMs: 0, log });
    for (const times of [1, 2]) {
      writeFileSync(file, '{');
      for (let nth = 0; nth < 3; nth += 1) expect(keys.grantFor(key)).toBeUndefined();
      expect(log.lines).toHaveLength(times);
      expect(log.lines.at(-1)).toMatchObject({ level: 'warn', fields: { err: { code: 'config' } } });
      expect(log.lines.at(-1)!.message).toContain('keys file');
      writeFileSync(file, whole);
      expect(keys.grantFor(key)).toBeDefined();
    }
  });

  it('stays closed if its file is missing or damaged', async () => {
    const { key } = await generateKey({ file, access: 'full' });
    const keys = ring();
    writeFileSync(file, '{ "version": 1');
    expect(keys.grantFor(key)).toBeUndefined();
    expect(keys.required).toBe(true);
    rmSync(file);
    expect(keys.required).toBe(true);
    writeFileSync(file, '[]');
    expect(() => ring()).toThrow(expect.objectContaining({ code: 'config' }));
  });

  it.skipIf(process.platform === 'win32')('reopens once its file is readable again, also after other errors', async () => {
    const { key } = await generateKey({ file, access: 'full' });
    const ringUrl = new URL('../../dist/config/key-ring.js', import.meta.url).href;
    // The file is new to it, and no file can be opened; then again.
    const script = `
      import { closeSync, openSync, utimesSync } from 'node:fs';
      import { openKeyRing } from ${JSON.stringify(ringUrl)};
      const [file, key] = process.argv.slice(1);
      const warned = [];
      const log = { warn: (_fields, message) => warned.push(message) };
      const ring = openKeyRing({ config: { server: { auth: { apiKeys: [] } } }, file, checkEveryMs: 0, log });
      const grants = [ring.grantFor(key) !== undefined];
      utimesSync(file, 1, 1);
      const open = [];
      try {
        for (;;) open.push(openSync(file));
      } catch {}
      for (let nth = 0; nth < 3; nth += 1) grants.push(ring.grantFor(key) !== undefined);
      for (const descriptor of open) closeSync(descriptor);
      grants.push(ring.grantFor(key) !== undefined);
      console.log(JSON.stringify({ grants, warned: warned.length, required: ring.required }));`;
    const limited = `ulimit -n 512 && exec "$0" --input-type=module -e "$1" "$2" "$3"`;
    const { stdout } = await promisify(execFile)('sh', ['-c', limited, process.execPath, script, file, key]);
    expect(JSON.parse(stdout)).toEqual({ grants: [true, false, false, false, true], warned: 1, required: true });
  });

  it('accepts generated keys as protection for listening beyond this machine', async () => {
    const options = { cwd: root, env: {}, directories: { data: root, config: join(root, 'config') }, flags: { 'server.host': '0.0.0.0' } };
    expect(() => loadConfig(options)).toThrow(expect.objectContaining({ code: 'config' }));
    await generateKey({ file, access: 'full' });
    expect(loadConfig(options).config.server.host).toBe('0.0.0.0');
  });
});
