import type { DiskSpace } from '../files/disk-space.ts';
import type { SpaceCheck } from '../files/space-check.ts';
import type { LogRecord } from '../format/log-record.ts';
import type { BackendTables } from '../tables/backend-tables.ts';
import type { Wal, SegmentEnd } from '../wal/wal.ts';

/** What other processes can see of a store that this process has open. */
export interface LockedStore {
  /** Secret: anyone who can read it may use the server of this process. */
  readonly token: string;
  /** Publishes the address of this server for other processes, and whether it hands over the store on request. */
  publishUrl(url: string, options?: { readonly yields?: boolean }): void;
}

/** A backend: the location of a store, and everything that depends on it. */
export interface StoreBackend {
  readonly tables: BackendTables;
  readonly hold: LockedStore;
  readonly space: SpaceCheck;
  /** Local folder for derived data, and for data of this process only. */
  readonly localPath: string;
  /** Opens the write-ahead log after the tables: the changes that they do not have yet, in order. */
  openWal(): Promise<{ readonly wal: Wal; readonly beginning: readonly (LogRecord | SegmentEnd)[] }>;
  /** Size of the whole store in bytes. */
  bytes(): Promise<number>;
  /** Free and total disk space; undefined if unknown. */
  disk(): Promise<DiskSpace | undefined>;
  /** Whether it accepts writes now, as far as can be known without writing. */
  isWritable(): Promise<boolean>;
  /** Why it cannot be used now, from the last known state; absent if that is not monitored. */
  readonly fault?: string | undefined;
  /** Runs work; rejects with `unavailable` if the storage does not respond for `storage.timeoutMs`. Absent for a local folder. */
  unlessSilent?<Result>(work: () => Promise<Result>): Promise<Result>;
  /** The folder, for work on its files. Throws `config` if the backend is not a folder. */
  requireFolder(): string;
  /** Releases the lock. Safe to repeat. */
  release(): void;
}
