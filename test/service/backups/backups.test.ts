import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openApp } from '../../../src/app.ts';
import { silentLog } from '../../../src/memory/log.ts';
import { restoreBackup } from '../../../src/restore-backup.ts';
import { outdatedBackups } from '../../../src/service/backups/backup-keeping.ts';
import { restrictTo } from '../../../src/service/limits.ts';
import { openTestApp, testConfig, type TestApp } from '../../helpers/app.ts';
import { temporaryFolder } from '../../helpers/folder.ts';
import { readExposition, valueOf } from '../../helpers/prometheus.ts';
import { recordedLog } from '../../helpers/recorded-log.ts';

const folderOf = (app: TestApp): string => join(app.folder, 'backups', 'store');
const quick = { 'storage.backupInterval': 50 };
const overdue = async ({ telemetry }: Pick<TestApp, 'telemetry'>): Promise<number | undefined> =>
  valueOf(readExposition((await telemetry.metrics()).text), 'lore_backup_overdue_seconds');

describe('backups on a schedule', () => {
  it('are made after writes, and shown in health', async () => {
    const log = recordedLog();
    await using app = await openTestApp(quick, log);
    await app.memories.save({ content: 'first' });
    const names = async () => (await app.memories.backups.list()).map(({ name, entries }) => `${name} ${entries}`);
    await expect.poll(async () => (await app.memories.backups.list())[0]?.entries).toBe(1);
    const before = await names();
    // The folder has it a moment before the server says so.
    await expect.poll(async () => (await app.memories.health()).lastBackup).toBeDefined();
    const { lastBackup } = await app.memories.health();
    expect(before[0]).toMatch(`${lastBackup!.name} `);
    const idleTurns = (): number => log.lines.filter(({ message }) => message.startsWith('no backup:')).length;
    const turns = idleTurns();
    await expect.poll(idleTurns).toBeGreaterThan(turns + 2);
    expect(await names()).toEqual(before);
    await app.memories.save({ content: 'second' });
    await expect.poll(async () => (await app.memories.backups.list())[0]?.entries).toBe(2);
    await expect.poll(async () => (await app.memories.health()).lastBackup?.name).not.toBe(lastBackup!.name);
    for (const backup of await app.memories.backups.list()) expect(backup).toMatchObject({ kind: 'scheduled', compressed: false });
  });

  it('support the longest interval, which exceeds the maximum of a timer', async () => {
    await using app = await openTestApp({ 'storage.backupInterval': 30 * 86_400_000 });
    const { name } = await app.memories.backups.create();
    await app.memories.save({ content: 'later' });
    await app.close();
    const warnings: string[] = [];
    const note = ({ name }: Error): void => void warnings.push(name);
    process.on('warning', note);
    using _stop = { [Symbol.dispose]: () => process.off('warning', note) };
    await using again = await openApp(app.config, { log: silentLog, cwd: app.folder });
    // Node warns of a timer that is longer than any, and ends it at once.
    await new Promise((resolve) => setImmediate(resolve));
    expect(warnings).not.toContain('TimeoutOverflowWarning');
    expect((await again.memories.backups.list()).map((backup) => backup.name)).toEqual([name]);
  });

  it('are not made with interval 0, or by a command', async () => {
    await using none = await openTestApp({ 'storage.backupInterval': 0 });
    await using folder = await temporaryFolder();
    await using command = await openApp(testConfig(folder.path, quick), { log: silentLog, cwd: folder.path, background: false });
    for (const app of [none, command]) await app.memories.save({ content: 'text' });
    // Another one, opened later, has made one by then.
    await using other = await openTestApp(quick);
    await other.memories.save({ content: 'text' });
    await expect.poll(async () => (await other.memories.backups.list())[0]?.entries).toBe(1);
    for (const app of [none, command]) {
      expect(await app.memories.backups.list()).toEqual([]);
      expect(await app.memories.health()).not.toHaveProperty('lastBackup');
      expect(await overdue(app)).toBeUndefined();
    }
  });

  it('are not overdue at the first start, or once the newest is known to be complete', async () => {
    await using app = await openTestApp({ 'storage.backupInterval': 60_000 });
    expect(await overdue(app)).toBe(0);
    await app.memories.save({ content: 'text' });
    const { name } = await app.memories.backups.create();
    await app.close();
    const manifest = join(folderOf(app), name, 'backup.json');
    const text = await readFile(manifest, 'utf8');
    await writeFile(manifest, text.replace(/"createdAt":\s*"\d+/, '"createdAt": "2020'));
    await using again = await openApp(app.config, { log: silentLog, cwd: app.folder });
    // Nobody has looked yet whether the store has changed since.
    await expect.poll(() => overdue(again)).toBeGreaterThan(86_400);
    await again.memories.backups.create();
    expect(await overdue(again)).toBe(0);
  });

  it('fail without harm: requests continue, health and log report it, and it is retried', async () => {
    const log = recordedLog();
    await using folder = await temporaryFolder();
    const blocked = join(folder.path, 'blocked');
    await writeFile(blocked, 'a file in the way');
    await using app = await openTestApp({ ...quick, 'storage.backupPath': blocked }, log);
    const { ids } = await app.memories.save({ content: 'kept' });
    await expect
      .poll(async () => (await app.memories.health()).degraded)
      .toEqual([expect.stringMatching(/^The last backup failed; Lore retries: Could not read the backups\. The folder/)]);
    expect((await app.memories.get(ids[0]!)).content).toBe('kept');
    expect(log.lines.filter(({ level }) => level === 'warn').map(({ message }) => message)).toContain('the backup failed; Lore retries');
    await expect.poll(() => overdue(app)).toBeGreaterThan(0);
    await rm(blocked);
    await mkdir(blocked);
    await expect.poll(async () => (await app.memories.health()).degraded).toEqual([]);
    expect(await app.memories.backups.list()).toHaveLength(1);
  });
});

describe('a requested backup', () => {
  it.each([false, true])('is complete, also many at once during writes; compressed: %s', async (compression) => {
    await using app = await openTestApp({ 'storage.compression': compression });
    const saves = Array.from({ length: 50 }, (_, nth) => app.memories.save({ content: `text ${nth}` }));
    const made = await Promise.all([app.memories.backups.create(), app.memories.backups.create(), app.memories.backups.create()]);
    await Promise.all(saves);
    const last = await app.memories.backups.create();
    expect(last).toMatchObject({ entries: 50, kind: 'manual', compressed: compression });
    expect(new Set([...made, last].map(({ name }) => name)).size).toBe(4);
    expect((await app.memories.backups.list()).map(({ name }) => name)).toEqual([last, ...made.toReversed()].map(({ name }) => name));
    for (const { name, entries } of [...made, last]) {
      expect(await app.memories.backups.verify({ name })).toEqual({ name, whole: true, problems: [], entries });
    }
    expect(await readdir(dirname(folderOf(app)))).toEqual(['store']);
  });

  it('is among the maintenance runs even if it fails', async () => {
    await using folder = await temporaryFolder();
    const blocked = join(folder.path, 'blocked');
    await writeFile(blocked, 'a file in the way');
    await using app = await openTestApp({ 'storage.backupPath': blocked });
    await expect(app.memories.backups.create()).rejects.toThrow('Could not write the backup');
    const failed = { kind: 'backup', at: expect.any(Number), state: 'failed', error: expect.stringContaining('the backup'), result: {} };
    expect((await app.memories.stats()).runs).toEqual([failed]);
  });

  it('is found damaged if one of its files is', async () => {
    await using app = await openTestApp();
    await app.memories.save({ content: 'text' });
    const { name } = await app.memories.backups.create();
    await writeFile(join(folderOf(app), name, 'head.json'), '{}');
    expect(await app.memories.backups.verify({ name })).toMatchObject({ whole: false, problems: ['head.json is damaged'] });
    await expect(app.memories.backups.verify({ name: '2020-01-01T00-00-00.000Z' })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('requires full access to every namespace', async () => {
    await using app = await openTestApp();
    const { name } = await app.memories.backups.create();
    for (const grant of [
      { name: 'reader', access: 'read' },
      { name: 'bound', access: 'full', namespace: 'mine' },
    ] as const) {
      const { backups } = restrictTo(app.memories, grant);
      for (const call of [backups.create(), backups.list(), backups.verify({ name })])
        await expect(call).rejects.toMatchObject({ code: 'forbidden' });
      const health = await restrictTo(app.memories, grant).health();
      // It is of all namespaces.
      expect(Object.keys(health.lastBackup ?? {})).toEqual('namespace' in grant ? [] : ['name', 'createdAt']);
    }
  });
});

describe('a restore', () => {
  it('restores the previous state, and keeps the replaced store', async () => {
    await using app = await openTestApp();
    const { ids } = await app.memories.save({ content: 'then' });
    const { name } = await app.memories.backups.create();
    await app.memories.forget(ids[0]!);
    await app.memories.save({ content: 'now' });
    await expect(restoreBackup(app.config, name, { log: silentLog })).rejects.toMatchObject({
      code: 'filesystem',
      message: expect.stringContaining(`is open in process ${process.pid}`),
    });
    await app.close();
    const restored = await restoreBackup(app.config, name, { log: silentLog });
    expect(restored).toMatchObject({ name, entries: 1, store: join(app.folder, 'store') });
    const contents = async (path: string): Promise<string[]> => {
      await using opened = await openApp(testConfig(app.folder, { 'storage.path': path }), { log: silentLog, background: false });
      return (await opened.memories.list({})).entries.map(({ content }) => content);
    };
    expect(await contents(restored.store)).toEqual(['then']);
    expect(await contents(restored.kept!)).toEqual(['now']);
    expect((await readdir(app.folder)).filter((file) => file.includes('restoring'))).toEqual([]);
  });

  it('changes nothing if the backup is damaged or unknown', async () => {
    await using app = await openTestApp();
    await app.memories.save({ content: 'kept' });
    const { name } = await app.memories.backups.create();
    await writeFile(join(folderOf(app), name, 'head.json'), '{}');
    await app.close();
    const before = await readdir(app.folder);
    await expect(restoreBackup(app.config, name, { log: silentLog })).rejects.toMatchObject({ code: 'filesystem' });
    await expect(restoreBackup(app.config, '../store', { log: silentLog })).rejects.toMatchObject({ code: 'not_found' });
    expect(await readdir(app.folder)).toEqual(before);
  });

  it('creates a missing store', async () => {
    await using app = await openTestApp();
    await app.memories.save({ content: 'kept' });
    const { name } = await app.memories.backups.create();
    await app.close();
    await rm(join(app.folder, 'store'), { recursive: true });
    expect(await restoreBackup(app.config, name, { log: silentLog })).toEqual({ name, entries: 1, store: join(app.folder, 'store') });
  });
});

describe('backup retention', () => {
  const HOUR = 3_600_000;
  const START = Date.UTC(2026, 0, 5);
  const every = (stepMs: number, count: number) =>
    Array.from({ length: count }, (_, nth) => ({ kind: 'scheduled' as const, createdAt: START + nth * stepMs, nth }));

  it('keeps the last of each of 24 hours, 7 days and 4 weeks', () => {
    const backups = every(HOUR / 2, 2 * 24 * 60);
    const outdated = new Set(outdatedBackups(backups));
    const kept = backups.filter((backup) => !outdated.has(backup)).toReversed();
    const ends = kept.map(({ createdAt }) => (createdAt - START) / HOUR);
    // 60 days: 1,439.5 hours after the start is the last one.
    const hours = Array.from({ length: 24 }, (_, nth) => 1439.5 - nth);
    const days = Array.from({ length: 6 }, (_, nth) => 1415.5 - 24 * nth);
    const weeks = [1343.5, 1175.5, 1007.5];
    expect(ends).toEqual([...new Set([...hours, ...days, ...weeks])].toSorted((a, b) => b - a));
  });

  it('never removes the newest or a requested one, or any while nothing is written', () => {
    expect(outdatedBackups([])).toEqual([]);
    const manual = every(HOUR, 500).map((backup) => ({ ...backup, kind: 'manual' as const }));
    expect(outdatedBackups(manual)).toEqual([]);
    const old = every(40 * 24 * HOUR, 3);
    expect(outdatedBackups(old)).toEqual([]);
    const [newest] = every(1000, 3000).toReversed();
    expect(outdatedBackups(every(1000, 3000)).map(({ nth }) => nth)).not.toContain(newest!.nth);
  });
});
