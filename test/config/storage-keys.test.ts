import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig, maskedValues, type LoadedConfig } from '../../src/config/load.ts';
import type { LoreError } from '../../src/memory/errors.ts';
import { isOnObjectStorage, isStoreLocation, withoutCredentials } from '../../src/memory/store-address.ts';
import { failureOf } from '../helpers/failure.ts';
import { temporaryFolder } from '../helpers/folder.ts';

const SECRET = 'zq8Vn2+Lk/yH3w==';

function load(root: string, env: NodeJS.ProcessEnv = {}): LoadedConfig {
  return loadConfig({ cwd: root, env, directories: { data: join(root, 'data'), config: join(root, 'user') } });
}

async function refusal(root: string, env: NodeJS.ProcessEnv): Promise<LoreError> {
  return (await failureOf(Promise.resolve().then(() => load(root, env)))) as LoreError;
}

describe('the location of a store', () => {
  it.each([
    'az://container',
    'az://container/team/lore',
    's3://bucket/prefix',
    'gs://bucket/prefix',
    'abfss://container@account.dfs.core.windows.net/prefix',
  ])('%s is object storage', (place) => expect([isStoreLocation(place), isOnObjectStorage(place)]).toEqual([true, true]));

  it.each(['/var/lib/lore', 'C:\\Users\\me\\lore', './here', 'az:/container'])('%s is a folder', (place) =>
    expect([isStoreLocation(place), isOnObjectStorage(place)]).toEqual([true, false]),
  );

  it.each([
    'http://host/store',
    'ftp://host/store',
    'file:///var/lib/lore',
    'db://',
    'db://key@database',
    'db://database/table',
    'db://database?key=sk',
    'az://',
    's3:///prefix',
    'AZ://container',
    's3://user:password@bucket/prefix',
    'az://container/prefix?sv=2024&sig=abc',
    'gs://bucket/prefix#part',
    'abfss://container/prefix',
  ])('%s is invalid', (place) => expect(isStoreLocation(place)).toBe(false));
});

