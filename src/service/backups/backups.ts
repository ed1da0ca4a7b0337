import type { Job } from '../../jobs/job.ts';
import type { Scheduler } from '../../jobs/scheduler.ts';
import type { Backup, BackupCheck, BackupOperations, VerifyBackupRequest } from '../../memory/operations/backup-operations.ts';
import { DEGRADED } from '../../memory/degraded.ts';
import { LoreError } from '../../memory/errors.ts';
import type { Log } from '../../memory/log.ts';
import type { ExportLine } from '../../memory/operations/operations.ts';
import type { Telemetry } from '../../memory/telemetry.ts';
import { MaintenanceRuns, type MaintenanceRun } from '../../memory/maintenance-runs.ts';
import { abilitiesOf, needsFolder, type Abilities } from '../../store/backends/abilities.ts';
import { backupStorage, type BackupLocation } from '../../store/backends/backup-locations.ts';
import { BackupFolder } from '../../store/backup/backup-folder.ts';
import type { StoredBackup } from '../../store/backup/backup-manifest.ts';
import type { BackupStorage } from '../../store/backup/backup-storage.ts';
import type { Store } from '../../store/store.ts';
import { outdatedBackups } from './backup-keeping.ts';
import { CopyBackups, ExportBackups, type BackupMaking } from './backup-making.ts';
import { asBackup, createdAt, StoredBackups } from './stored-backups.ts';

/** Delay of the first backup, because a server has other work when it starts. */
const FIRST_AFTER_MS = 60_000;
/** Delay after a failure, whatever the interval is. */
const RETRY_MS = 300_000;
/** How often a server looks for backups of another server, and checks whether it has become the one that makes them. */
const POLL_MS = 60_000;

interface Parts {
  readonly store: Store;
  readonly place: BackupLocation;
  /** `storage.backupInterval`; 0 turns scheduled backups off. */
  readonly intervalMs: number;
  /** All contents of the store, as import lines. */
  readonly lines: () => AsyncIterable<ExportLine>;
  readonly scheduler: Pick<Scheduler, 'add'>;
  readonly log: Log;
  readonly telemetry: Telemetry;
}

/** The backups of an open store. */
export interface StoreBackups extends BackupOperations {
  /** The newest complete backup that is known. */
  readonly last: { readonly name: string; readonly createdAt: number } | undefined;
  /** How long a scheduled backup has been overdue, milliseconds; undefined if this process makes none. */
  readonly overdueMs: number | undefined;
  /** Resolves once `last` is known, if no job looks for it. Never rejects. */
  look(): Promise<void>;
  /** Why there is no new backup, as a sentence; undefined if all is well. */
  degraded(): string | undefined;
}

/** The backups of a store; if it cannot have backups, an implementation that refuses every call. */
export function backupsOf({ place, ...parts }: Omit<Parts, 'place'> & { readonly place: BackupLocation | undefined }): StoreBackups {
  return place === undefined ? new NoBackups(abilitiesOf(parts.store.path)) : new Backups({ ...parts, place });
}

/** Rejects every operation with a remedy. */
class NoBackups implements StoreBackups {
  readonly last = undefined;
  readonly overdueMs = undefined;
  readonly create: BackupOperations['create'];
  readonly list: BackupOperations['list'];
  readonly verify: BackupOperations['verify'];

  constructor(abilities: Abilities) {
    const refuse = (): Promise<never> => Promise.reject(needsFolder(abilities, 'copies'));
    this.create = refuse;
    this.list = refuse;
    this.verify = refuse;
  }

  look(): Promise<void> {
    return Promise.resolve();
  }

  degraded(): undefined {
    return undefined;
  }
}

/** Backups of the whole store: on a schedule, and on request. */
class Backups implements StoreBackups {
  readonly #parts: Parts;
  readonly #storage: BackupStorage;
  readonly #making: BackupMaking;
  readonly #stored: StoredBackups;
  #last: StoredBackup | undefined;
  /** When this process last found or made the backups complete. */
  #completeAt: number | undefined;
  readonly #openedAt = Date.now();
  #failure: string | undefined;
  /** Whether another server made the backups at the last check. */
  #isFollowing = false;
  #looking: Promise<void> | undefined;
  readonly #job: Job;

