import * as lancedb from '@lancedb/lancedb';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { silentLog } from '../../../../src/memory/log.ts';
import { BackupFolder } from '../../../../src/store/backup/backup-folder.ts';
import { defaultBackupLocation, upgradeFormat } from '../../../../src/store/backends/folder/migrations.ts';
import { FORMAT_VERSION } from '../../../../src/store/format/schema.ts';
import { temporaryFolder } from '../../../helpers/folder.ts';
import { allEntries, openTestStore, row } from '../../../helpers/store.ts';

async function withTable<T>(path: string, name: string, use: (table: lancedb.Table) => Promise<T>): Promise<T> {
  const connection = await lancedb.connect(path);
  const table = await connection.openTable(name);
  try {
    return await use(table);
  } finally {
    table.close();
    connection.close();
  }
}

const formatOf = (path: string) =>
  withTable(path, 'meta', async (table) => {
    const [found] = (await table.query().where("key = 'format'").toArray()) as { value: string }[];
    return found?.value;
  });
const indexesOf = (path: string) =>
  withTable(path, 'entries', async (table) => (await table.listIndices()).flatMap(({ columns }) => columns));
const setFormat = (path: string, format: number) =>
  withTable(path, 'meta', (table) => table.update({ where: "key = 'format'", values: { value: String(format) } }));

/** A store as format 1 was: without the index of `status`, with entries in the table and some in the journal alone. */
async function oldStore(path: string): Promise<void> {
  const store = await openTestStore(path);
  for (let nth = 0; nth < 20; nth += 1) await store.entries.insert(row(`crane ${nth}`));
  await store.optimize();
  await store.entries.insert(row('fresh one'));
  await store.entries.insert(row('fresh two'));
  const [first] = await allEntries(store);
  await store.entries.remove(first!.id);
  await store.close();
  await withTable(path, 'entries', async (table) => {
    await table.dropIndex('status_idx');
    await writeFile(join(path, 'head.json'), JSON.stringify({ version: await table.version() }));
  });
  await setFormat(path, 1);
}

describe('a store of an older format', () => {
  it('is converted when it is opened, after a backup', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'store');
    await oldStore(path);
    const store = await openTestStore(path);
    expect((await allEntries(store)).map(({ content }) => content)).toEqual([
      ...Array.from({ length: 19 }, (_, nth) => `crane ${nth + 1}`),
      'fresh one',
      'fresh two',
    ]);
    expect(await store.searchKeywords({ tokens: ['crane'], filter: { current: true }, limit: 3 })).toHaveLength(3);
    await store.close();
    expect(await formatOf(path)).toBe(String(FORMAT_VERSION));
    expect(await indexesOf(path)).toContain('status');
    expect(await readdir(path)).not.toContain('upgrade.json');

    const backups = new BackupFolder(defaultBackupLocation(path).location);
    const [backup] = await backups.list();
    expect(backup?.manifest).toMatchObject({ kind: 'manual', entries: 21 });
    expect(await backups.problems(backup!)).toEqual([]);
    const before = join(folder.path, 'before');
    await backups.unpack(backup!, before);
    expect([await formatOf(before), (await indexesOf(before)).includes('status')]).toEqual(['1', false]);

    // Opening it again finds nothing to do.
    await (await openTestStore(path)).close();
    expect(await backups.list()).toHaveLength(1);
  });

  it('is unchanged if no backup can be made', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'store');
    await oldStore(path);
    await rm(join(folder.path, 'backups'), { recursive: true, force: true });
    await writeFile(join(folder.path, 'backups'), 'a file in the way');
    await expect(openTestStore(path)).rejects.toMatchObject({ code: 'unavailable' });
    expect([await formatOf(path), (await indexesOf(path)).includes('status')]).toEqual(['1', false]);
  });

  it('is completed after an interruption, without another backup', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'store');
    await oldStore(path);
    const upgrade = { path, synced: true, place: defaultBackupLocation(path), log: silentLog };
    // A process that ends leaves the files as they are at that moment: taken aside in the middle of the step, and used instead.
    const cut = join(folder.path, 'cut');
    const halfway = (): Promise<void> =>
      withTable(path, 'entries', async (table) => {
        await table.createIndex('status', { config: lancedb.Index.bitmap() });
        await cp(path, cut, { recursive: true });
        throw new Error('ended here');
      });
    await expect(upgradeFormat(upgrade, { 1: halfway })).rejects.toThrow('ended here');
    expect(JSON.parse(await readFile(join(cut, 'upgrade.json'), 'utf8'))).toHaveProperty('backup');
    const store = await openTestStore(cut);
    expect((await allEntries(store)).length).toBe(21);
    await store.close();
    expect(await formatOf(cut)).toBe(String(FORMAT_VERSION));
    expect(await indexesOf(cut)).toContain('status');
    expect(await new BackupFolder(defaultBackupLocation(path).location).list()).toHaveLength(1);
    expect(await new BackupFolder(defaultBackupLocation(cut).location).list()).toEqual([]);
  });

  it('passes every step in order', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'store');
    await oldStore(path);
    await setFormat(path, 0);
    const seen: string[] = [];
    const step = (name: string) => async (): Promise<void> => void seen.push(`${name} of ${await formatOf(path)}`);
    await upgradeFormat(
      { path, synced: true, place: defaultBackupLocation(path), log: silentLog },
      { 0: step('first'), 1: step('second') },
    );
    expect(seen).toEqual(['first of 0', 'second of 1']);
    expect(await formatOf(path)).toBe(String(FORMAT_VERSION));
  });
});

describe('a store of a newer format', () => {
  it('is refused before anything changes', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'store');
    await oldStore(path);
    await setFormat(path, FORMAT_VERSION + 1);
    await expect(openTestStore(path)).rejects.toMatchObject({
      code: 'filesystem',
      message: expect.stringContaining(`has format ${FORMAT_VERSION + 1}; this version of Lore reads up to ${FORMAT_VERSION}`),
    });
    expect((await indexesOf(path)).includes('status')).toBe(false);
    expect(await readdir(folder.path)).toEqual(['store']);
  });
});
