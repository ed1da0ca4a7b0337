import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openApp, type App } from '../../src/app.ts';
import { silentLog } from '../../src/memory/log.ts';
import type { MemoryOperations } from '../../src/memory/operations/operations.ts';
import { restoreBackup } from '../../src/restore-backup.ts';
import { openTestApp, testConfig, type TestApp } from '../helpers/app.ts';
import { makeContainer, objectsOf, removeObject, type Container } from '../helpers/azurite.ts';
import { openCli, type Served } from '../helpers/cli.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { recordedLog } from '../helpers/recorded-log.ts';

const SECRET = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';
const LEASE_MS = 1_500;

/** Entries with relations, an archive, a history, one that takes the place of another, something that was deleted, and a secret that a person saved. */
async function fill(memories: MemoryOperations): Promise<void> {
  const ids: string[] = [];
  for (let nth = 0; nth < 20; nth += 1) {
    ids.push(...(await memories.save({ content: `Berth ${nth} of the harbour has ${nth * 7} bollards` })).ids);
  }
  await memories.save({ content: `The long story of the harbour. ${'A sentence of it that goes on. '.repeat(200)}`, tags: ['long'] });
  await memories.save({ content: `the token is ${SECRET}`, global: true });
  await memories.relations.relate({ sourceId: ids[1]!, targetId: ids[2]!, type: 'references' });
  await memories.relations.relate({ sourceId: ids[6]!, targetId: ids[7]!, type: 'supersedes' });
  await memories.update(ids[3]!, { content: 'Berth 3 is closed until spring' });
  await memories.forget(ids[4]!);
  const { token } = await memories.lifecycle.forgetMany({ ids: [ids[5]!] });
  await memories.lifecycle.forgetMany({ ids: [ids[5]!], confirm: token! });
  // What is found in the background is found.
  await expect.poll(async () => (await memories.health()).relating).toBeUndefined();
}

/** All that an export says, but for its header, which says when it was made; of each vector its first numbers. */
async function everything({ memories }: App): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of memories.export({ all: true, vectors: true })) lines.push(JSON.stringify(line, inOrder));
  return lines.slice(1).toSorted();
}

/** Members by name: their order says nothing. */
function inOrder(key: string, value: unknown): unknown {
  if (key === 'embedding') return (value as number[]).slice(0, 8);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** What of the namespace was deleted for good, as a sync compares it. */
async function deletions({ memories }: App): Promise<readonly string[] | undefined> {
  return (await memories.sync.digests({ namespace: 'test', buckets: 4 })).tombstones;
}

async function openAt({ config }: Pick<TestApp, 'config'>, place: string, folder: string): Promise<App> {
  const { options } = config.config.storage;
  const there = testConfig(folder, { 'storage.path': place, 'storage.options': { ...options } });
  return await openApp(there, { log: silentLog, background: false });
}

describe.each(['object storage', 'a folder'])('a backup of a shared store on %s', (where) => {
  it('contains everything an export contains, passes verification, and restores to a new location', async () => {
    await using folder = await temporaryFolder();
    const target = await makeContainer();
    const backupPath = where === 'a folder' ? join(folder.path, 'backups') : target.uri.replace(/lore$/, 'backups');
    await using app = await openTestApp({ 'storage.backupPath': backupPath });
    await fill(app.memories);
    const { name, ...made } = await app.memories.backups.create();
    const before = await everything(app);
    expect(await deletions(app)).not.toEqual([]);
    for (const kind of ['relation', 'archived', 'version'])
      expect(
        before.some((line) => line.startsWith(`{"${kind}"`)),
        kind,
      ).toBe(true);
    expect(made).toMatchObject({ kind: 'manual', compressed: true, entries: 20 });
    expect(await app.memories.backups.verify({ name })).toEqual({ name, whole: true, problems: [], entries: 20 });
    expect((await app.memories.backups.list()).map((backup) => backup.name)).toEqual([name]);
    for (const to of [target.uri, join(folder.path, 'restored')]) {
      expect(await restoreBackup(app.config, name, { log: silentLog, to })).toEqual({ name, store: to, entries: 20 });
      await using other = await openAt(app, to, folder.path);
      expect(await everything(other)).toEqual(before);
      expect(await deletions(other)).toEqual(await deletions(app));
      const { results } = await other.memories.recall({ query: 'long story of the harbour', namespace: 'test' });
      expect(results[0]?.entry.tags).toEqual(['long']);
    }
  });

  it('is never restored over an existing store or into a folder that is not empty', async () => {
    await using folder = await temporaryFolder();
    const backupPath = where === 'a folder' ? join(folder.path, 'backups') : (await makeContainer()).uri;
    await using app = await openTestApp({ 'storage.backupPath': backupPath });
    await app.memories.save({ content: 'kept' });
    const { name } = await app.memories.backups.create();
    await app.memories.save({ content: 'kept as well' });
    const before = await everything(app);
    for (const to of [app.config.config.storage.path, app.folder]) {
      await expect(restoreBackup(app.config, name, { log: silentLog, to })).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringContaining('is not empty') as string,
      });
    }
    await expect(restoreBackup(app.config, name, { log: silentLog })).rejects.toMatchObject({
      code: 'conflict',
      hint: expect.stringContaining('--to') as string,
    });
    expect(await everything(app)).toEqual(before);
  });
});

