import type * as lancedb from '@lancedb/lancedb';
import type { RecordBatch, Schema } from 'apache-arrow';
import { LoreError } from '../memory/errors.ts';
import { ClosedHandles } from './closed-handles.ts';
import { dropIndex, indexedColumns, renewIndexes } from './indexes.ts';
import { ENTRIES, newVectorColumns, vectorColumnsOf, vectorFields, type VectorColumns } from './schema.ts';
import { Snapshot } from './snapshot.ts';
import { asStoreError } from './store-error.ts';
import type { PlaceTables } from './store-place.ts';
import { restoreTo } from './table-opening.ts';

/** The handles of one connection. */
interface Tables {
  readonly connection: lancedb.Connection;
  readonly writer: lancedb.Table;
}

/** What opening a store needs to know and shows. */
interface FirstLook {
  /** Of the vectors of a store that is created. */
  readonly width: number;
  /** Columns of every row that `visit` is shown; `id` is among them. */
  readonly columns: readonly string[];
  readonly visit: (batch: RecordBatch) => void;
}

/** A handle that was replaced stays open this long for the reads that still use it. */
const RETIRE_MS = 5_000;

/**
 * The open entries of one store. There are two handles of the table: the writer works on the newest version, and the reader stays at one
 * that is whole, indexed and known to be safe, until `adopt` moves it on. The place keeps which version that is, so that a process that dies
 * halfway through its work is taken back to it at the next start.
 */
export class Database {
  readonly #place: PlaceTables;
  #tables: Tables;
  #snapshot: Snapshot;
  /** Those before it that long reads may still use. */
  #older: readonly Snapshot[] = [];
  /** That this process wrote last, of a table that others write too. */
  #written: number | undefined;
  /** The version that the next start begins with. */
  #secured: number | undefined;
  #schema: Schema;
  #vectorColumns: readonly VectorColumns[];
  readonly #retired = new Set<() => void>();
  readonly #closed = new ClosedHandles();

  private constructor(place: PlaceTables, tables: Tables, snapshot: Snapshot, schema: Schema) {
    this.#place = place;
    this.#tables = tables;
    this.#snapshot = snapshot;
    this.#schema = schema;
    this.#vectorColumns = vectorColumnsOf(schema);
  }

  /** Opens the store of this place, or creates it where nothing is there. Shows every row to `visit`. Rejects with `filesystem`. */
  static async open(place: PlaceTables, { width, columns, visit }: FirstLook): Promise<Database> {
    const connection = await place.connect();
    try {
      const { table: writer, version, isSecured } = await place.openEntries(connection, width);
      const snapshot = await openSnapshot(place, { version, columns, visit }).catch(place.damaged(ENTRIES));
      const database = new Database(place, { connection, writer }, snapshot, await writer.schema());
      if (isSecured) database.#secured = snapshot.version;
      else await database.secure();
      await database.ensureVectorColumns(width);
      return database;
    } catch (error) {
      connection.close();
      return asStoreError('open the store')(error);
    }
  }

  /** For changes; ahead of the reader while work is under way. */
  get writer(): lancedb.Table {
    return this.#tables.writer;
  }

  /** Whether other servers read and write the tables too. */
  get areShared(): boolean {
    return this.#place.areShared;
  }

  /** Whether a service keeps the tables. */
  get areManaged(): boolean {
    return this.#place.areManaged;
  }

  /** What every read looks at: all of it indexed. It stays as it is for as long as a read needs it. */
  get snapshot(): Snapshot {
    return this.#snapshot;
  }

  /** The table of the snapshot. */
  get reader(): lancedb.Table {
    return this.#snapshot.table;
  }

