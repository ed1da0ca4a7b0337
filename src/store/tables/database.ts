import type { Connection, Table } from '@lancedb/lancedb';
import type { Field, RecordBatch, Schema } from 'apache-arrow';
import { LoreError } from '../../memory/errors.ts';
import { EntriesTable } from './entries-table.ts';
import { dropIndexes, indexedColumns, renewIndexes } from './indexes.ts';
import { Retiring } from './retiring.ts';
import { fieldColumns, newVectorColumns, vectorColumnsOf, vectorFields, type VectorColumns } from '../format/schema.ts';
import { shardOf } from '../format/shards.ts';
import type { Snapshot } from './snapshot.ts';
import { asStoreError } from '../errors/store-error.ts';
import type { PlaceTables } from './backend-tables.ts';
import type { TableHead } from '../format/checkpoint.ts';
import { View } from './view.ts';

/** What opening a store needs to know and shows. */
interface FirstLook {
  /** Of the vectors of a store that is created. */
  readonly width: number;
  /** Columns of every row that `visit` is shown; `id` is among them. */
  readonly columns: readonly string[];
  readonly visit: (batch: RecordBatch) => void;
  /** Columns that every table has or gets; default those of the fields of an entry. */
  readonly fields?: readonly Field[];
}

/** What reads need to know to go on at another place. */
interface Opened {
  readonly connection: Connection;
  /** By shard. */
  readonly tables: readonly EntriesTable[];
}

/**
 * The open entries of one store: the tables that they are spread over. Writers work on the newest versions, and the reads stay at ones that are whole, indexed
 * and known to be safe, until `adopt` moves them on, all in one turn. The place keeps which versions those are, so that a process that dies
 * halfway through its work is taken back to them at the next start.
 */
export class Database {
  readonly #place: PlaceTables;
  #connection: Connection;
  #tables: readonly EntriesTable[];
  #view: View;
  /** The versions that the next start begins with, as the stamp of a view. */
  #secured: string | undefined;
  #schema: Schema;
  #vectorColumns: readonly VectorColumns[];
  readonly #retiring = new Retiring();

  private constructor(place: PlaceTables, { connection, tables }: Opened, schema: Schema) {
    this.#place = place;
    this.#connection = connection;
    this.#tables = tables;
    this.#view = viewOf(tables);
    this.#schema = schema;
    this.#vectorColumns = vectorColumnsOf(schema);
  }

  /** Opens the store of this place, or creates it where nothing is there. Shows every row to `visit`. Rejects with `filesystem`. */
  static async open(place: PlaceTables, { width, columns, visit, fields = fieldColumns() }: FirstLook): Promise<Database> {
    const connection = await place.connect();
    try {
      const { tables: found, isSecured } = await place.openEntries(connection, width);
      const tables: EntriesTable[] = [];
      for (const { table: writer, version } of found) {
        // A store from before a field has no column of it yet.
        const there = new Set((await writer.schema()).fields.map(({ name }) => name));
        const look = { columns: columns.filter((name) => there.has(name)), visit };
        tables.push(await EntriesTable.open(place, { writer, version, look }).catch(place.damaged(writer.name)));
      }
      const database = new Database(place, { connection, tables }, await tables[0]!.writer.schema());
      if (isSecured) database.#secured = database.view.stamp;
      else await database.secure();
      await database.#ensureFieldColumns(fields);
      await database.ensureVectorColumns(width);
      return database;
    } catch (error) {
      connection.close();
      return asStoreError('open the store')(error);
    }
  }

  /** A connection of its own, for work beside these tables; the caller closes it. */
  connect(): Promise<Connection> {
    return this.#place.connect();
  }

  /** The tables, by shard. */
  get tables(): readonly EntriesTable[] {
    return this.#tables;
  }

  /** The table that has, or gets, the entries of a namespace. */
  tableOf(namespace: string): EntriesTable {
    return this.#tables[shardOf(namespace, this.#tables.length)]!;
  }

  /** Whether other servers read and write the tables too. */
  get areShared(): boolean {
    return this.#place.areShared;
  }

  /** Whether a service keeps the tables. */
  get areManaged(): boolean {
    return this.#place.areManaged;
  }

  /** What every read looks at. It stays as it is for as long as a read needs it. */
  get view(): View {
    return this.#view;
  }

  /** Whether reads still look at versions before the present ones. */
  get hasOlderInUse(): boolean {
    return this.#tables.some(({ oldestInUse }) => oldestInUse !== undefined);
  }

  /** Closes versions before the present ones at once. Only where no read is under way. */
  letOlderGo(): void {
    for (const table of this.#tables) table.letOlderGo();
  }

  /** Of the tables of entries as they are now. */
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
    for (const { writer } of this.#tables) {
      await writer.addColumns(vectorFields(newVectorColumns(width, false))).catch(asStoreError('add columns for the new embedding model'));
    }
    await this.#takeSchema();
  }