describe('a store on object storage in the configuration', () => {
  it('is never treated as a path, and trailing slashes make no difference', async () => {
    await using folder = await temporaryFolder();
    const { config } = load(folder.path, { SERVICE_STORAGE_PATH: 'az://container/team//' });
    expect(config.storage.path).toBe('az://container/team');
  });

  it('has a local folder for server files below the data folder, one for each store', async () => {
    await using folder = await temporaryFolder();
    const [one, same, other] = ['az://c/one', 'az://c/one/', 'az://c/other'].map(
      (path) => load(folder.path, { SERVICE_STORAGE_PATH: path }).config,
    );
    expect(one?.storage.localPath).toMatch(/^.*data\/shared\/[0-9a-f]{16}$/);
    expect(one?.audit.path).toBe(join(one?.storage.localPath ?? '', 'audit'));
    expect(same?.storage.localPath).toBe(one?.storage.localPath);
    expect(other?.storage.localPath).not.toBe(one?.storage.localPath);
  });

  it('uses the configured local folder and audit log folder', async () => {
    await using folder = await temporaryFolder();
    const env = { SERVICE_STORAGE_PATH: 'az://c/one', SERVICE_STORAGE_LOCAL_PATH: 'own' };
    expect(load(folder.path, env).config).toMatchObject({
      storage: { localPath: join(folder.path, 'own') },
      audit: { path: join(folder.path, 'own', 'audit') },
    });
    expect(load(folder.path, { ...env, SERVICE_AUDIT_PATH: 'log' }).config.audit.path).toBe(join(folder.path, 'log'));
  });

  it('warns of a backup interval without a backup location', async () => {
    await using folder = await temporaryFolder();
    const env = { SERVICE_STORAGE_BACKUP_INTERVAL: '1000', SERVICE_STORAGE_PATH: 's3://bucket/prefix' };
    expect(load(folder.path, env).warnings).toEqual([
      'storage.backupInterval has no effect without storage.backupPath: the store is on object storage (docs/shared-store.md).',
    ]);
    expect(load(folder.path, { ...env, SERVICE_STORAGE_BACKUP_PATH: 'backups' }).warnings).toEqual([]);
    expect(load(folder.path, { SERVICE_STORAGE_BACKUP_INTERVAL: '1000' }).warnings).toEqual([]);
  });

  it('accepts a backup location on object storage next to it, and no other', async () => {
    await using folder = await temporaryFolder();
    const env = (path: string, backups: string) => ({ SERVICE_STORAGE_PATH: path, SERVICE_STORAGE_BACKUP_PATH: backups });
    expect(load(folder.path, env('az://c/team', 's3://bucket/team/')).config.storage.backupPath).toBe('s3://bucket/team');
    expect(load(folder.path, env('az://c/team', 'az://c/team-backups')).config.storage.backupPath).toBe('az://c/team-backups');
    for (const place of ['az://c/team', 'az://c/team/backups', 'az://c']) {
      expect((await refusal(folder.path, env('az://c/team', place))).message).toContain('must not be inside storage.path or contain it');
    }
    expect((await refusal(folder.path, env('store', 'az://c/backups'))).message).toContain('must be a folder if storage.path is a folder');
    for (const place of ['db://team', `az://c/p?sig=${SECRET}`]) {
      const { message } = await refusal(folder.path, env('az://c/team', place));
      expect(message).toContain('(SERVICE_STORAGE_BACKUP_PATH): must be a folder, or a URI such as s3://bucket/prefix');
      expect(message).not.toContain(SECRET);
    }
  });

  it('names LanceDB Cloud in these warnings', async () => {
    await using folder = await temporaryFolder();
    const env = { SERVICE_STORAGE_BACKUP_INTERVAL: '1000', SERVICE_STORAGE_PATH: 'db://team/' };
    const { config, warnings } = load(folder.path, env);
    expect(config.storage).toMatchObject({ path: 'db://team', localPath: expect.stringMatching(/data\/shared\/[0-9a-f]{16}$/) as string });
    expect(warnings).toEqual([
      'storage.backupInterval has no effect without storage.backupPath: the store is in LanceDB Cloud (docs/lancedb-cloud.md).',
    ]);
  });

  it('rejects other addresses, lists the allowed ones, and does not repeat credentials', async () => {
    await using folder = await temporaryFolder();
    for (const path of ['http://host/store', `s3://key:${SECRET}@bucket`, `az://c/p?sig=${SECRET}`]) {
      const { code, message } = await refusal(folder.path, { SERVICE_STORAGE_PATH: path });
      expect(code).toBe('config');
      expect(message).toContain('(SERVICE_STORAGE_PATH): must be a folder, or a URI such as s3://bucket/prefix');
      expect(message).toContain('Put keys and tokens into storage.options');
      expect(message).not.toContain(SECRET);
    }
  });
});

describe('options of object storage', () => {
  it('are read from a variable as pairs or as a JSON object', async () => {
    await using folder = await temporaryFolder();
    const options = { account_name: 'team', account_key: SECRET };
    for (const text of [`account_name=team, account_key=${SECRET}`, ` ${JSON.stringify(options)}`]) {
      expect(load(folder.path, { SERVICE_STORAGE_OPTIONS: text }).config.storage.options).toEqual(options);
    }
  });

  it('are rejected without showing their values if they are not texts', async () => {
    await using folder = await temporaryFolder();
    for (const text of [SECRET.replaceAll('=', ''), `{"account_key": ["${SECRET}"]}`, `{"account_key": "${SECRET}"`]) {
      const { code, message } = await refusal(folder.path, { SERVICE_STORAGE_OPTIONS: text });
      expect({ code, told: message.includes(SECRET.slice(0, 6)) }).toEqual({ code: 'config', told: false });
      expect(message).toContain('a map of texts');
    }
  });

  it('are shown by name only', async () => {
    await using folder = await temporaryFolder();
    const shown = maskedValues(load(folder.path, { SERVICE_STORAGE_OPTIONS: `account_key=${SECRET}` }));
    expect(shown.find(({ key }) => key === 'storage.options')?.value).toEqual({ account_key: '********' });
    expect(JSON.stringify(shown)).not.toContain(SECRET);
  });
});

describe('a displayed address', () => {
  it.each([
    ['s3://key:secret@bucket/store', 's3://…@bucket/store'],
    ['https://me@host/v1?key=secret', 'https://…@host/v1?…'],
    ['s3://key:a/b+c==@bucket', 's3://…@bucket'],
    ['abfss://container@account.dfs.core.windows.net/p', 'abfss://container@account.dfs.core.windows.net/p'],
    ['/a folder/with@sign?', '/a folder/with@sign?'],
  ])('%s becomes %s', (address, shown) => expect(withoutCredentials(address)).toBe(shown));
});
