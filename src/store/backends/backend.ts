import type { DiskSpace } from '../files/disk-space.ts';
import type { Room } from '../files/room.ts';
import type { JournalRecord } from '../format/log-record.ts';
import type { PlaceTables } from '../tables/backend-tables.ts';
import type { Ledger, PartEnd } from '../wal/wal.ts';

/** What this process shows others of a store that it has open. */
export interface Hold {
  /** Secret: anyone who can read it may use the server of this process. */
  readonly token: string;
  /** Makes the address of this process's server known to commands beside it, and whether it gives the store up when it is asked to. */
  publishUrl(url: string, options?: { readonly yields?: boolean }): void;
}

/** Where a store lies, and all that depends on it. */
export interface StorePlace {
  readonly tables: PlaceTables;
  readonly hold: Hold;
  readonly room: Room;
  /** Folder of this machine for what is derived, or of use to this process alone. */
  readonly localPath: string;
  /** Once the tables are open: what they do not hold yet, in its order. */
  openLedger(): Promise<{ readonly ledger: Ledger; readonly beginning: readonly (JournalRecord | PartEnd)[] }>;
  /** Bytes of all of it. */
  bytes(): Promise<number>;
  /** Of what it lies on; undefined where nobody tells. */
  disk(): Promise<DiskSpace | undefined>;
  /** Whether it would take a write now, as far as can be told without one. */
  isWritable(): Promise<boolean>;
  /** Why it cannot be used at the moment, as far as is known without asking; absent where nobody looks. */
  readonly fault?: string | undefined;
  /** Runs work; rejects with `unavailable` as soon as the place has answered nothing for `storage.timeoutMs`. Absent where it lies on this machine. */
  unlessSilent?<Result>(work: () => Promise<Result>): Promise<Result>;
  /** The folder, for work on its files. Throws `config` where it is none. */
  requireFolder(): string;
  /** Lets others in. Safe to repeat. */
  release(): void;
}