  /** Adds the columns of fields that are newer than the store, empty in every row; where others write too it keeps those that it was created with. */
  async #ensureFieldColumns(fields: readonly Field[]): Promise<void> {
    const there = new Set(this.#schema.fields.map(({ name }) => name));
    const missing = fields.filter(({ name }) => !there.has(name));
    if (missing.length === 0 || this.#place.areShared || this.areManaged) return;
    await this.settle();
    for (const { writer } of this.#tables) {
      const own = new Set((await writer.schema()).fields.map(({ name }) => name));
      const added = missing.filter(({ name }) => !own.has(name));
      if (added.length > 0) await writer.addColumns(added).catch(asStoreError('add the columns of new fields'));
    }
    await this.#takeSchema();
  }

  /** Removes columns that are empty in every row. Not while other work is under way. */
  async dropVectorColumns({ first, further }: VectorColumns): Promise<void> {
    await this.settle();
    for (const { writer } of this.#tables) {
      await dropIndexes(writer, [first]);
      await writer.dropColumns([first, further]).catch(asStoreError('drop columns of an earlier embedding model'));
    }
    await this.#takeSchema();
  }

  /**
   * Puts empty indexes in the place of all, for reads at once; the next cycle fills them. Resolves with their columns. Not while other work is
   * under way.
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
    this.#schema = await this.#tables[0]!.writer.schema();
    this.#vectorColumns = vectorColumnsOf(this.#schema);
    await this.adopt();
    await this.secure();
  }

  /** Moves the reads on to what the writers have, where that is something else. */
  async adopt(): Promise<void> {
    const next: Snapshot[] = [];
    for (const table of this.#tables) next.push(await table.openAt(await table.writer.version()));
    this.take(next);
  }

  /** These versions, by shard, before reads move there with `take`; see `EntriesTable.openAt`. */
  async openAt(heads: readonly Pick<TableHead, 'version'>[], look?: Partial<Pick<FirstLook, 'columns' | 'visit'>>): Promise<Snapshot[]> {
    const parts: Snapshot[] = [];
    try {
      for (const [shard, table] of this.#tables.entries()) parts.push(await table.openAt(heads[shard]!.version, look));
      return parts;
    } catch (error) {
      this.letGo(parts);
      throw error;
    }
  }

  /** Closes versions that were opened and that the reads do not move to. */
  letGo(parts: readonly Snapshot[]): void {
    for (const part of parts) if (!this.#view.parts.includes(part)) part.close();
  }

  /** Moves the reads on to these versions. */
  take(next: readonly Snapshot[]): void {
    for (const [shard, table] of this.#tables.entries()) table.take(next[shard]!);
    this.#view = viewOf(this.#tables);
  }

  /** Opens tables with the entries spread in another way, before `exchange`. */
  async openTables(tables: readonly Table[]): Promise<EntriesTable[]> {
    const connection = this.#connection;
    const opened: EntriesTable[] = [];
    for (const { name } of tables) {
      const writer = await connection.openTable(name).catch(asStoreError('open the store again'));
      opened.push(await EntriesTable.open(this.#place, { writer, version: await writer.version() }));
    }
    return opened;
  }

  /** Moves reads and writes to these tables, which hold just what the present ones do. */
  exchange(tables: readonly EntriesTable[]): void {
    const old = this.#tables;
    this.#tables = tables;
    this.#view = viewOf(tables);
    for (const table of old) table.retire();
  }

  /** Resolves once the versions of the reader survive the end of the process and a power cut, and are what the next start begins with. */
  async secure(): Promise<void> {
    const { parts, stamp } = this.#view;
    await this.#place.secureEntries(parts.map(({ version, size: rows }) => ({ version, rows })));
    this.#secured = stamp;
  }

  /** Where earlier work was given up halfway, here or elsewhere: takes the writers back to the versions of the reader, and makes sure of those and of the bytes that they were written with. */
  async settle(): Promise<void> {
    if (this.areManaged) return;
    await this.#place.sums?.compareOnce();
    for (const table of this.#tables) await table.settle();
    // Shared reads stay at versions that the ledger names.
    if (this.#place.areShared) return;
    await this.adopt();
    if (this.#secured !== this.#view.stamp) await this.secure();
  }

  /** Connects again and lets the old handles go once their reads are done: LanceDB leaks file descriptors with every optimize otherwise. */
  async reopen(): Promise<void> {
    const old = this.#connection;
    this.#connection = await this.#place.connect();
    for (const table of this.#tables) await table.reopen(this.#connection);
    this.#retiring.add(() => old.close());
  }

  #otherWidth(width: number): LoreError {
    const widths = this.#vectorColumns.map((columns) => columns.width).join(' or ');
    return new LoreError(
      'config',
      `The store ${this.#place.uri} has vectors of ${widths} numbers; those of this embedding model have ${width}.`,
      {
        hint: this.areManaged
          ? 'Set embeddings.* to the model that it began with, or storage.path to a store of its own.'
          : 'All servers of a store use one embedding model: set embeddings.* as the others have it, or storage.path to a store of its own.',
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