  constructor(parts: Parts) {
    this.#parts = parts;
    const { store, place } = parts;
    this.#storage = backupStorage(place);
    this.#stored = new StoredBackups(this.#storage);
    const { copies } = abilitiesOf(store.path);
    this.#making = copies
      ? new CopyBackups({ ...parts, folder: new BackupFolder(place.location) })
      : new ExportBackups({ ...parts, storage: this.#storage, goOn: () => this.#goOn() });
    this.#job = parts.scheduler.add({
      name: 'backup',
      run: () => this.#scheduled(),
      retryAfter: () => Math.min(parts.intervalMs, RETRY_MS),
      failure: 'the backup failed; Lore retries',
    });
    // On object storage, listing the backups would take longer than the command itself.
    if (copies || this.#job.runsAutomatically) void this.look();
  }

  get last(): { readonly name: string; readonly createdAt: number } | undefined {
    return this.#last === undefined ? undefined : { name: this.#last.name, createdAt: createdAt(this.#last) };
  }

  get overdueMs(): number | undefined {
    const { intervalMs, store } = this.#parts;
    if (intervalMs === 0 || !store.maintains || !this.#job.runsAutomatically) return undefined;
    const madeAt = this.#last === undefined ? undefined : createdAt(this.#last);
    const since = Math.max(this.#completeAt ?? 0, madeAt ?? 0) || this.#openedAt;
    return Math.max(0, Date.now() - since - intervalMs);
  }

  degraded(): string | undefined {
    return this.#failure === undefined ? undefined : DEGRADED.backup(this.#failure);
  }

  /** A complete backup that shares no files with earlier ones. It stays until someone removes it. */
  async create(): Promise<Backup> {
    return asBackup(await this.#job.alone(() => this.#write({ kind: 'manual' })));
  }

  async list(): Promise<readonly Backup[]> {
    return await this.#stored.list();
  }

  async verify(request: VerifyBackupRequest): Promise<BackupCheck> {
    return await this.#stored.verify(request);
  }

  look(): Promise<void> {
    const first = this.#looking === undefined;
    this.#looking ??= this.#job.alone(() => this.#begin());
    // A server answers from memory.
    return first || !this.#job.runsAutomatically ? this.#looking : Promise.resolve();
  }

  async #begin(): Promise<void> {
    const stored = await this.#storage.list(MaintenanceRuns.KEPT).catch(() => []);
    for (const backup of stored) this.#parts.store.maintenanceRuns.note(maintenanceRunOf(backup));
    this.#last = stored[0];
    const { intervalMs } = this.#parts;
    if (intervalMs !== 0) this.#job.wake(Math.min(intervalMs, Math.max(this.#dueInMs(), FIRST_AFTER_MS)));
  }

  #dueInMs(): number {
    return this.#last === undefined ? 0 : createdAt(this.#last) + this.#parts.intervalMs - Date.now();
  }

  async #scheduled(): Promise<number> {
    const { intervalMs, store } = this.#parts;
    if (!store.maintains) return await this.#follow();
    const dueInMs = this.#isFollowing ? this.#dueInMs() : 0;
    this.#isFollowing = false;
    if (dueInMs > 0) return Math.min(dueInMs, intervalMs);
    try {
      await this.#makeOne();
      this.#failure = undefined;
      await this.#thin();
      return intervalMs;
    } catch (error) {
      this.#failure = reasonOf(error);
      throw error;
    }
  }

  /** Another server makes the backups: only looks for new ones. */
  async #follow(): Promise<number> {
    this.#isFollowing = true;
    this.#failure = undefined;
    const [last] = await this.#storage.list(1).catch(() => []);
    this.#last = last ?? this.#last;
    return Math.min(this.#parts.intervalMs, POLL_MS);
  }

  async #makeOne(): Promise<void> {
    const { log } = this.#parts;
    const started = performance.now();
    const [previous] = await this.#storage.list(1);
    this.#last = previous;
    const stored = await this.#write({ kind: 'scheduled', previous });
    if (stored === previous) log.debug({}, 'no backup: nothing was written since the last one');
    else log.info({ backup: stored.name, ms: Math.round(performance.now() - started) }, 'the store is backed up');
  }

  /** A failure is recorded among the maintenance runs. */
  async #write(order: Parameters<BackupMaking['make']>[0]): Promise<StoredBackup> {
    const { maintenanceRuns } = this.#parts.store;
    const [at, started] = [Date.now(), performance.now()];
    try {
      const stored = await this.#making.make(order);
      if (stored !== order.previous) maintenanceRuns.note({ ...maintenanceRunOf(stored), ms: Math.round(performance.now() - started) });
      this.#last = stored;
      this.#completeAt = at;
      return stored;
    } catch (error) {
      maintenanceRuns.note({ kind: 'backup', at, state: 'failed', error: reasonOf(error), result: {} });
      throw error;
    }
  }

  #goOn(): void {
    if (this.#job.isEnding) throw new LoreError('unavailable', 'The store is closing.');
  }

  async #thin(): Promise<void> {
    for (const { name } of outdatedBackups(await this.list())) {
      await this.#storage.remove(name).catch((error: unknown) => {
        this.#parts.log.warn({ err: error, backup: name }, 'an old backup could not be removed');
      });
    }
  }
}

function maintenanceRunOf(stored: StoredBackup): MaintenanceRun {
  const { entries, storedBytes: bytes } = stored.manifest;
  return { kind: 'backup', at: createdAt(stored), state: 'done', result: { entries, bytes } };
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
