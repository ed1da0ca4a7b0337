import { rm } from 'node:fs/promises';
import { openApp, requireBackupLocation, type App } from './app.ts';
import { runRecorded, recordAction, type AdminFacts } from './admin-audit.ts';
import type { LoadedConfig } from './config/load.ts';
import { storeAbilities } from './lock-holder.ts';
import type { Log } from './memory/log.ts';
import { countEntries, exchange } from './restore-backup.ts';
import { requireFolder } from './store/backends/abilities.ts';
import { draftPath, dropAbandonedDrafts } from './store/backup/unfinished-restore.ts';
import { StoreLock } from './store/lock/lock.ts';
import { quarantined } from './store/files/quarantine.ts';
import { BackupFolder } from './store/backup/backup-folder.ts';
import { findCopies } from './store/recovery/entry-copies.ts';
import { kindOf, pathInStore, wrongFiles } from './store/recovery/file-check.ts';
import { restoreFiles, type RestoredFile } from './store/recovery/restored-files.ts';
import { salvageStore, type Salvage, type StoreDamage } from './store/recovery/repair.ts';
import { withoutUndefined } from './memory/without-undefined.ts';

export type { RestoredFile } from './store/recovery/restored-files.ts';
export type { RestoredEntry, StoreDamage } from './store/recovery/repair.ts';
export type { TableDamage } from './store/recovery/salvage.ts';

/** Result of a repair. */
export interface RepairReport extends StoreDamage {
  readonly dryRun: boolean;
  readonly store: string;
  /** Whether the store was replaced by one with everything that can be read. */
  readonly repaired: boolean;
  /** Damaged files that were restored from a backup; with `dryRun`, those that would be. */
  readonly putBack: readonly RestoredFile[];
  /** Damaged files that no backup has. Their readable rows were copied one by one, and their indexes are rebuilt. */
  readonly wrongFiles: readonly string[];
  /** Name of the newest backup; absent if there is none. */
  readonly newestBackup?: string;
  /** Where the previous store was moved; absent if it was not replaced. */
  readonly kept?: string;
  /** Quarantine folders of earlier openings. */
  readonly quarantine: readonly string[];
}

interface RepairOptions {
  readonly log: Log;
  /** Report only, change nothing. */
  readonly dryRun: boolean;
  /** Called with a description of each step. */
  readonly onStep?: (step: string) => void;
}

/**
 * Reads every row of a store. If some cannot be read, replaces the store with one of the readable rows. The previous store is renamed and
 * kept. Everything that can fail is done before anything is moved. Rejects with `filesystem` if another process has the store open, with
 * `conflict` if the store is not in a folder.
 */
export async function repairStore({ config }: Pick<LoadedConfig, 'config'>, options: RepairOptions): Promise<RepairReport> {
  const { dryRun, log } = options;
  const work = (): Promise<RepairReport> => repairAlone({ config }, options);
  const factsOf = (report?: RepairReport): AdminFacts => ({ ...(report && { count: report.entries }), ...(dryRun && { dryRun }) });
  return await runRecorded('store.repair', { work, factsOf }, (action, outcome) => recordAction(action, outcome, { config, log }));
}

async function repairAlone({ config }: Pick<LoadedConfig, 'config'>, options: RepairOptions): Promise<RepairReport> {
  const { log, dryRun, onStep = () => undefined } = options;
  requireFolder(storeAbilities({ config }), 'repair');
  const storePath = config.storage.path;
  const lock = await StoreLock.acquire(storePath);
  const [work, righted, target] = [draftPath(storePath), draftPath(storePath), draftPath(storePath)];
  const backups = new BackupFolder(requireBackupLocation({ config }).location);
  try {
    await dropAbandonedDrafts(storePath);
    onStep('Comparing every file with its checksum …');
    const wrong = await wrongFiles(storePath);
    const putBack = await restoreFiles({ storePath, target: righted, wrong, backups });
    const source = putBack.length > 0 ? righted : storePath;
    const right = new Set(putBack.map(({ path }) => path));
    const left = wrong.map(pathInStore).filter((file) => !right.has(file));
    const salvaging = { storePath: source, work, wrong: new Set(left) };
    onStep('Reading every row …');
    const { wanted, ...found } = await salvageStore({ ...salvaging, target: undefined });
    onStep('Looking for copies of the damaged parts …');
    const copies = await findCopies({ storePath: source, backups, work }, wanted);
    const isMore = copies.entries.size + copies.auxiliary.size > 0;
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
    onStep('Replacing the store …');
    const kept = await exchange(storePath, made, lock);
    return { ...facts, entries, repaired: true, ...withoutUndefined({ kept }) };
  } finally {
    lock.release();
    for (const draft of [righted, target]) await rm(draft, { recursive: true, force: true });
  }
}

/** A temporary store of everything that can be read of a damaged one. `close` deletes it. */
interface SalvagedApp extends StoreDamage {
  readonly app: App;
  close(): Promise<void>;
}

/** Opens the readable part of a store that cannot be opened. Undefined if no damage is found, or if the backend has no repair. */
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
  return await salvageStore({ ...place, wrong: new Set(wrong.filter((file) => kindOf(file) !== 'index').map(pathInStore)) });
}
