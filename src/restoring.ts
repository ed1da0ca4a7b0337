import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openApp, requireBackupPlace } from './app.ts';
import { noted, noteDeed, type DeedFacts } from './auditing.ts';
import { askForStore, liveHolder } from './holder.ts';
import type { LoadedConfig } from './config/load.ts';
import { LoreError } from './memory/errors.ts';
import type { Log } from './memory/log.ts';
import { BackupFolder } from './store/backup/backup-folder.ts';
import { draftPath, dropAbandonedDrafts, keptPath, undoHalfRestore } from './store/backup/half-restore.ts';
import { StoreLock } from './store/lock/lock.ts';
import { asStoreError } from './store/errors/store-error.ts';
import { syncFolder } from './store/files/sync.ts';
import { withoutUndefined } from './memory/without-undefined.ts';

/** An MCP server finishes the calls under way before it closes the store. */
const HANDOVER_WAIT_MS = 20_000;
const LOOK_MS = 100;

/** What became of a restore. */
export interface Restored {
  /** Of the backup. */
  readonly name: string;
  readonly store: string;
  readonly entries: number;
  /** Where the store is that was there before; absent where there was none. */
  readonly kept?: string;
}

interface RestoreOptions {
  readonly log: Log;
  /** Told in plain words what is being done. */
  readonly onStep?: (step: string) => void;
}

/**
 * Puts a backup in the place of the store. Everything that can fail is done before anything is moved: the backup is verified, a store is
 * made of it beside the present one, opened, and counted. The present store is renamed and stays. An MCP server that has it open closes it
 * meanwhile. Rejects with `filesystem` where another process has it open or the backup is damaged, with `not_found` for an unknown backup, with
 * `conflict` for a store in no folder; then the store is as it was.
 */
export async function restoreBackup({ config }: Pick<LoadedConfig, 'config'>, name: string, options: RestoreOptions): Promise<Restored> {
  const work = (): Promise<Restored> => restoreClosed({ config }, name, options);
  const factsOf = (restored?: Restored): DeedFacts => ({ subject: name, ...(restored && { count: restored.entries }) });
  return await noted('backups.restore', { work, factsOf }, (deed, outcome) => noteDeed(deed, outcome, { config, log: options.log }));
}

async function restoreClosed({ config }: Pick<LoadedConfig, 'config'>, name: string, options: RestoreOptions): Promise<Restored> {
  requireBackupPlace({ config });
  undoHalfRestore(config.storage.path);
  const takeBack = await closedStore({ config });
  try {
    return await putInPlace({ config }, name, options);
  } finally {
    takeBack();
  }
}

async function putInPlace({ config }: Pick<LoadedConfig, 'config'>, name: string, options: RestoreOptions): Promise<Restored> {
  const { log, onStep = () => undefined } = options;
  const store = config.storage.path;
  const folder = new BackupFolder(requireBackupPlace({ config }).folder);
  const backup = await folder.get(name);
  onStep('Checking the backup …');
  const problems = await folder.problems(backup);
  if (problems.length > 0) throw damaged(name, problems);
  await dropAbandonedDrafts(store);
  const draft = draftPath(store);
  try {
    onStep('Making a store of it …');
    await folder.unpack(backup, draft);
    const entries = await countEntries({ config }, draft, log);
    if (entries !== backup.manifest.entries) throw damaged(name, [`it holds ${entries} of ${backup.manifest.entries} entries`]);
    const kept = await exchange(store, draft);
    return { name, store, entries, ...withoutUndefined({ kept }) };
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Waits for the store where its holder yields, and keeps others of that kind from it until the returned function is called. */
async function closedStore({ config }: Pick<LoadedConfig, 'config'>): Promise<() => void> {
  if (liveHolder({ config })?.yields !== true) {
    refuseOpen({ config });
    return () => undefined;
  }
  const takeBack = askForStore({ config });
  for (const giveUp = performance.now() + HANDOVER_WAIT_MS; liveHolder({ config })?.yields === true && performance.now() < giveUp;)
    await sleep(LOOK_MS);
  try {
    refuseOpen({ config });
  } catch (error) {
    takeBack();
    throw error;
  }
  return takeBack;
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

/** Opens the store of a folder as the server would, and counts what is in it. What was just made is read once, and has checksums then. */
export async function countEntries({ config }: Pick<LoadedConfig, 'config'>, path: string, log: Log): Promise<number> {
  const there = { config: { ...config, storage: { ...config.storage, path, backupPath: requireBackupPlace({ config }).folder } } };
  await using app = await openApp(there, { log, background: false });
  await app.memories.verify();
  return (await app.memories.health()).totalEntries;
}

/**
 * Moves the store aside and the new one in its place. Where that cannot be finished, the store is put back. Gives the name of the old one.
 * `held`: where the caller has the lock already.
 */
export async function exchange(store: string, draft: string, held?: StoreLock): Promise<string | undefined> {
  if (!existsSync(store)) {
    await rename(draft, store).catch(asStoreError('put the restored store in its place'));
    await syncFolder(dirname(store));
    return undefined;
  }
  const kept = keptPath(store);
  // Anyone who opens the store in this moment is refused, and anyone who has opened it since we looked refuses us.
  const lock = held ?? (await StoreLock.acquire(store));
  try {
    await rename(store, kept).catch(asStoreError('move the store aside'));
    try {
      await rename(draft, store).catch(asStoreError('put the restored store in its place'));
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
    // Where it was moved, the lock went with it.
    for (const file of ['lore.lock', 'lore.lock.wanted', 'lore.lock.soon']) await rm(join(kept, file), { force: true });
  }
  await syncFolder(dirname(store));
  return kept;
}
