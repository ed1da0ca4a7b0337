import { dropStaging } from '../../backup/backup.ts';
import { afterRunningRestore } from '../../backup/unfinished-restore.ts';
import { clearUnfinishedStore, makeStoreFolder } from './creation.ts';
import { diskSpace, type DiskSpace } from '../../files/disk-space.ts';
import { folderSize } from '../../files/folder-size.ts';
import { repairManifests } from './manifest-repair.ts';
import { FolderTables } from './folder-tables.ts';
import type { BackupLocation } from '../backup-locations.ts';
import { defaultBackupLocation, upgradeFormat } from './migrations.ts';
import { CheckpointKeeper, loadCheckpoint, readCheckpoint } from '../../format/checkpoint.ts';
import { LogFiles } from '../../wal/log-files.ts';
import type { LogRecord } from '../../format/log-record.ts';
import { StoreLock } from '../../lock/lock.ts';
import type { Log } from '../../../memory/log.ts';
import { Quarantine } from '../../files/quarantine.ts';
import { isFolderWritable } from '../../files/readiness.ts';
import { dropBallast, Reserve } from '../../files/reserve.ts';
import { isDiskFull } from '../../errors/store-error.ts';
import { FileWal } from '../../wal/file-wal.ts';
import type { Wal } from '../../wal/wal.ts';
import type { StoreBackend } from '../backend.ts';
import { syncFolder } from '../../files/sync.ts';
import { FileSums } from '../../tables/file-sums.ts';

interface FolderSettings {
  readonly path: string;
  /** `full`: acknowledged changes survive a power cut; `process`: only the end of the process. */
  readonly durability: 'full' | 'process';
  /** Location of the backup before a format upgrade; default next to the store. */
  readonly backups?: BackupLocation | undefined;
  /** Reserved disk space, bytes; default none. */
  readonly reserveBytes?: number | undefined;
  /** Create a missing store. Default true. */
  readonly create?: boolean | undefined;
  /** Number of entry tables of a new store; default 1. */
  readonly shards?: number | undefined;
  readonly log: Log;
}

interface Opened {
  readonly path: string;
  readonly synced: boolean;
  readonly lock: StoreLock;
  readonly tables: FolderTables;
  readonly reserve: Reserve;
}

/** The backend for a local folder, locked by this process. */
export class FolderBackend implements StoreBackend {
  readonly localPath: string;
  readonly tables: FolderTables;
  readonly hold: StoreLock;
  readonly space: Reserve;
  readonly #synced: boolean;

  private constructor({ path, synced, lock, tables, reserve }: Opened) {
    this.localPath = path;
    this.tables = tables;
    this.hold = lock;
    this.space = reserve;
    this.#synced = synced;
  }

  /**
   * Locks the folder, creates a missing one, and upgrades the store to the current format. Rejects with `filesystem`, changing nothing,
   * if another process has it open or it cannot be read.
   */
  static async open(settings: FolderSettings): Promise<FolderBackend> {
    await afterRunningRestore(settings.path);
    const grown = makeStoreFolder(settings.path, settings);
    const lock = await StoreLock.acquire(settings.path);
    try {
      if (settings.durability === 'full') for (const folder of grown) await syncFolder(folder);
      return await FolderBackend.#openLocked(settings, lock);
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  static async #openLocked(settings: FolderSettings, lock: StoreLock): Promise<FolderBackend> {
    const { path, backups = defaultBackupLocation(path), reserveBytes: bytes = 0, shards = 1, log } = settings;
    const synced = settings.durability === 'full';
    const quarantine = new Quarantine(path, log);
    const found = loadCheckpoint(path, quarantine);
    await dropStaging(path);
    await clearUnfinishedStore({ path, checkpoint: found, quarantine });
    await upgradeFormat({ path, synced, place: backups, log });
    const checkpoint = new CheckpointKeeper(path, readCheckpoint(path), { synced });
    const sums = FileSums.load({ path, synced, quarantine });
    await repairManifests({ path, synced, checkpoint: checkpoint.now, sums, quarantine });
    const tables = new FolderTables({ path, synced, checkpoint, quarantine, sums, shards });
    return new FolderBackend({ path, synced, lock, tables, reserve: new Reserve({ path, bytes, log }) });
  }

  /** If opening failed because the disk is full, releases the reserve. Returns whether to try again. */
  static mayTryAgain(path: string, error: unknown): boolean {
    return isDiskFull(error) && dropBallast(path);
  }

  async openWal(): Promise<{ wal: Wal; beginning: LogRecord[] }> {
    const { localPath: path, tables } = this;
    const { log: wal, records } = await LogFiles.open(path, {
      synced: this.#synced,
      quarantine: tables.quarantine,
      requireHeld: () => this.hold.requireHeld(),
    });
    return { wal: new FileWal(path, wal), beginning: records };
  }

  bytes(): Promise<number> {
    return folderSize(this.localPath);
  }

  disk(): Promise<DiskSpace | undefined> {
    return diskSpace(this.localPath);
  }

  async isWritable(): Promise<boolean> {
    return !this.hold.isLost && (await isFolderWritable(this.localPath, this.space));
  }

  requireFolder(): string {
    return this.localPath;
  }

  release(): void {
    this.hold.release();
  }
}
