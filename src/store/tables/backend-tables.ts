import type { Connection, Table } from '@lancedb/lancedb';
import type { Schema } from 'apache-arrow';
import type { WorkMark } from '../files/crash-marker.ts';
import type { Quarantine } from '../files/quarantine.ts';
import type { EntriesHead } from '../format/checkpoint.ts';
import type { FileSums } from './file-sums.ts';

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
  /** Of the files; undefined where they are not in a folder. */
  readonly sums?: FileSums;
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