  /** When the oldest of the versions before the present one was committed that reads still look at, epoch milliseconds; undefined for none. */
  get oldestInUse(): number | undefined {
    const times = this.#older.filter(({ isOpen }) => isOpen).map(({ committedAt }) => committedAt);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /** The oldest of these versions. */
  get oldestVersionInUse(): number | undefined {
    return this.#older.find(({ isOpen }) => isOpen)?.version;
  }

  /** Of the `entries` table as it is now. */
  get schema(): Schema {
    return this.#schema;
  }

  get vectorColumns(): readonly VectorColumns[] {
    return this.#vectorColumns;
  }

  columnsFor(width: number): VectorColumns {
    const columns = this.#vectorColumns.find((candidate) => candidate.width === width);
    if (columns === undefined) throw new LoreError('internal', `This store has no column for vectors of ${width} numbers.`);
    return columns;
  }

  /** Adds columns for vectors of another width, empty in every row. Safe to repeat; not while other work is under way. */
  async ensureVectorColumns(width: number): Promise<void> {
    if (this.#vectorColumns.some((columns) => columns.width === width)) return;
    if (this.#place.areShared || this.areManaged) throw this.#otherWidth(width);
    // What work that was given up has left behind must not be taken up with the columns.
    await this.settle();
    await this.writer
      .addColumns(vectorFields(newVectorColumns(width, false)))
      .catch(asStoreError('add columns for the new embedding model'));
    await this.#takeSchema();
  }

  /** Removes columns that are empty in every row. Not while other work is under way. */
  async dropVectorColumns({ first, further }: VectorColumns): Promise<void> {
    await this.settle();
    await dropIndex(this.writer, first);
    await this.writer.dropColumns([first, further]).catch(asStoreError('drop columns of an earlier embedding model'));
    await this.#takeSchema();
  }

  /**
   * Puts empty indexes in the place of all, for reads at once; the next cycle fills them. Resolves with their columns. Not while other work is
   * under way.
   */
  async renewIndexes(): Promise<readonly string[]> {
    await this.settle();
    const columns = await indexedColumns(this.writer);
    await renewIndexes(this.writer, columns);
    await this.adopt();
    await this.secure();
    return columns;
  }

  async #takeSchema(): Promise<void> {
    this.#schema = await this.writer.schema();
    this.#vectorColumns = vectorColumnsOf(this.#schema);
    await this.adopt();
    await this.secure();
  }

  /** The version of what this process has written by now, and means to publish. */
  async writtenVersion(): Promise<number> {
    this.#written = await this.writer.version();
    return this.#written;
  }

  /** Moves the reads on to what the writer has, where that is something else. */
  async adopt(): Promise<void> {
    const version = await this.writer.version();
    if (version === this.#snapshot.version) return;
    this.take(await this.openAt(version));
  }

  /** A version, before reads move there with `take`. Shows every row to `visit`. The caller closes it where they do not. */
  openAt(version: number, look?: Partial<Pick<FirstLook, 'columns' | 'visit'>>): Promise<Snapshot> {
    return openSnapshot(this.#place, { version, ...look });
  }

  /** Moves the reads on to this version. */
  take(next: Snapshot): void {
    const old = this.#snapshot;
    this.#older = [...this.#older, old].filter(({ isOpen }) => isOpen);
    this.#snapshot = next;
    this.#retire(() => {
      old.close();
      this.#closed.add(old);
    });
  }

  /** Resolves once the version of the reader survives the end of the process and a power cut, and is what the next start begins with. */
  async secure(): Promise<void> {
    const { version, size: rows } = this.#snapshot;
    await this.#place.secureEntries({ version, rows });
    this.#secured = version;
  }

  /** Where earlier work was given up halfway, here or elsewhere: takes the writer back to the version of the reader, and makes sure of that one. */
  async settle(): Promise<void> {
    if (this.areManaged) return;
    const { version } = this.#snapshot;
    await restoreTo(this.writer, version, { isShared: this.#place.areShared, isOwn: version === this.#written });
    // Shared reads stay at versions that the ledger names.
    if (this.#place.areShared) return;
    await this.adopt();
    if (this.#secured !== this.#snapshot.version) await this.secure();
  }

  /** Connects anew and lets the old handles go once their reads are done: LanceDB leaks file descriptors with every optimize otherwise. */
  async reopen(): Promise<void> {
    const { connection: oldConnection, writer: oldWriter } = this.#tables;
    const connection = await this.#place.connect();
    this.#tables = { connection, writer: await connection.openTable(ENTRIES).catch(asStoreError('open the store again')) };
    this.#retire(() => {
      oldWriter.close();
      oldConnection.close();
    });
  }

  #otherWidth(width: number): LoreError {
    const widths = this.#vectorColumns.map((columns) => columns.width).join(' or ');
    return new LoreError(
      'config',
      `The store ${this.#place.uri} has vectors of ${widths} numbers; those of this embedding model have ${width}.`,
      {
        hint: this.areManaged
          ? 'Set embeddings.* to the model that it began with, or storage.path to a store of its own.'
          : 'All servers of a store use one embedding model: set embeddings.* to that of the others, or storage.path to a store of its own.',
      },
    );
  }

  close(): void {
    for (const retire of this.#retired) retire();
    this.#snapshot.close();
    this.#tables.writer.close();
    this.#tables.connection.close();
  }

  #retire(close: () => void): void {
    const retire = (): void => {
      clearTimeout(timer);
      this.#retired.delete(retire);
      close();
    };
    const timer = setTimeout(retire, RETIRE_MS).unref();
    this.#retired.add(retire);
  }
}

/**
 * A version, on a connection of its own: what a cache holds of the indexes of older versions keeps those of the new one out, and a search by
 * words then costs three times as much (docs/performance.md).
 */
async function openSnapshot(
  place: PlaceTables,
  { version, ...look }: { readonly version: number } & Partial<Pick<FirstLook, 'columns' | 'visit'>>,
): Promise<Snapshot> {
  const connection = await place.connect();
  const table = await connection.openTable(ENTRIES).catch(asStoreError('open the store again'));
  if (place.areShared) await table.checkout(version).catch(asStoreError('open the store again'));
  if (place.areManaged) return await Snapshot.ofNewest({ connection, table }, look?.columns, look?.visit);
  return await Snapshot.take({ connection, table }, { ...look, areShared: place.areShared });
}
