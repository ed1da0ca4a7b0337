import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openApp, remoteSettings, requireBackupLocation, type App } from './app.ts';
import { runRecorded, recordAction, type AdminFacts } from './admin-audit.ts';
import { localFolderOf, userDirectories } from './config/directories.ts';
import { requestStore, liveHolder, storeAbilities } from './lock-holder.ts';
import type { LoadedConfig } from './config/load.ts';
import { LoreError } from './memory/errors.ts';
import type { Log } from './memory/log.ts';
import { isRemote } from './memory/store-address.ts';
import { backupStorage, requireEmpty } from './store/backends/backup-locations.ts';
import { BackupFolder } from './store/backup/backup-folder.ts';
import type { StoredBackup } from './store/backup/backup-manifest.ts';
import { exportIn, type BackupStorage } from './store/backup/backup-storage.ts';
import { draftPath, dropAbandonedDrafts, previousPath, undoUnfinishedRestore } from './store/backup/unfinished-restore.ts';
import { StoreLock } from './store/lock/lock.ts';
import { asStoreError } from './store/errors/store-error.ts';
import { syncFolder } from './store/files/sync.ts';
import { withoutUndefined } from './memory/without-undefined.ts';

/** An MCP server finishes the calls under way before it closes the store. */
const HANDOVER_WAIT_MS = 20_000;
const POLL_MS = 100;

/** Result of a restore. */
export interface Restored {
  /** Name of the backup. */
  readonly name: string;
  readonly store: string;
  readonly entries: number;
  /** Where the previous store was moved; absent if there was none. */
  readonly kept?: string;
}

interface RestoreOptions {
  readonly log: Log;
  /** Called with a description of each step. */
  readonly onStep?: (step: string) => void;
  /** An empty place for the restored store. Default: the place of the current store, which is moved aside. */
  readonly to?: string;
}

/**
 * Replaces the current store by a backup, or restores it at `to`. Everything that can fail is done before anything is moved: the backup is
 * verified, a new store is made of it next to the current one, opened, and its entries are counted. The current store is renamed and kept. An
 * MCP server that has it open closes it for that time. Rejects with `filesystem` if another process has the store open or the backup is
 * damaged, with `not_found` for an unknown backup, with `conflict` if `to` is not empty or the current store is not in a folder; the current
 * store is then unchanged. After a failure, files already written to a new place on object storage stay there.
 */
export async function restoreBackup({ config }: Pick<LoadedConfig, 'config'>, name: string, options: RestoreOptions): Promise<Restored> {
  const { to } = options;
  const work = (): Promise<Restored> =>
    to === undefined ? restoreInPlace({ config }, name, options) : restoreElsewhere({ config }, name, { ...options, to });
  const factsOf = (restored?: Restored): AdminFacts => ({ subject: name, ...(restored && { count: restored.entries }) });
  return await runRecorded('backups.restore', { work, factsOf }, (action, outcome) =>
    recordAction(action, outcome, { config, log: options.log }),
  );
}

async function restoreInPlace({ config }: Pick<LoadedConfig, 'config'>, name: string, options: RestoreOptions): Promise<Restored> {
  requireOwnFolder({ config });
  undoUnfinishedRestore(config.storage.path);
  const withdraw = await closedStore({ config });
  try {
    const entries = await putInPlace({ config }, { name, store: config.storage.path }, options);
    return { name, store: config.storage.path, ...entries };
  } finally {
    withdraw();
  }
}

/** Throws `conflict` if the store cannot be replaced by a backup: other servers may have a remote store open. */
export function requireOwnFolder({ config }: Pick<LoadedConfig, 'config'>): void {
  const { copies, place } = storeAbilities({ config });
  if (copies) return;
  throw new LoreError('conflict', `The store is ${place}: restore the backup to a new location; it never replaces this store.`, {
    hint: 'Name the location with --to, such as --to az://container/new-prefix, then set storage.path to it.',
  });
}

