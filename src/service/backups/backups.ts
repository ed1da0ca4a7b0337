import type { Job } from '../../jobs/job.ts';
import type { Scheduler } from '../../jobs/scheduler.ts';
import type { Backup, BackupCheck, BackupOperations, VerifyBackupRequest } from '../../memory/operations/backup-operations.ts';
import { DEGRADED } from '../../memory/degraded.ts';
import type { Log } from '../../memory/log.ts';
import type { Telemetry } from '../../memory/telemetry.ts';
import { UpkeepRuns, type UpkeepRun } from '../../memory/upkeep.ts';
import { abilitiesOf, needsFolder, type Abilities } from '../../store/backends/abilities.ts';
import type { StoreCopy } from '../../store/backup/backup.ts';
import { BackupFolder, type StoredBackup } from '../../store/backup/backup-folder.ts';
import type { BackupPlace } from '../../store/backends/folder/migrations.ts';
import type { Store } from '../../store/store.ts';
import { outdatedBackups } from './backup-keeping.ts';
import { backupOf, createdAt, StoredBackups } from './stored-backups.ts';

/** Not at once at the start, when there is other work to do. */
const FIRST_AFTER_MS = 60_000;
/** After a failure, however long the interval is. */
const RETRY_MS = 300_000;

interface Parts {
  readonly store: Store;
  readonly place: BackupPlace;
  /** `storage.backupInterval`; 0 makes none unasked. */
  readonly intervalMs: number;
  readonly scheduler: Pick<Scheduler, 'add'>;
  readonly log: Log;
  readonly telemetry: Telemetry;
}

/** The backups of an open store. */
export interface StoreBackups extends BackupOperations {
  /** The newest that is whole, as far as is known. */
  readonly last: { readonly name: string; readonly createdAt: number } | undefined;
  /** Why there is no new one, in plain words; undefined where all is well. */
  degraded(): string | undefined;
}

/** Those of a store, or what refuses them where there is no place for them. */
export function backupsOf({ place, ...parts }: Omit<Parts, 'place'> & { readonly place: BackupPlace | undefined }): StoreBackups {
  return place === undefined ? new NoBackups(abilitiesOf(parts.store.path)) : new Backups({ ...parts, place });
}

/** Those of a store of which none can be made: every operation is refused, saying what to do instead. */
class NoBackups implements StoreBackups {
  readonly last = undefined;
  readonly create: BackupOperations['create'];
  readonly list: BackupOperations['list'];
  readonly verify: BackupOperations['verify'];

  constructor(abilities: Abilities) {
    const refuse = (): Promise<never> => Promise.reject(needsFolder(abilities, 'backups'));
    this.create = refuse;
    this.list = refuse;
    this.verify = refuse;
  }

  degraded(): undefined {
    return undefined;
  }
}

/** Copies of the whole store: on a schedule, and when asked. */
class Backups implements StoreBackups {
  readonly #parts: Parts;
  readonly #folder: BackupFolder;
  readonly #stored: StoredBackups;
  #last: StoredBackup | undefined;
  #failure: string | undefined;
  readonly #job: Job;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#folder = new BackupFolder(parts.place.folder);
    this.#stored = new StoredBackups(parts.place.folder);
    this.#job = parts.scheduler.add({
      name: 'backup',
      run: () => this.#scheduled(),
      retryAfter: () => Math.min(parts.intervalMs, RETRY_MS),
      failure: 'no backup could be made; it will be tried again',
    });
    void this.#job.alone(() => this.#begin());
  }

  get last(): { readonly name: string; readonly createdAt: number } | undefined {
    return this.#last === undefined ? undefined : { name: this.#last.name, createdAt: createdAt(this.#last) };
  }

  degraded(): string | undefined {
    return this.#failure === undefined ? undefined : DEGRADED.backup(this.#failure);
  }

  /** A backup that shares nothing with earlier ones and stays until someone removes it. */
  async create(): Promise<Backup> {
    return backupOf(await this.#job.alone(() => this.#noted((copy) => this.#write(copy, { kind: 'manual' }))));
  }

  async list(): Promise<readonly Backup[]> {
    return await this.#stored.list();
  }

  async verify(request: VerifyBackupRequest): Promise<BackupCheck> {
    return await this.#stored.verify(request);
  }

  async #begin(): Promise<void> {
    const stored = await this.#folder.list().catch(() => []);
    for (const backup of stored.slice(0, UpkeepRuns.KEPT)) this.#parts.store.upkeep.note(upkeepOf(backup));
    const [last] = stored;
    this.#last = last;
    const { intervalMs } = this.#parts;
    if (intervalMs === 0) return;
    const due = last === undefined ? 0 : createdAt(last) + intervalMs - Date.now();
    this.#job.wake(Math.min(intervalMs, Math.max(due, FIRST_AFTER_MS)));
  }

  async #scheduled(): Promise<number> {
    const { intervalMs, log } = this.#parts;
    try {
      const started = performance.now();
      const before = this.#last;
      const stored = await this.#noted((copy) => this.#writeChanged(copy));
      this.#failure = undefined;
      if (stored?.name !== before?.name)
        log.info({ backup: stored?.name, ms: Math.round(performance.now() - started) }, 'the store is backed up');
      else log.debug({}, 'no backup: nothing was written since the last one');
      await this.#thin();
      return intervalMs;
    } catch (error) {
      this.#failure = reasonOf(error);
      throw error;
    }
  }

  /** Writes of a copy of the store; a failure is among the runs of upkeep. */
  async #noted<T>(write: (copy: StoreCopy) => Promise<T>): Promise<T> {
    const { store } = this.#parts;
    const at = Date.now();
    try {
      return await store.copies.during(write);
    } catch (error) {
      store.upkeep.note({ kind: 'backup', at, state: 'failed', error: reasonOf(error), result: {} });
      throw error;
    }
  }

  /** The same files as in the last one hold the same store: nothing has been written since. */
  async #writeChanged(copy: StoreCopy): Promise<StoredBackup | undefined> {
    const [previous] = await this.#folder.list();
    this.#last = previous;
    if (previous !== undefined && isSame(copy, previous)) return previous;
    return await this.#write(copy, { kind: 'scheduled', previous });
  }

  async #write(copy: StoreCopy, order: { kind: Backup['kind']; previous?: StoredBackup | undefined }): Promise<StoredBackup> {
    const started = performance.now();
    const { place, telemetry } = this.#parts;
    const stored = await telemetry.timed('backup', () => this.#folder.write(copy, { ...place, ...order }));
    this.#parts.store.upkeep.note({ ...upkeepOf(stored), ms: Math.round(performance.now() - started) });
    this.#last = stored;
    return stored;
  }

  async #thin(): Promise<void> {
    for (const { name } of outdatedBackups(await this.list())) {
      await this.#folder.remove(name).catch((error: unknown) => {
        this.#parts.log.warn({ err: error, backup: name }, 'an old backup could not be removed');
      });
    }
  }
}

function upkeepOf(stored: StoredBackup): UpkeepRun {
  const { entries, storedBytes: bytes } = stored.manifest;
  return { kind: 'backup', at: createdAt(stored), state: 'done', result: { entries, bytes } };
}

function isSame({ files }: StoreCopy, { manifest }: StoredBackup): boolean {
  const known = new Map(manifest.files.map((file) => [file.path, file.bytes]));
  // The manifest also has `head.json`, which says no more than the names of the files do.
  return known.size === files.length + 1 && files.every((file) => known.get(file.path) === file.bytes);
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
