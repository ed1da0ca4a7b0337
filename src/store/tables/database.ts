import type { Connection, Table } from '@lancedb/lancedb';
import type { Field, RecordBatch, Schema } from 'apache-arrow';
import { LoreError } from '../../memory/errors.ts';
import { EntriesTable } from './entries-table.ts';
import { dropIndexes, indexedColumns, renewIndexes } from './indexes.ts';
import { RetiredHandles } from './retired-handles.ts';
import { fieldColumns, newVectorColumns, vectorColumnsOf, vectorFields, type VectorColumns } from '../format/schema.ts';
import { shardOf } from '../format/shards.ts';
import type { Snapshot } from './snapshot.ts';
import { asStoreError } from '../errors/store-error.ts';
import type { BackendTables, TableAbilities } from './backend-tables.ts';
import type { TableVersion } from '../format/checkpoint.ts';
import { View } from './view.ts';

/** Settings for opening a store. */
interface Baseline {
  /** Width of the vectors of a new store. */
  readonly width: number;
  /** Columns of every row that `visit` is shown; `id` is among them. */
  readonly columns: readonly string[];
  readonly visit: (batch: RecordBatch) => void;
  /** Columns that every table has or gets; default those of the fields of an entry. */
  readonly fields?: readonly Field[];
}

/** What reads need in order to move. */
interface Opened {
  readonly connection: Connection;
  /** By shard. */
  readonly tables: readonly EntriesTable[];
}

/**
 * The open entry tables of a store. Writers use the newest versions; reads use complete, indexed and durable versions until `adopt` moves
 * them all at once. The backend records these versions, so that the next start returns to them if a process dies halfway.
 */
export class Database {
  readonly #backend: BackendTables;
  #connection: Connection;
  #tables: readonly EntriesTable[];
  #view: View;
  /** The versions that the next start uses, as the stamp of a view. */
  #secured: string | undefined;
  #schema: Schema;
  /** Of the versions that reads use. */
  #viewSchema: Schema;
  #vectorColumns: readonly VectorColumns[];
  readonly #retiring = new RetiredHandles();

  private constructor(backend: BackendTables, { connection, tables }: Opened, schema: Schema) {
    this.#backend = backend;
    this.#connection = connection;
    this.#tables = tables;
    this.#view = viewOf(tables);
    this.#schema = schema;
    this.#viewSchema = schema;
    this.#vectorColumns = vectorColumnsOf(schema);
  }

  /** Opens the tables of this backend, or creates them. Passes every row to `visit`. Rejects with `filesystem`. */
  static async open(backend: BackendTables, { width, columns, visit, fields = fieldColumns() }: Baseline): Promise<Database> {
    const connection = await backend.connect();
    try {
      const { tables: found, isSecured } = await backend.openEntries(connection, width);
      const tables: EntriesTable[] = [];
      for (const { table: writer, version } of found) {
        // A store from before a field was added has no column for it yet.
        const there = new Set((await writer.schema()).fields.map(({ name }) => name));
        const look = { columns: columns.filter((name) => there.has(name)), visit };
        tables.push(await EntriesTable.open(backend, { writer, version, look }).catch(backend.damaged(writer.name)));
      }
      // From the reader: on shared tables, the writer may have columns of another server's unfinished work.
      const database = new Database(backend, { connection, tables }, await tables[0]!.snapshot.table.schema());
      if (isSecured) database.#secured = database.view.stamp;
      else await database.secure();
      await database.#ensureFieldColumns(fields);
      // All servers read the columns of a shared store: columns of another width are added with a change of the model.
      if (!database.abilities.shared) await database.ensureVectorColumns(width);
      return database;
    } catch (error) {
      connection.close();
      return asStoreError('open the store')(error);
    }
  }

  /** A separate connection; the caller closes it. */
  connect(): Promise<Connection> {
    return this.#backend.connect();
  }