async function restoreElsewhere(
  { config }: Pick<LoadedConfig, 'config'>,
  name: string,
  options: RestoreOptions & { readonly to: string },
): Promise<Restored> {
  const { to } = options;
  requireBackupLocation({ config });
  const remote = remoteSettings({ config }, to);
  await requireEmpty(to, remote);
  if (remote === undefined) {
    await rm(to, { recursive: true, force: true });
    const { entries } = await putInPlace({ config }, { name, store: to }, options);
    return { name, store: to, entries };
  }
  const { storage, backup } = await wholeBackup({ config }, name, options);
  return { name, store: to, entries: await makeStore({ config }, { storage, backup, place: to }, options) };
}

/** Makes a store of a backup in a folder. An existing store there is moved aside. */
async function putInPlace(
  { config }: Pick<LoadedConfig, 'config'>,
  { name, store }: { readonly name: string; readonly store: string },
  options: RestoreOptions,
): Promise<Pick<Restored, 'entries' | 'kept'>> {
  const { storage, backup } = await wholeBackup({ config }, name, options);
  await dropAbandonedDrafts(store);
  const draft = draftPath(store);
  try {
    const entries = await makeStore({ config }, { storage, backup, place: draft }, options);
    const kept = await exchange(store, draft);
    return { entries, ...withoutUndefined({ kept }) };
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function wholeBackup(
  { config }: Pick<LoadedConfig, 'config'>,
  name: string,
  { onStep = () => undefined }: RestoreOptions,
): Promise<{ readonly storage: BackupStorage; readonly backup: StoredBackup }> {
  const storage = backupStorage(requireBackupLocation({ config }));
  const backup = await storage.get(name);
  onStep('Checking the backup …');
  const problems = await storage.problems(backup);
  if (problems.length > 0) throw damaged(name, problems);
  return { storage, backup };
}

interface NewStore {
  readonly storage: BackupStorage;
  readonly backup: StoredBackup;
  readonly place: string;
}

/** Makes a store of a backup and opens it. Resolves with the number of its entries. */
async function makeStore(
  { config }: Pick<LoadedConfig, 'config'>,
  { storage, backup, place }: NewStore,
  { log, onStep = () => undefined }: RestoreOptions,
): Promise<number> {
  const { name, manifest } = backup;
  onStep('Making a store of it …');
  const file = exportIn(backup);
  if (file !== undefined) return await importAll({ config, log }, { lines: storage.read(backup, file), place, backup });
  if (!(storage instanceof BackupFolder) || isRemote(place)) {
    throw new LoreError('conflict', `The backup ${name} contains the files of a store in a folder, and can only be restored to a folder.`, {
      hint: 'Restore it into a folder, then `lore export --all --vectors` and `lore import`.',
    });
  }
  await storage.unpack(backup, place);
  const entries = await countEntries({ config }, place, log);
  if (entries !== manifest.entries) throw damaged(name, [`it holds ${entries} of ${manifest.entries} entries`]);
  return entries;
}

async function importAll(
  { config, log }: Pick<LoadedConfig, 'config'> & { readonly log: Log },
  { lines, place, backup }: { readonly lines: AsyncIterable<Uint8Array>; readonly place: string; readonly backup: StoredBackup },
): Promise<number> {
  const there = configAt({ config }, place);
  const report = await using(openApp(there, { log, background: false }), (app) => app.memories.import(lines, {}, { asTheyAre: true }));
  // Opened again, so that only stored entries are counted.
  const entries = await using(
    openApp(there, { log, background: false, create: false }),
    async (app) => (await app.memories.health()).totalEntries,
  );
  const isWhole = report.invalid === 0 && report.stored + report.duplicates === backup.manifest.entries && entries === report.stored;
  if (isWhole) return entries;
  const [first] = report.errors;
  throw new LoreError(
    'filesystem',
    `The store at ${place} has ${entries} of ${backup.manifest.entries} entries; ${report.invalid} lines of the backup could not be imported${first === undefined ? '' : `, the first: line ${first.line} ${first.error}`}.`,
    { hint: 'Do not use it instead of the other store until you know what is missing.' },
  );
}

async function using<Result>(opening: Promise<App>, work: (app: App) => Promise<Result>): Promise<Result> {
  await using app = await opening;
  return await work(app);
}

/** The configuration of a store at another path, with the backups of this store. */
function configAt({ config }: Pick<LoadedConfig, 'config'>, path: string): Pick<LoadedConfig, 'config'> {
  const localPath = localFolderOf(path, userDirectories());
  return { config: { ...config, storage: { ...config.storage, path, localPath, backupPath: requireBackupLocation({ config }).location } } };
}

/** Waits until a lock holder that yields has closed the store, and keeps other such processes away until the returned function is called. */
async function closedStore({ config }: Pick<LoadedConfig, 'config'>): Promise<() => void> {
  if (liveHolder({ config })?.yields !== true) {
    refuseOpen({ config });
    return () => undefined;
  }
  const withdraw = requestStore({ config });
  for (const giveUp = performance.now() + HANDOVER_WAIT_MS; liveHolder({ config })?.yields === true && performance.now() < giveUp;)
    await sleep(POLL_MS);
  try {
    refuseOpen({ config });
  } catch (error) {
    withdraw();
    throw error;
  }
  return withdraw;
}

function refuseOpen({ config }: Pick<LoadedConfig, 'config'>): void {
  const holder = liveHolder({ config });
  if (holder === undefined) return;
  const where = holder.url === undefined ? '' : ` (its server: ${holder.url})`;
  throw new LoreError('filesystem', `The store ${config.storage.path} is open in process ${holder.pid}${where}.`, {
    hint: 'Stop that process first: a store can only be restored while it is closed.',
  });
}

function damaged(name: string, problems: readonly string[]): LoreError {
  const [first, ...more] = problems;
  return new LoreError('filesystem', `The backup ${name} is damaged: ${first}${more.length === 0 ? '' : `, and ${more.length} more`}.`, {
    hint: 'Nothing was changed. `lore backup list` shows the others.',
  });
}

/** Opens a store as the server would and counts its entries. Reads every file once, which records their checksums. */
export async function countEntries({ config }: Pick<LoadedConfig, 'config'>, path: string, log: Log): Promise<number> {
  await using app = await openApp(configAt({ config }, path), { log, background: false });
  await app.memories.verify();
  return (await app.memories.health()).totalEntries;
}

/**
 * Replaces a store with a new one and returns the path to which the old one was moved, undefined if there was none. If the second rename
 * fails, the old store is moved back. `held`: the lock, if the caller holds it already.
 */
export async function exchange(store: string, draft: string, held?: StoreLock): Promise<string | undefined> {
  if (!existsSync(store)) {
    await rename(draft, store).catch(asStoreError('move the restored store into place'));
    await syncFolder(dirname(store));
    return undefined;
  }
  const kept = previousPath(store);
  // The lock refuses every process that tries to open the store now. It fails if a process opened the store since the last check.
  const lock = held ?? (await StoreLock.acquire(store));
  try {
    await rename(store, kept).catch(asStoreError('move the store aside'));
    try {
      await rename(draft, store).catch(asStoreError('move the restored store into place'));
    } catch (error) {
      await rename(kept, store).catch(() => {
        throw new LoreError('filesystem', `The restored store could not be moved into place. The previous store is in ${kept}.`, {
          cause: error,
        });
      });
      throw error;
    }
  } finally {
    lock.release();
    // If the store was moved, its lock files moved with it.
    for (const file of ['lore.lock', 'lore.lock.wanted', 'lore.lock.soon']) await rm(join(kept, file), { force: true });
  }
  await syncFolder(dirname(store));
  return kept;
}
