import { rm } from 'node:fs/promises';
import { openApp, requireBackupPlace, type App } from './app.ts';
import { noted, noteDeed, type DeedFacts } from './auditing.ts';
import type { LoadedConfig } from './config/load.ts';
import { storeAbilities } from './holder.ts';
import type { Log } from './memory/log.ts';
import { countEntries, exchange } from './restoring.ts';
import { requireFolder } from './store/backends/abilities.ts';
import { draftPath, dropAbandonedDrafts } from './store/backup/half-restore.ts';
import { StoreLock } from './store/lock/lock.ts';
import { quarantined } from './store/files/quarantine.ts';
import { BackupFolder } from './store/backup/backup-folder.ts';
import { findCopies } from './store/recovery/entry-copies.ts';
import { kindOf, placeOf, wrongFiles } from './store/recovery/file-check.ts';
import { putBackFiles, type PutBackFile } from './store/recovery/put-back.ts';
import { salvageStore, type Salvage, type StoreDamage } from './store/recovery/repair.ts';
import { withoutUndefined } from './memory/without-undefined.ts';

export type { PutBackFile } from './store/recovery/put-back.ts';
export type { RestoredEntry, StoreDamage } from './store/recovery/repair.ts';
export type { TableDamage } from './store/recovery/salvage.ts';

/** What was found in a store, and what was done about it. */
export interface RepairReport extends StoreDamage {
  readonly dryRun: boolean;
  readonly store: string;
  /** Whether a store of what can be read is in its place now. */
  readonly repaired: boolean;
  /** Files that were not what was written, and are again, or would be. */
  readonly putBack: readonly PutBackFile[];
  /** Files that are not what was written and that no backup has: what could be read of them was taken row by row, and indexes are built again. */
  readonly wrongFiles: readonly string[];
  /** The newest backup; absent where there is none. */
  readonly newestBackup?: string;
  /** Where the store is as it was; absent where it is still in its place. */
  readonly kept?: string;
  /** Folders with what could not be read when the store was opened before. */
  readonly quarantine: readonly string[];
}

interface RepairOptions {
  readonly log: Log;
  /** Look only. */
  readonly dryRun: boolean;
  /** Told in plain words what is being done. */
  readonly onStep?: (step: string) => void;
}

/**
 * Reads every row of a store and, where some cannot be read, puts a store of those that can in its place. The store as it was is renamed and
 * stays whole. Everything that can fail is done before anything is moved. Rejects with `filesystem` where another process has the store open,
 * with `conflict` where it lies in no folder.
 */
export async function repairStore({ config }: Pick<LoadedConfig, 'config'>, options: RepairOptions): Promise<RepairReport> {
  const { dryRun, log } = options;
  const work = (): Promise<RepairReport> => repairAlone({ config }, options);
  const factsOf = (report?: RepairReport): DeedFacts => ({ ...(report && { count: report.entries }), ...(dryRun && { dryRun }) });
  return await noted('store.repair', { work, factsOf }, (deed, outcome) => noteDeed(deed, outcome, { config, log }));
}

async function repairAlone({ config }: Pick<LoadedConfig, 'config'>, options: RepairOptions): Promise<RepairReport> {
  const { log, dryRun, onStep = () => undefined } = options;
  requireFolder(storeAbilities({ config }), 'repair');
  const storePath = config.storage.path;
  const lock = await StoreLock.acquire(storePath);
  const [work, righted, target] = [draftPath(storePath), draftPath(storePath), draftPath(storePath)];
  const backups = new BackupFolder(requireBackupPlace({ config }).location);
  try {
    await dropAbandonedDrafts(storePath);
    onStep('Comparing every file with its checksum …');
    const wrong = await wrongFiles(storePath);
    const putBack = await putBackFiles({ storePath, target: righted, wrong, backups });
    const source = putBack.length > 0 ? righted : storePath;
    const right = new Set(putBack.map(({ path }) => path));
    const left = wrong.map(placeOf).filter((file) => !right.has(file));
    const salvaging = { storePath: source, work, wrong: new Set(left) };
    onStep('Reading every row …');
    const { wanted, ...found } = await salvageStore({ ...salvaging, target: undefined });
    onStep('Looking for copies of what is damaged …');
    const copies = await findCopies({ storePath: source, backups, work }, wanted);
    const isMore = copies.entries.size + copies.sides.size > 0;
    const { wanted: _, ...mended } = isMore ? await salvageStore({ ...salvaging, target: undefined, copies }) : { wanted, ...found };
    const [newest] = await backups.list().catch(() => []);
    const quarantine = quarantined(storePath);
    const facts = {
      dryRun,
      store: storePath,
      ...mended,
      putBack,
      wrongFiles: left,
      quarantine,
      ...(newest && { newestBackup: newest.name }),
    };
    const replaced = mended.restored.filter(({ way }) => way !== 'journal');
    const areRowsWrong = found.tables.length + found.remade + left.length + replaced.length > 0;
    if (dryRun || (!areRowsWrong && putBack.length === 0)) return { ...facts, repaired: false };
    onStep('Making a store of what can be read …');
    if (areRowsWrong) await salvageStore({ ...salvaging, target, copies });
    const made = areRowsWrong ? target : righted;
    const entries = await countEntries({ config }, made, log);
    onStep('Putting it in its place …');
    const kept = await exchange(storePath, made, lock);
    return { ...facts, entries, repaired: true, ...withoutUndefined({ kept }) };
  } finally {
    lock.release();
    for (const draft of [righted, target]) await rm(draft, { recursive: true, force: true });
  }
}

/** What can be read of a damaged store, open as a store of its own that is gone when it is closed. */
interface SalvagedApp extends StoreDamage {
  readonly app: App;
  close(): Promise<void>;
}

/** Opens what can be read of a store that cannot be opened as it is. Undefined where nothing in it is damaged, or cannot be told. */
export async function openSalvaged({ config }: Pick<LoadedConfig, 'config'>, log: Log): Promise<SalvagedApp | undefined> {
  if (!storeAbilities({ config }).repair) return undefined;
  const storePath = config.storage.path;
  const [work, target] = [draftPath(storePath), draftPath(storePath)];
  const drop = (): Promise<void> => rm(target, { recursive: true, force: true });
  try {
    const lock = await StoreLock.acquire(storePath);
    const { wanted: _, ...found } = await salvageOf({ storePath, work, target }).finally(() => lock.release());
    if (found.tables.length === 0) {
      await drop();
      return undefined;
    }
    const app = await openApp({ config: { ...config, storage: { ...config.storage, path: target } } }, { log, background: false });
    const close = async (): Promise<void> => {
      await app.close();
      await drop();
    };
    return { app, ...found, close };
  } catch (error) {
    await drop();
    throw error;
  }
}

async function salvageOf(place: { readonly storePath: string; readonly work: string; readonly target: string }): Promise<Salvage> {
  const wrong = await wrongFiles(place.storePath);
  return await salvageStore({ ...place, wrong: new Set(wrong.filter((file) => kindOf(file) !== 'index').map(placeOf)) });
}