  /** The tables, by shard. */
  get tables(): readonly EntriesTable[] {
    return this.#tables;
  }

  /** The table for the entries of a namespace. */
  tableOf(namespace: string): EntriesTable {
    return this.#tables[shardOf(namespace, this.#tables.length)]!;
  }

  /** Whether other servers read and write the tables too. */
  get abilities(): TableAbilities {
    return this.#backend.abilities;
  }

  /** The view that reads use. It does not change while a read needs it. */
  get view(): View {
    return this.#view;
  }

  /** Whether reads still use older versions. */
  get hasOlderInUse(): boolean {
    return this.#tables.some(({ oldestInUse }) => oldestInUse !== undefined);
  }

  /** Closes older versions at once. Call it only while no read is running. */
  releaseOlder(): void {
    for (const table of this.#tables) table.releaseOlder();
  }

  /** The schema of the entry tables for new rows; ahead of the columns that reads use while the model is changed. */
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

  /** Whether there are columns for vectors of this width. */
  holds(width: number): boolean {
    return this.#vectorColumns.some((columns) => columns.width === width);
  }

  /** Adds empty columns for vectors of another width. Safe to repeat; not while other work is running. */
  async ensureVectorColumns(width: number): Promise<void> {
    if (this.holds(width)) return;
    if (!this.abilities.ownFiles) throw this.#otherWidth(width);
    // Columns left by unfinished work must not be reused.
    await this.settle();
    await this.addVectorColumns(width);
    await this.#takeSchema();
  }

  /** Adds missing columns for new rows with vectors of this width. Reads do not see them yet. Not while other work is running. */
  async addVectorColumns(width: number): Promise<void> {
    if (this.holds(width)) return;
    for (const { writer } of this.#tables) {
      await writer.addColumns(vectorFields(newVectorColumns(width, false))).catch(asStoreError('add columns for the new embedding model'));
    }
    this.#schema = await this.#tables[0]!.writer.schema();
  }

  /** Adds empty columns for new fields; a shared store keeps its original columns. */
  async #ensureFieldColumns(fields: readonly Field[]): Promise<void> {
    const there = new Set(this.#schema.fields.map(({ name }) => name));
    const missing = fields.filter(({ name }) => !there.has(name));
    if (missing.length === 0 || !this.abilities.ownFiles) return;
    await this.settle();
    for (const { writer } of this.#tables) {
      const own = new Set((await writer.schema()).fields.map(({ name }) => name));
      const added = missing.filter(({ name }) => !own.has(name));
      if (added.length > 0) await writer.addColumns(added).catch(asStoreError('add the columns of new fields'));
    }
    await this.#takeSchema();
  }

  /** Removes columns that are empty in every row. Not while other work is running. */
  async dropVectorColumns({ first, further }: VectorColumns): Promise<void> {
    await this.settle();
    for (const { writer } of this.#tables) {
      await dropIndexes(writer, [first]);
      await writer.dropColumns([first, further]).catch(asStoreError('drop columns of an earlier embedding model'));
    }
    await this.#takeSchema();
  }

  /**
   * Replaces all indexes with empty ones, for reads at once; the next maintenance run fills them. Resolves with their columns. Not while
   * other work is running.
   */
  async renewIndexes(): Promise<readonly string[]> {
    await this.settle();
    const renewed = new Set<string>();
    for (const { writer } of this.#tables) {
      const columns = await indexedColumns(writer);
      await renewIndexes(writer, columns);
      for (const column of columns) renewed.add(column);
    }
    await this.adopt();
    await this.secure();
    return [...renewed];
  }

  async #takeSchema(): Promise<void> {
    this.#readBy(await this.#tables[0]!.writer.schema());
    await this.adopt();
    await this.secure();
  }

