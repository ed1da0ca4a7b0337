import { chmodSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import * as lancedb from '@lancedb/lancedb';
import type { Schema } from 'apache-arrow';
import { LoreError } from '../memory/errors.ts';
import { createIndexes } from './indexes.ts';
import { ENTRIES, entriesSchema, FORMAT_VERSION, META, metaSchema, newVectorColumns, vectorColumnsOf, vectorFields } from './schema.ts';
import type { VectorColumns } from './schema.ts';
import { asStoreError } from './store-error.ts';

const MIB = 1024n ** 2n;
/** A handle that was replaced stays open this long for the reads that still use it. */
const RETIRE_MS = 60_000;

/** The open tables of one store folder. */
export class Database {
  readonly path: string;
  #connection: lancedb.Connection;
  #entries: lancedb.Table;
  #schema: Schema;
  #vectorColumns: readonly VectorColumns[];
  readonly #retired = new Set<() => void>();

  private constructor(storePath: string, connection: lancedb.Connection, entries: lancedb.Table, schema: Schema) {
    this.path = storePath;
    this.#connection = connection;
    this.#entries = entries;
    this.#schema = schema;
    this.#vectorColumns = vectorColumnsOf(schema);
  }

  /**
   * Opens the store of this folder, or creates it where nothing is there. Never creates over something that it cannot read: LanceDB would
   * put an empty table over the user's data. Rejects with `filesystem`.
   */
  static async open(storePath: string, width: number): Promise<Database> {
    const connection = await connect(storePath);
    try {
      const entries = await openOrCreate(connection, storePath, width);
      await checkFormat(connection, storePath);
      const database = new Database(storePath, connection, entries, await entries.schema());
      await database.ensureVectorColumns(width);
      return database;
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  get entries(): lancedb.Table {
    return this.#entries;
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

  /** Adds columns for vectors of another width, empty in every row. Safe to repeat. */
  async ensureVectorColumns(width: number): Promise<void> {
    if (this.#vectorColumns.some((columns) => columns.width === width)) return;
    await this.#entries
      .addColumns(vectorFields(newVectorColumns(width, false)))
      .catch(asStoreError('add columns for the new embedding model'));
    this.#schema = await this.#entries.schema();
    this.#vectorColumns = vectorColumnsOf(this.#schema);
  }

  /** Connects anew and lets the old handles go once their reads are done: LanceDB leaks file descriptors with every optimize otherwise. */
  async reopen(): Promise<void> {
    const connection = await connect(this.path);
    const [oldConnection, oldEntries] = [this.#connection, this.#entries];
    this.#entries = await connection.openTable(ENTRIES).catch(asStoreError('open the store again'));
    this.#connection = connection;
    const retire = (): void => {
      clearTimeout(timer);
      this.#retired.delete(retire);
      oldEntries.close();
      oldConnection.close();
    };
    const timer = setTimeout(retire, RETIRE_MS).unref();
    this.#retired.add(retire);
  }

  close(): void {
    for (const retire of this.#retired) retire();
    this.#entries.close();
    this.#connection.close();
  }
}

/** Creates the folder for this user alone. Rejects what is no folder of this machine. */
export function makeStoreFolder(storePath: string): void {
  if (/^[a-z][a-z0-9+]+:\/\//.test(storePath)) {
    throw new LoreError('config', `storage.path is ${storePath}: this version keeps its store in a folder of this machine.`);
  }
  try {
    mkdirSync(storePath, { recursive: true, mode: 0o700 });
    chmodSync(storePath, 0o700);
  } catch (cause) {
    throw new LoreError('filesystem', `The store folder ${storePath} cannot be used.`, {
      cause,
      hint: 'Give this user the rights to it, or set storage.path to another folder.',
    });
  }
}

/** Small caches: the defaults of LanceDB are 6 GiB for indexes and 1 GiB for metadata. */
async function connect(storePath: string): Promise<lancedb.Connection> {
  const session = new lancedb.Session(32n * MIB, 16n * MIB);
  return await lancedb.connect(storePath, { session }).catch((cause: unknown) => {
    throw new LoreError('filesystem', `The store folder ${storePath} cannot be opened.`, { cause });
  });
}

async function openOrCreate(connection: lancedb.Connection, storePath: string, width: number): Promise<lancedb.Table> {
  const names = await connection.tableNames().catch(asStoreError('list the tables of the store'));
  if (!names.includes(ENTRIES)) {
    refuseLeftovers(storePath, names);
    return await createEntries(connection, width);
  }
  const table = await connection.openTable(ENTRIES).catch((cause: unknown) => {
    throw new LoreError('filesystem', `The store in ${storePath} cannot be read; it was left as it is.`, {
      cause,
      hint: 'Move the folder aside to start a new store, or restore a backup into it.',
    });
  });
  // A process that died while it created the store may have left an index out.
  await createIndexes(table);
  return table;
}

/** A folder with data but no readable table is damaged, not new. */
function refuseLeftovers(storePath: string, names: readonly string[]): void {
  const folder = path.join(storePath, `${ENTRIES}.lance`);
  const leftover = existsSync(folder) && readdirSync(folder, { recursive: true }).length > 0;
  if (!leftover && !names.includes(META)) return;
  throw new LoreError('filesystem', `The store in ${storePath} is damaged: its entries cannot be read. It was left as it is.`, {
    hint: 'Move the folder aside to start a new store, or restore a backup into it.',
  });
}

/** Without stable row ids: with them a table silently loses rows from its id index (docs/adr/0010). */
async function createEntries(connection: lancedb.Connection, width: number): Promise<lancedb.Table> {
  const table = await connection.createEmptyTable(ENTRIES, entriesSchema(width)).catch(asStoreError('create the store'));
  await table.setUnenforcedPrimaryKey('id').catch(asStoreError('create the store'));
  await createIndexes(table);
  return table;
}

/** Written last on creation, so a store that has it is whole. A newer format is refused rather than guessed at. */
async function checkFormat(connection: lancedb.Connection, storePath: string): Promise<void> {
  const names = await connection.tableNames();
  if (!names.includes(META)) {
    const table = await connection.createEmptyTable(META, metaSchema()).catch(asStoreError('create the store'));
    const rows = [
      { key: 'format', value: String(FORMAT_VERSION) },
      { key: 'created', value: new Date().toISOString() },
    ];
    await table.add(rows).catch(asStoreError('create the store'));
    table.close();
    return;
  }
  const table = await connection.openTable(META).catch((cause: unknown) => {
    throw new LoreError('filesystem', `The store in ${storePath} cannot be read; it was left as it is.`, { cause });
  });
  const rows = (await table.query().where("key = 'format'").toArray().catch(asStoreError('read the store'))) as { value?: unknown }[];
  table.close();
  const format = Number(rows[0]?.value);
  if (!Number.isInteger(format)) return;
  if (format > FORMAT_VERSION) {
    throw new LoreError(
      'filesystem',
      `The store in ${storePath} has format ${format}; this version of Lore reads up to ${FORMAT_VERSION}.`,
      {
        hint: 'Install the newer version of Lore again.',
      },
    );
  }
}