describe('a backup on object storage with a missing object', () => {
  it('fails its check, and no store is created from it', async () => {
    const place = await makeContainer();
    await using app = await openTestApp({ 'storage.backupPath': place.uri });
    await app.memories.save({ content: 'text' });
    const { name } = await app.memories.backups.create();
    const [part] = (await objectsOf(place)).filter((object) => object.includes('.text.lance/data/'));
    await removeObject(place, part!);
    expect(await app.memories.backups.verify({ name })).toMatchObject({ whole: false, problems: ['export.jsonl is missing'] });
    const to = place.uri.replace(/lore$/, 'new');
    await expect(restoreBackup(app.config, name, { log: silentLog, to })).rejects.toMatchObject({ code: 'filesystem' });
    expect((await objectsOf(place)).filter((object) => object.startsWith('new'))).toEqual([]);
  });
});

describe('backups of a shared store on a schedule', () => {
  it('are made by the lease holder, then by the server that takes over, and old ones are removed', async () => {
    const place = await makeContainer();
    const flags = { 'storage.backupPath': place.uri, 'storage.backupInterval': 200, 'storage.leaseMs': LEASE_MS };
    const log = recordedLog();
    await using first = await openTestApp(flags, log);
    await using second = await openApp(
      testConfig(first.folder, {
        ...flags,
        'storage.path': first.config.config.storage.path,
        'storage.options': { ...first.config.config.storage.options },
        'storage.localPath': join(first.folder, 'second'),
      }),
      { log: silentLog, cwd: first.folder },
    );
    const madeBy = async ({ memories }: App): Promise<number> =>
      ((await memories.stats()).runs ?? []).filter(({ kind, state, ms }) => kind === 'backup' && state === 'done' && ms !== undefined)
        .length;
    const newest = async (): Promise<number | undefined> => (await first.memories.backups.list())[0]?.entries;
    for (let entries = 1; entries <= 3; entries += 1) {
      await second.memories.save({ content: `entry ${entries}` });
      await expect.poll(newest).toBe(entries);
    }
    // While nothing is written no other one is made.
    const idleTurns = (): number => log.lines.filter(({ message }) => message.startsWith('no backup:')).length;
    const turns = idleTurns();
    await expect.poll(idleTurns).toBeGreaterThan(turns + 2);
    const made = await madeBy(first);
    await expect.poll(idleTurns).toBeGreaterThan(turns + 4);
    expect(await madeBy(first)).toBe(made);
    expect(made).toBeGreaterThanOrEqual(3);
    expect(await madeBy(second)).toBe(0);
    // Of one hour the last is kept; at its turn there are two.
    await expect.poll(async () => (await first.memories.backups.list()).length).toBeLessThanOrEqual(2);
    const [last] = await first.memories.backups.list();
    await expect.poll(async () => (await second.memories.health()).lastBackup?.name).toBe(last!.name);
    await first.close();
    await second.memories.save({ content: 'entry 4' });
    await expect.poll(async () => (await second.memories.backups.list())[0]?.entries).toBe(4);
    expect(await madeBy(second)).toBeGreaterThanOrEqual(1);
    expect((await second.memories.health()).degraded).toEqual([]);
  });
});

const ENTRIES = 500;
/** Text that no compression makes small: the backup takes its time. */
const noise = (chars: number): string =>
  Array.from({ length: chars / 10 }, () => Math.random().toString(36).slice(2, 12).padEnd(10, 'x')).join('');

