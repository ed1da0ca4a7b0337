import type { Connection, Table } from '@lancedb/lancedb';
import type { Schema } from 'apache-arrow';
import type { DiskSpace } from '../files/disk-space.ts';
import type { JournalRecord } from '../format/log-record.ts';
import type { Quarantine } from '../files/quarantine.ts';
import type { Reserve } from '../files/reserve.ts';
import type { WorkMark } from '../files/crash-marker.ts';

/** What this process shows others of a store that it has open. */
export interface Hold {
  /** Secret: whoever can read it may use the server of this process. */
  readonly token: string;
  /** Makes the address of this process's server known to commands beside it, and whether it gives the store up when it is asked to. */
  publishUrl(url: string, options?: { readonly yields?: boolean }): void;
}

/** Space for what is to be written. */
export type Room = Pick<Reserve, 'begin' | 'isFull' | 'noteFailure' | 'requireRoom' | 'close'>;

/** The tables of entries that were opened. */
export interface OpenedEntries {
  /** By shard. */
  readonly tables: readonly {
    /** For changes. */
    readonly table: Table;
    /** That reads begin with. */
    readonly version: number;
  }[];
  /** Whether they are as they were secured last. */
  readonly isSecured: boolean;
}

/** A table beside the entries that was opened. */
export interface OpenedSide {
  readonly table: Table;
  readonly version: number;
  /** No files of versions up to this one are there, but of a few. */
  readonly prunedAt: number;
}

/** A table of entries as it was secured. */
export interface TableHead {
  readonly version: number;
  readonly rows: number;
}

/** The entries as they were secured: one for each shard. */
export type EntriesHead = readonly TableHead[];

/** Over how many tables the entries are spread. */
export interface Layout {
  /** Makes so many empty tables of entries beside those that serve, with their indexes. */
  begin(connection: Connection, wanted: { readonly shards: number; readonly schema: Schema }): Promise<readonly Table[]>;
  /** Resolves once all of these tables so far survives a power cut. */
  sync(shards: number): Promise<void>;
  /** Says, once the new tables are secured, that those of so many shards are not the entries any more. */
  retire(shards: number): Promise<void>;
  /** Removes all tables of entries but those of so many shards. */
  drop(but: number): Promise<void>;
}

/** The tables of a store as they lie at its place. */
export interface PlaceTables {
  /** The folder or the address, as people name it. */
  readonly uri: string;
  readonly quarantine: Quarantine;
  /** Whether other processes read and write them at the same time: then reads stay at versions that the ledger names. */
  readonly areShared: boolean;
  /**
   * Whether a service keeps them (`Abilities.managed`): then nothing is merged, pruned or taken back, reads look at the newest version, and what is
   * written may be written again.
   */
  readonly areManaged: boolean;
  /** Undefined where it stays as it was made. */
  readonly layout?: Layout;
  /** Undefined where other processes can tell. */
  readonly mark?: WorkMark;
  connect(): Promise<Connection>;
  /**
   * Opens the tables of entries at the versions to begin with, with their indexes, or creates the store where nothing is there. Never creates over
   * something that it cannot read. Rejects with `filesystem`.
   */
  openEntries(connection: Connection, width: number): Promise<OpenedEntries>;
  /** The same of a table beside them; undefined where there is none. Makes none. */
  openSide(connection: Connection, name: string): Promise<OpenedSide | undefined>;
  /** Resolves once these versions of the entries survive the end of the process and a power cut, and are what the next start begins with. */
  secureEntries(entries: EntriesHead): Promise<void>;
  /** The same of tables beside them, by name; undefined for one that is not there. */
  secureSides(versions: ReadonlyMap<string, number | undefined>): Promise<void>;
  /** For `.catch()`: tells of a failure to read rows of a table which of its files are damaged, and what to do. */
  damaged(table: string): (cause: unknown) => never;
}

/** The tables as they hold all up to a part of the ledger. */
export interface Written {
  readonly entries: EntriesHead;
  /** Versions of the tables beside the entries, by name. */
  readonly sides: Readonly<Record<string, number>>;
}

/** That what came before it and is in no part yet is a part now. */
export interface PartEnd {
  readonly op: 'seal';
  readonly part: number;
}

/** Whoever follows a ledger is told of everything in its order. */
export interface LedgerFollower {
  /** These came next. */
  records(records: readonly JournalRecord[]): void;
  seal(end: PartEnd): void;
  /** Another process has written all up to this part, or a later one, to the tables. */
  written(part: number, written: Written): void;
  /** This process maintains the tables from now on, or does not any more. */
  duty(): void;
}

/** What was acknowledged, in one order; the tables get it later, a part at a time. */
export interface Ledger {
  /** Whether nothing can be appended until the store is opened anew. */
  readonly isBroken: boolean;
  /** Whether something of it was found damaged, and is found again until all of it is in the tables. */
  readonly hasDamage: boolean;
  /** What is not in the tables yet, bytes; undefined where nobody counts. */
  readonly bytes: number | undefined;
  /** Rises with every append that is told. */
  readonly told: number;
  /** Whether it is this process that moves what waits into the tables. */
  readonly maintains: boolean;
  /** Whether it has become slow, which writing the tables mends. */
  readonly isLong: boolean;
  /** One can follow. */
  follow(follower: LedgerFollower): void;
  /** The follower is ready for what comes behind the requests too. */
  begin(): void;
  /** Resolves once everything that counts so far was told: what is decided next is decided on all of it. */
  catchUp(): Promise<void>;
  /** The same, and when it is this process's turn to append: those who do it at once would be in each other's way. Rejects with `unavailable`. */
  turn(): Promise<void>;
  /**
   * Makes records safe that were decided when `told` was this. Resolves with whether they count, and then they were told: where something else
   * came first they do not, and have to be decided again. Rejects where they are not safe; then nothing of them is seen.
   */
  append(records: readonly JournalRecord[], told: number): Promise<boolean>;
  /** Throws where the tables are not this process's to write any more. */
  requireHeld(): void;
  /** Takes up maintenance, where nobody else is at it. Whether this process maintains now. */
  takeOver(): Promise<boolean>;
  /** Only who maintains, and between two appends: ends a part, which is told. Rejects with `unavailable` where another maintains by now. */
  closePart(): Promise<void>;
  /** Whether a part that was closed may still be published. */
  isOpen(part: number): boolean;
  /** Makes these versions the ones that hold all up to this part, for others too. Rejects with `unavailable` where another maintains by now. */
  publish(part: number, written: Written): Promise<void>;
  /** The tables hold all up to this part, and are secured. */
  drop(part: number): Promise<void>;
  close(): Promise<void>;
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
  /** The folder, for work on its files. Throws `config` where it is none. */
  requireFolder(): string;
  /** Lets others in. Safe to repeat. */
  release(): void;
}
