import { mkdirSync } from 'node:fs';
import type { Connection } from '@lancedb/lancedb';
import type { Log } from '../../../memory/log.ts';
import { abilitiesOf, needsFolder } from '../abilities.ts';
import { bytesOfTables, connect, type SharedSettings } from '../connection.ts';
import { diskSpace, type DiskSpace } from '../../files/disk-space.ts';
import { FileWal } from '../../wal/file-wal.ts';
import { folderSize } from '../../files/folder-size.ts';
import { LogFiles } from '../../wal/log-files.ts';
import type { LogRecord } from '../../format/log-record.ts';
import { StoreLock } from '../../lock/lock.ts';
import { Quarantine } from '../../files/quarantine.ts';
import { isFolderWritable } from '../../files/readiness.ts';
import { Reserve } from '../../files/reserve.ts';
import type { Wal } from '../../wal/wal.ts';
import type { StoreBackend } from '../backend.ts';
import { LocalFolder } from './local-folder.ts';
import { ServiceTables } from './service-tables.ts';

interface CloudPlaceSettings {
  /** URI of the database. */
  readonly path: string;
  readonly remote: SharedSettings;
  /** `full`: acknowledged changes survive a power cut; `process`: only the end of the process. */
  readonly durability: 'full' | 'process';
  /** Reserved disk space for the log, bytes; default none. */
  readonly reserveBytes?: number | undefined;
  /** Create a missing store. Default true. */
  readonly create?: boolean | undefined;
  readonly log: Log;
}

/** Age of a cached figure: statistics cost requests and need not be exact to the second. */
const SIZE_AGE_MS = 60_000;

/**
 * The backend for a database in a service with a local folder: acknowledged changes are in the log there until they are in the tables.
 * One process uses the folder, and one folder the store.
 */
export class ServiceBackend implements StoreBackend {
  readonly tables: ServiceTables;
  readonly hold: StoreLock;
  readonly space: Reserve;
  readonly localPath: string;
  readonly #synced: boolean;
  #size: { readonly bytes: Promise<number>; readonly at: number } | undefined;

  private constructor(
    tables: ServiceTables,
    hold: StoreLock,
    { localPath, synced, space }: { localPath: string; synced: boolean; space: Reserve },
  ) {
    this.tables = tables;
    this.hold = hold;
    this.localPath = localPath;
    this.space = space;
    this.#synced = synced;
  }

  /** Locks the folder. Makes no request yet. Rejects with `filesystem` if another process has the folder. */
  static async open({
    path: uri,
    remote,
    durability,
    reserveBytes: bytes = 0,
    create = true,
    log,
  }: CloudPlaceSettings): Promise<ServiceBackend> {
    const { localPath, timeoutMs } = remote;
    mkdirSync(localPath, { recursive: true, mode: 0o700 });
    const hold = await StoreLock.acquire(localPath);
    const synced = durability === 'full';
    const tables = new ServiceTables({
      uri,
      connect: (): Promise<Connection> => connect(uri, remote),
      quarantine: new Quarantine(localPath, log),
      home: new LocalFolder(localPath, { synced }),
      timeoutMs,
      create,
    });
    return new ServiceBackend(tables, hold, { localPath, synced, space: new Reserve({ path: localPath, bytes, log }) });
  }

  async openWal(): Promise<{ wal: Wal; beginning: LogRecord[] }> {
    const { localPath, tables } = this;
    const { log: wal, records } = await LogFiles.open(localPath, { synced: this.#synced, quarantine: tables.quarantine });
    return { wal: new FileWal(localPath, wal), beginning: records };
  }

  /** Size of the tables as reported by the service, plus the local folder. */
  async bytes(): Promise<number> {
    if (this.#size === undefined || performance.now() - this.#size.at > SIZE_AGE_MS) {
      this.#size = { bytes: this.#measure().catch(() => 0), at: performance.now() };
    }
    return (await this.#size.bytes) + (await folderSize(this.localPath));
  }

  disk(): Promise<DiskSpace | undefined> {
    return diskSpace(this.localPath);
  }

  isWritable(): Promise<boolean> {
    return isFolderWritable(this.localPath, this.space);
  }

  requireFolder(): never {
    throw needsFolder(abilitiesOf(this.tables.uri), 'copies');
  }

  release(): void {
    this.hold.release();
  }

  async #measure(): Promise<number> {
    return await bytesOfTables(await this.tables.connect(), (connection) => this.tables.names(connection));
  }
}
