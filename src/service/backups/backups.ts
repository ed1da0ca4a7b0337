import type { Job } from '../../jobs/job.ts';
import type { Scheduler } from '../../jobs/scheduler.ts';
import type { Backup, BackupCheck, BackupOperations, VerifyBackupRequest } from '../../memory/operations/backup-operations.ts';
import { DEGRADED } from '../../memory/degraded.ts';
import { LoreError } from '../../memory/errors.ts';
import type { Log } from '../../memory/log.ts';
import type { ExportLine } from '../../memory/operations/operations.ts';
import type { Telemetry } from '../../memory/telemetry.ts';
import { UpkeepRuns, type UpkeepRun } from '../../memory/upkeep.ts';
import { abilitiesOf, needsFolder, type Abilities } from '../../store/backends/abilities.ts';
import { backupStorage, type BackupPlace } from '../../store/backends/backup-places.ts';
import { BackupFolder } from '../../store/backup/backup-folder.ts';
import type { StoredBackup } from '../../store/backup/backup-manifest.ts';
import type { BackupStorage } from '../../store/backup/backup-storage.ts';
import type { Store } from '../../store/store.ts';
import { outdatedBackups } from './backup-keeping.ts';
import { CopyMaking, ExportMaking, type BackupMaking } from './backup-making.ts';
import { asBackup, createdAt, StoredBackups } from './stored-backups.ts';

/** Not at once at the start, when there is other work to do. */
const FIRST_AFTER_MS = 60_000;
/** After a failure, however long the interval is. */
const RETRY_MS = 300_000;
/** So often a server looks for backups that another one makes, and whether it is to make them from now on. */
const LOOK_MS = 60_000;

interface Parts {
  readonly store: Store;
  readonly place: BackupPlace;
  /** `storage.backupInterval`; 0 makes none unasked. */
  readonly intervalMs: number;
  /** Everything that an import takes. */
  readonly lines: () => AsyncIterable<ExportLine>;
  readonly scheduler: Pick<Scheduler, 'add'>;
  readonly log: Log;
  readonly telemetry: Telemetry;
}

/** The backups of an open store. */
export interface StoreBackups extends BackupOperations {
  /** The newest complete backup, as far as known. */
  readonly last: { readonly name: string; readonly createdAt: number } | undefined;
  /** Resolves once `last` is known, if no job looks for it. Never rejects. */
  look(): Promise<void>;
  /** Why there is no new backup, as a sentence; undefined if there is no reason. */
  degraded(): string | undefined;
}

/** The backups of a store, or an implementation that refuses them if the store cannot have backups. */
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

/** Backups of the whole store: on a schedule, and when asked. */
class Backups implements StoreBackups {
  readonly #parts: Parts;
  readonly #storage: BackupStorage;
  readonly #making: BackupMaking;
  readonly #stored: StoredBackups;
  #last: StoredBackup | undefined;
  #failure: string | undefined;
  /** Whether another server made the backups when this one looked last. */
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
      ? new CopyMaking({ ...parts, folder: new BackupFolder(place.location) })
      : new ExportMaking({ ...parts, storage: this.#storage, goOn: () => this.#goOn() });
    this.#job = parts.scheduler.add({
      name: 'backup',
      run: () => this.#scheduled(),
      retryAfter: () => Math.min(parts.intervalMs, RETRY_MS),
      failure: 'the backup failed; Lore retries',
    });
    // What lies on object storage takes a command longer to read than what it is for.
    if (copies || this.#job.runsUnasked) void this.look();
  }

  get last(): { readonly name: string; readonly createdAt: number } | undefined {
    return this.#last === undefined ? undefined : { name: this.#last.name, createdAt: createdAt(this.#last) };
  }

  degraded(): string | undefined {
    return this.#failure === undefined ? undefined : DEGRADED.backup(this.#failure);
  }

  /** A backup that shares nothing with earlier ones and stays until someone removes it. */
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
    // A server answers from what is known.
    return first || !this.#job.runsUnasked ? this.#looking : Promise.resolve();
  }

  async #begin(): Promise<void> {
    const stored = await this.#storage.list(UpkeepRuns.KEPT).catch(() => []);
    for (const backup of stored) this.#parts.store.upkeep.note(upkeepOf(backup));
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

  /** Another server makes them: only looks for what it made. */
  async #follow(): Promise<number> {
    this.#isFollowing = true;
    this.#failure = undefined;
    const [last] = await this.#storage.list(1).catch(() => []);
    this.#last = last ?? this.#last;
    return Math.min(this.#parts.intervalMs, LOOK_MS);
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

  /** A failure is among the runs of upkeep. */
  async #write(order: Parameters<BackupMaking['make']>[0]): Promise<StoredBackup> {
    const { upkeep } = this.#parts.store;
    const [at, started] = [Date.now(), performance.now()];
    try {
      const stored = await this.#making.make(order);
      if (stored !== order.previous) upkeep.note({ ...upkeepOf(stored), ms: Math.round(performance.now() - started) });
      this.#last = stored;
      return stored;
    } catch (error) {
      upkeep.note({ kind: 'backup', at, state: 'failed', error: reasonOf(error), result: {} });
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

function upkeepOf(stored: StoredBackup): UpkeepRun {
  const { entries, storedBytes: bytes } = stored.manifest;
  return { kind: 'backup', at: createdAt(stored), state: 'done', result: { entries, bytes } };
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
