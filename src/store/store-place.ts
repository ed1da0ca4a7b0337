import type { Connection, Table } from '@lancedb/lancedb';
import type { DiskSpace } from './disk-space.ts';
import type { JournalRecord } from './journal-record.ts';
import type { Quarantine } from './quarantine.ts';
import type { Reserve } from './reserve.ts';

/** What this process shows others of a store that it has open. */
export interface Hold {
  /** Secret: whoever can read it may use the server of this process. */
  readonly token: string;
  /** Makes the address of this process's server known to commands beside it, and whether it gives the store up when it is asked to. */
  publishUrl(url: string, options?: { readonly yields?: boolean }): void;
}

/** Space for what is to be written. */
export type Room = Pick<Reserve, 'begin' | 'isFull' | 'noteFailure' | 'requireRoom' | 'close'>;

/** A table of entries that was opened. */
export interface OpenedEntries {
  readonly table: Table;
  /** Whether it is as it was secured last. */
  readonly isSecured: boolean;
}

/** A table beside the entries that was opened. */
export interface OpenedSide {
  readonly table: Table;
  /** No files of versions up to this one are there, but of a few. */
  readonly prunedAt: number;
}

/** The entries as they were secured. */
export interface EntriesHead {
  readonly version: number;
  readonly rows: number;
}

/** The tables of a store as they lie at its place. */
export interface PlaceTables {
  /** The folder or the address, as people name it. */
  readonly uri: string;
  readonly quarantine: Quarantine;
  connect(): Promise<Connection>;
  /**
   * Opens the table of entries at the version to begin with, with its indexes, or creates the store where nothing is there. Never creates over
   * something that it cannot read. Rejects with `filesystem`.
   */
  openEntries(connection: Connection, width: number): Promise<OpenedEntries>;
  /** The same of a table beside them; undefined where there is none. Makes none. */
  openSide(connection: Connection, name: string): Promise<OpenedSide | undefined>;
  /** Resolves once this version of the entries survives the end of the process and a power cut, and is what the next start begins with. */
  secureEntries(entries: EntriesHead): Promise<void>;
  /** The same of tables beside them, by name; undefined for one that is not there. */
  secureSides(versions: ReadonlyMap<string, number | undefined>): Promise<void>;
  /** For `.catch()`: tells of a failure to read rows of a table which of its files are damaged, and what to do. */
  damaged(table: string): (cause: unknown) => never;
}

/** What was acknowledged, in one order; the tables get it later. */
export interface Ledger {
  /** Whether nothing can be appended until the next start. */
  readonly isBroken: boolean;
  /** Whether something of it was found damaged, and is found again until all of it is in the tables. */
  readonly hasDamage: boolean;
  /** What is not in the tables yet, bytes. */
  readonly bytes: number;
  /** Whom every append that counts is told, in order and before it resolves. One can follow. */
  follow(follower: (records: readonly JournalRecord[]) => void): void;
  /** Resolves once everything that counts so far was told: what is decided next is decided on all of it. */
  catchUp(): Promise<void>;
  /**
   * Makes records safe that were decided on all that was told. Resolves with whether they count: where something else came first they do
   * not, and have to be decided again. Rejects where they are not safe; then nothing of them is seen, now or later.
   */
  append(records: readonly JournalRecord[]): Promise<boolean>;
  /** Throws where the tables are not this process's to write any more. */
  requireHeld(): void;
  /** Between two appends: what comes next belongs to the next part. Returns the number of the last one that is complete now. */
  rotate(): number;
  /** The tables hold all up to this part. */
  drop(part: number): Promise<void>;
  close(): void;
}

/** Where a store lies, and all that depends on it. */
export interface StorePlace {
  readonly tables: PlaceTables;
  readonly hold: Hold;
  readonly room: Room;
  /** Folder of this machine for what is derived, or of use to this process alone. */
  readonly localPath: string;
  /** Once the tables are open: what they do not hold yet, oldest first. */
  openLedger(): Promise<{ readonly ledger: Ledger; readonly records: readonly JournalRecord[] }>;
  /** Bytes of all of it. */
  bytes(): Promise<number>;
  /** Of what it lies on; undefined where nobody tells. */
  disk(): Promise<DiskSpace | undefined>;
  /** Whether it would take a write now, as far as can be told without one. */
  isWritable(): Promise<boolean>;
  /** The folder, for work on its files. Throws `config` where it is none. */
  requireFolder(): string;
  /** Lets others in. Safe to repeat. */
  release(): void;
}