  #readBy(schema: Schema): void {
    this.#schema = schema;
    this.#viewSchema = schema;
    this.#vectorColumns = vectorColumnsOf(schema);
  }

  /** Moves reads to the versions of the writers, if they differ. */
  async adopt(): Promise<void> {
    const next: Snapshot[] = [];
    for (const table of this.#tables) next.push(await table.openAt(await table.writer.version()));
    this.take(next);
  }

  /** These versions, by shard, before reads move there with `take`; see `EntriesTable.openAt`. */
  async openAt(
    versions: readonly Pick<TableVersion, 'version'>[],
    look?: Partial<Pick<Baseline, 'columns' | 'visit'>>,
  ): Promise<Snapshot[]> {
    const parts: Snapshot[] = [];
    try {
      for (const [shard, table] of this.#tables.entries()) parts.push(await table.openAt(versions[shard]!.version, look));
      return parts;
    } catch (error) {
      this.letGo(parts);
      throw error;
    }
  }

  /** Closes opened versions that reads will not use. */
  letGo(parts: readonly Snapshot[]): void {
    for (const part of parts) if (!this.#view.parts.includes(part)) part.close();
  }

  /** Moves reads to these versions; `schema`: theirs, if it differs. */
  take(next: readonly Snapshot[], schema?: Schema): void {
    if (schema !== undefined) this.#readBy(schema);
    for (const [shard, table] of this.#tables.entries()) table.take(next[shard]!);
    this.#view = viewOf(this.#tables);
  }

  /** Opens tables with another number of shards, before `exchange`. */
  async openTables(tables: readonly Table[]): Promise<EntriesTable[]> {
    const connection = this.#connection;
    const opened: EntriesTable[] = [];
    for (const { name } of tables) {
      const writer = await connection.openTable(name).catch(asStoreError('open the store again'));
      opened.push(await EntriesTable.open(this.#backend, { writer, version: await writer.version() }));
    }
    return opened;
  }

  /** Moves reads and writes to these tables with the same contents. */
  exchange(tables: readonly EntriesTable[]): void {
    const old = this.#tables;
    this.#tables = tables;
    this.#view = viewOf(tables);
    for (const table of old) table.retire();
  }

  /** Makes the versions of the reader durable, so that the next start uses them. */
  async secure(): Promise<void> {
    const { parts, stamp } = this.#view;
    await this.#backend.secureEntries(parts.map(({ version, size: rows }) => ({ version, rows })));
    this.#secured = stamp;
  }

  /** After interrupted work, here or elsewhere: returns the writers to the versions of the reader, and makes those durable. */
  async settle(): Promise<void> {
    if (!this.abilities.versions) return;
    await this.#backend.sums?.compareOnce();
    for (const table of this.#tables) await table.settle();
    // Shared reads stay at versions that the log names.
    if (this.abilities.shared) {
      this.#schema = this.#viewSchema;
      return;
    }
    await this.adopt();
    if (this.#secured !== this.#view.stamp) await this.secure();
  }

  /** Reconnects, and closes the old handles when their reads are done; otherwise LanceDB leaks file descriptors with every optimize. */
  async reopen(): Promise<void> {
    const old = this.#connection;
    this.#connection = await this.#backend.connect();
    for (const table of this.#tables) await table.reopen(this.#connection);
    this.#retiring.add(() => old.close());
  }

  #otherWidth(width: number): LoreError {
    const widths = this.#vectorColumns.map((columns) => columns.width).join(' or ');
    return new LoreError(
      'config',
      `The store ${this.#backend.uri} has vectors of ${widths} numbers; those of this embedding model have ${width}.`,
      {
        hint: this.abilities.shared
          ? 'All servers of a store use one embedding model: set embeddings.* as on the other servers, or storage.path to another store.'
          : 'Set embeddings.* to the model of the store, or storage.path to another store.',
      },
    );
  }

  close(): void {
    this.#retiring.closeAll();
    for (const table of this.#tables) table.close();
    this.#connection.close();
  }
}

const viewOf = (tables: readonly EntriesTable[]): View => new View(tables.map(({ snapshot }) => snapshot));