describe('a maintainer that is killed while it makes a backup', () => {
  it('leaves no incomplete backup in the list; the next server makes one, and no save is lost', async () => {
    const [store, place] = [await makeContainer(), await makeContainer()];
    await using folder = await temporaryFolder();
    await using cli = await openCli();
    const env = (name: string): { env: Record<string, string> } => ({
      env: environmentOf({ store, place, localPath: join(folder.path, name) }),
    });
    const victim = await cli.serve([], env('first'));
    const lines = Array.from({ length: ENTRIES }, (_, nth) => JSON.stringify({ content: `${nth} ${noise(12_000)}` })).join('\n');
    const imported = await fetch(`${victim.url}/api/import`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson' },
      body: lines,
    });
    expect(imported.status).toBe(200);
    const other = await cli.serve([], env('second'));
    const saved: string[] = [];
    let isOver = false;
    const saving = Promise.all([victim, other].map((server) => saveUntil(server, saved, () => isOver)));
    const names = async (ending: string): Promise<string[]> =>
      (await objectsOf(place)).flatMap((object) => new RegExp(`/(\\d{4}-[^/]+Z)${ending}\\.lance/`).exec(object)?.[1] ?? []);
    const isHalf = async (): Promise<boolean> => {
      const [begun, whole] = [await names(String.raw`\.text`), new Set(await names(''))];
      return begun.some((name) => !whole.has(name));
    };
    const incomplete = async (): Promise<ReadonlySet<string>> => {
      const left = new Set(await names(String.raw`\.text`));
      for (const { name } of await backupsOf(other)) left.delete(name);
      return left;
    };
    // The victim has the lease. It is stopped first, because the backup may be complete before a signal arrives; then the next one serves.
    for (;;) {
      while (!(await isHalf()));
      victim.child.kill('SIGSTOP');
      if ((await incomplete()).size > 0) break;
      victim.child.kill('SIGCONT');
    }
    const exited = once(victim.child, 'close');
    victim.child.kill('SIGKILL');
    await exited;
    const half = await incomplete();
    expect(half.size).toBeGreaterThan(0);
    const atKill = Date.now();
    await expect
      .poll(async () => (await backupsOf(other)).some(({ createdAt }) => Date.parse(createdAt) > atKill), { timeout: 50_000 })
      .toBe(true);
    isOver = true;
    await saving;
    const last = saved.length;
    await expect
      .poll(async () => (await backupsOf(other)).some(({ entries }) => entries >= ENTRIES + last), { timeout: 50_000 })
      .toBe(true);
    for (const { name } of await backupsOf(other)) {
      expect(half).not.toContain(name);
      const response = await fetch(`${other.url}/api/backups/verify`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name }),
      });
      const { whole } = (await response.json()) as { readonly whole?: boolean };
      // An old one may be removed before its check.
      const isRemoved = response.status === 404 && !(await backupsOf(other)).some((backup) => backup.name === name);
      expect(isRemoved || whole).toBe(true);
    }
    const [newest] = await backupsOf(other);
    await other.stop();
    const to = store.uri.replace(/lore$/, 'again');
    const restored = await cli.run(['backup', 'restore', newest!.name, '--to', to, '--json'], env('third'));
    expect(restored.json()).toMatchObject({ store: to, entries: newest!.entries });
    const listed = await cli.run(['export', '-'], { env: { ...env('fourth').env, SERVICE_STORAGE_PATH: to } });
    const contents = new Set(
      listed.stdout
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => (JSON.parse(line) as { content: string }).content),
    );
    expect(saved.filter((content) => !contents.has(content))).toEqual([]);
  }, 240_000);
});

interface Listed {
  readonly name: string;
  readonly createdAt: string;
  readonly entries: number;
}

async function backupsOf({ url }: Served): Promise<Listed[]> {
  return ((await (await fetch(`${url}/api/backups`)).json()) as { backups: Listed[] }).backups;
}

/** Saves one after the other; what was acknowledged is in `saved`. Ends with the server. */
async function saveUntil({ url, pid }: Served, saved: string[], isOver: () => boolean): Promise<void> {
  for (let nth = 0; !isOver(); nth += 1) {
    const content = `saved while a backup is made: ${pid} ${nth}`;
    const response = await fetch(`${url}/api/save`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ content }),
    }).catch(() => undefined);
    if (response === undefined) return;
    if (response.ok) saved.push(content);
    await response.body?.cancel();
  }
}

function environmentOf({ store, place, localPath }: { store: Container; place: Container; localPath: string }): Record<string, string> {
  return {
    SERVICE_STORAGE_PATH: store.uri,
    SERVICE_STORAGE_OPTIONS: JSON.stringify(store.options),
    SERVICE_STORAGE_BACKUP_PATH: place.uri,
    SERVICE_STORAGE_BACKUP_INTERVAL: '1000',
    SERVICE_STORAGE_LEASE_MS: String(LEASE_MS),
    SERVICE_STORAGE_LOCAL_PATH: localPath,
    SERVICE_MEMORY_NAMESPACE: 'team',
  };
}
