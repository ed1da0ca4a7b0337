import type { Connection, Table } from '@lancedb/lancedb';
import type { Schema } from 'apache-arrow';
import type { CrashMarker } from '../files/crash-marker.ts';
import type { Quarantine } from '../files/quarantine.ts';
import type { EntriesVersions } from '../format/checkpoint.ts';
import type { VectorSpace } from '../format/vector-space.ts';
import type { FileSums } from './file-sums.ts';

/** The opened entry tables. */
export interface OpenedEntries {
  /** By shard. */
  readonly tables: readonly {
    /** Handle for changes. */
    readonly table: Table;
    /** First version for reads. */
    readonly version: number;
  }[];
  /** Whether they are at their durable versions. */
  readonly isSecured: boolean;
}

/** An opened auxiliary table. */
export interface OpenedAuxiliary {
  readonly table: Table;
  readonly version: number;
  /** Files of versions up to this one were removed, with a few exceptions. */
  readonly prunedAt: number;
}

/** Manages the number of entry tables. */
export interface Layout {
  /** Creates this number of empty entry tables with indexes, next to the active ones. */
  begin(connection: Connection, wanted: { readonly shards: number; readonly schema: Schema }): Promise<readonly Table[]>;
  /** Resolves when the new tables are durable. */
  sync(shards: number): Promise<void>;
  /** Marks the tables of the old number as unused, after the new ones are durable. */
  retire(shards: number): Promise<void>;
  /** Removes all entry tables except those of this number. */
  drop(but: number): Promise<void>;
}

/** What can be done with the tables of a store on its backend; the values are in `backends/abilities.ts`. */
export interface TableAbilities {
  /** Other servers read and write them too: reads stay at versions published in the log, and every server follows changes of the others. */
  readonly shared: boolean;
  /** Only this process has their files: it can add columns, quarantine indexes and remove old versions when it exits. */
  readonly ownFiles: boolean;
  /** Lore merges, indexes and prunes them; otherwise a service does. */
  readonly compaction: boolean;
  /** Reads can stay at a version, and a writer can return to one; otherwise reads use the newest. */
  readonly versions: boolean;
  /** Writing replaces the rows of the same keys in one step, so that it is safe to repeat. */
  readonly upserts: boolean;
  /** Each read is a request to object storage: caches are warmed early, and rebuilding an index costs more. */
  readonly slowReads: boolean;
  /** Vectors are worth keeping in memory. */
  readonly vectorCache: boolean;
  /** The vectors of another model can be collected next to the active ones, and switched to at once. */
  readonly vectorSwitch: boolean;
}

/** The tables of a store on its backend. */
export interface BackendTables {
  /** The folder or URI, for messages. */
  readonly uri: string;
  readonly quarantine: Quarantine;
  readonly abilities: TableAbilities;
  /** The space of the vectors at the opening, if the log of a shared store names it. */
  readonly space?: VectorSpace | undefined;
  /** Undefined if the number of tables is fixed. */
  readonly layout?: Layout;
  /** The crash marker; undefined if other processes detect a crash. */
  readonly mark?: CrashMarker;
  /** Checksums of the files; undefined if they are not in a folder. */
  readonly sums?: FileSums;
  connect(): Promise<Connection>;
  /**
   * Opens the entry tables at their durable versions, with indexes, or creates the store. Never creates over unreadable data. Rejects
   * with `filesystem`.
   */
  openEntries(connection: Connection, width: number): Promise<OpenedEntries>;
  /** Opens an auxiliary table; undefined if there is none. Does not create it. */
  openAuxiliary(connection: Connection, name: string): Promise<OpenedAuxiliary | undefined>;
  /** Makes these versions of the entry tables durable, so that the next start uses them. */
  secureEntries(entries: EntriesVersions): Promise<void>;
  /** Like `secureEntries` for auxiliary tables, by name; undefined for a missing one. */
  secureAuxiliary(versions: ReadonlyMap<string, number | undefined>): Promise<void>;
  /** For `.catch()`: turns a failure to read rows into an error that names the damaged files, with a hint. */
  damaged(table: string): (cause: unknown) => never;
}
