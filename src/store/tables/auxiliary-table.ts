import type { Connection, Table } from '@lancedb/lancedb';
import { rowsOf, textOf } from '../format/rows.ts';
import { mergeCompletely, pruneTable, putRows } from './merging.ts';
import { asStoreError } from '../errors/store-error.ts';
import { KeptVersions, staleVersionError, RETAIN_MS } from './kept-versions.ts';
import type { OpenedAuxiliary, TableAbilities } from './backend-tables.ts';
import { cellOf, columnsOf, ownerOf, schemaOf, type AuxiliaryShape } from './auxiliary-rows.ts';
import { restoreTo } from './table-opening.ts';
import { AuxiliaryMemtable } from './auxiliary-memtable.ts';
import { oneOf } from '../format/predicates.ts';

/** The columns of a value, without its body. */
export type AuxiliaryCells = { readonly key: string } & Readonly<Record<string, string | number>>;

/** Keys in one predicate. */
const BATCH_KEYS = 500;
const BATCH_ROWS = 2000;
/** How long a read may still use an older version. */
const KEEP_VERSIONS_MS = 15_000;
/** Number of fragments from which the table is merged. */
const MERGE_FROM_FRAGMENTS = 16;
/** … or number of versions: if rows are replaced all the time, fragments disappear but files of every version remain. */
const MERGE_FROM_VERSIONS = 48;

/**
 * An auxiliary table of values with a key, together with the values that wait for it. Writes are safe to repeat, so an interrupted flush needs
 * no undo.
 */
export class AuxiliaryTable<Value> {
  readonly shape: AuxiliaryShape<Value>;
  #connection: Connection;
  /** For reads. */
  #table: Table | undefined;
  /** For changes: the same handle, unless other servers also write the table. */
  #writer: Table | undefined;
  readonly #abilities: TableAbilities;
  /** Version that reads use, if it is pinned. */
  #pinned: number | undefined;
  /** Values written since. */
  #written: number | undefined;
  /** The last version that this process wrote. */
  #own: number | undefined;
  readonly #waiting: AuxiliaryMemtable<Value>;
  /** Whether a flush of the frozen parts has begun: some values may be in the table. */
  #isBegun = false;
  /** Whether replaced files still exist. */
  #isMerged = false;
  /** Files of versions up to this one were removed, with a few exceptions. */
  #prunedAt = 0;
  readonly #kept = new KeptVersions(RETAIN_MS);
  #revision = 0;

  constructor(shape: AuxiliaryShape<Value>, connection: Connection, abilities: TableAbilities) {
    this.shape = shape;
    this.#waiting = new AuxiliaryMemtable(shape);
    this.#connection = connection;
    this.#abilities = abilities;
  }

  /** Uses the table as first opened, at its durable version. */
  begin({ table, version, prunedAt }: OpenedAuxiliary): void {
    this.#table = table;
    this.#prunedAt = prunedAt;
    if (this.#abilities.shared) this.#pin(version);
  }

  /** Opens a version of another server. Reads move there when the returned function is called. */
  async openAt(version: number): Promise<() => void> {
    if (version === this.#pinned) return () => this.#pin(version);
    const next = await this.#connection.openTable(this.shape.name).catch(asStoreError('open the store again'));
    await next.checkout(version).catch(asStoreError('open the store again'));
    return () => {
      this.#table?.close();
      this.#table = next;
      this.#pin(version);
    };
  }

  #pin(version: number): void {
    [this.#pinned, this.#written] = [version, undefined];
    this.#kept.note(version);
    this.#revision += 1;
  }

  /** The last written version of the table; undefined if there is none. */
  async version(): Promise<number | undefined> {
    if (this.#abilities.shared) return this.#written ?? this.#pinned;
    return this.#table === undefined ? undefined : await versionOf(this.#table);
  }

  /** Opens the table on this connection; it does not exist before the first value. */
  async open(connection: Connection): Promise<void> {
    const names = await connection.tableNames().catch(asStoreError('list the tables of the store'));
    const table = names.includes(this.shape.name)
      ? await connection.openTable(this.shape.name).catch(asStoreError('open the store'))
      : undefined;
    this.#table?.close();
    [this.#connection, this.#table] = [connection, table];
  }

  /** Number of values not flushed yet. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Changes with every change. */
  get revision(): number {
    return this.#revision;
  }

  /** Sets a value. `isNew`: the key does not exist, which saves a lookup in the table. */
  set(value: Value, { isNew = false }: { readonly isNew?: boolean } = {}): void {
    this.#revision += 1;
    this.#waiting.set(value, isNew);
  }

  delete(key: string): void {
    this.#revision += 1;
    this.#waiting.delete(key);
  }

  /** Whether values of this owner may exist: a deletion without values would create an empty table. */
  mayHold(owner: string): boolean {
    return this.#table !== undefined || this.#waiting.holdsOf(owner);
  }

  /** Deletes all values of this owner. */
  deleteOf(owner: string): void {
    this.#revision += 1;
    this.#waiting.deleteOf(owner);
  }

  /** Values in the requested order; missing ones are left out. */
  async getMany(keys: readonly string[]): Promise<Value[]> {
    const found = new Map<string, Value>();
    for (let start = 0; start < keys.length; start += BATCH_KEYS) {
      const wanted = new Set(keys.slice(start, start + BATCH_KEYS));
      const values = await this.#find(oneOf('key', [...wanted]), (value) => wanted.has(this.shape.keyOf(value)));
      for (const value of values) found.set(this.shape.keyOf(value), value);
    }
    return keys.flatMap((key) => found.get(key) ?? []);
  }

  /** The key and the columns of every value, without the values, unordered: much less to read. */
  async cells(): Promise<AuxiliaryCells[]> {
    const waiting = this.#waiting.now();
    const { owner } = this.shape;
    const stored: AuxiliaryCells[] = [];
    const names = ['key', ...this.shape.columns.map(({ name }) => name)];
    try {
      for await (const batch of this.#table?.query().select(names) ?? []) stored.push(...(rowsOf(batch, names) as AuxiliaryCells[]));
    } catch (error) {
      asStoreError('read the store')(error);
    }
    return [
      ...stored.filter((cells) => !waiting.hides(cells.key, owner && String(cells[owner]))),
      ...waiting.values.map((value) => ({ key: this.shape.keyOf(value), ...this.#cellsOf(value) })),
    ];
  }

  /** The readable keys of the rows of a fragment. */
  async keysIn(fragment: number): Promise<string[]> {
    const keys: string[] = [];
    try {
      for await (const batch of this.#table?.query().select(['key']).withRowId() ?? []) {
        for (const row of rowsOf(batch, ['key', '_rowid']))
          if (Number((row['_rowid'] as bigint) >> 32n) === fragment) keys.push(textOf(row, 'key'));
      }
    } catch {
      return keys;
    }
    return keys;
  }

  async get(key: string): Promise<Value | undefined> {
    const [found] = await this.#find(oneOf('key', [key]), (value) => this.shape.keyOf(value) === key);
    return found;
  }

  /** Unordered. */
  all(): Promise<Value[]> {
    return this.#find(undefined, () => true);
  }

  /** Values whose text column equals this, unordered. */
  find(column: string, text: string): Promise<Value[]> {
    return this.#find(oneOf(column, [text]), (value) => cellOf(this.shape, column, value) === text);
  }

  async #find(where: string | undefined, passes: (value: Value) => boolean): Promise<Value[]> {
    const waiting = this.#waiting.now();
    const stored = await this.#read(where);
    return [
      ...stored.filter((value) => !waiting.hides(this.shape.keyOf(value), ownerOf(this.shape, value))),
      ...waiting.values.filter(passes),
    ];
  }

  /** Flushes all values. Call it only while no maintenance runs. Resolves with whether there were any. */
  async flush(): Promise<boolean> {
    this.freeze();
    const wrote = await this.write();
    this.dropFrozen();
    return wrote;
  }

  /** Freezes the active part. Earlier frozen parts that could not be written are flushed with it. */
  freeze(): void {
    this.#waiting.freeze();
  }

  /** Flushes the frozen parts to the table, creating a missing one. Resolves with whether there were any. */
  async write(): Promise<boolean> {
    this.#written = undefined;
    const { owners, values: frozen, added } = this.#waiting.frozen();
    if (frozen.size + owners.size === 0) return false;
    const isAgain = this.#isBegun;
    this.#isBegun = true;
    const { shared, upserts, compaction } = this.#abilities;
    const table = await this.#writable();
    const before = shared ? await rowsIn(table) : 0;
    const values = [...frozen.values()].filter((value) => value !== undefined) as Value[];
    const isOnlyAdded = (key: string, value: Value | undefined): boolean => (upserts ? value !== undefined : !isAgain && added.has(key));
    const replaced = [...frozen].flatMap(([key, value]) => (isOnlyAdded(key, value) ? [] : [key]));
    let gone = await deleteBy(table, 'key', replaced);
    if (this.shape.owner !== undefined) gone += await deleteBy(table, this.shape.owner, [...owners]);
    for (let start = 0; start < values.length; start += BATCH_ROWS) {
      const rows = columnsOf(this.shape, values.slice(start, start + BATCH_ROWS));
      if (upserts) await putRows(table, 'key', rows);
      else await table.add(rows).catch(asStoreError('save'));
    }
    if (!compaction) return true;
    const { fragmentStats } = await table.stats().catch(asStoreError('read statistics'));
    const isMuch = fragmentStats.numFragments >= MERGE_FROM_FRAGMENTS || (await versionOf(table)) - this.#prunedAt >= MERGE_FROM_VERSIONS;
    if (isMuch) this.#isMerged = (await mergeCompletely(table)).isWhole;
    if (!shared) return true;
    this.#own = this.#written = await versionOf(table);
    if ((await rowsIn(table)) !== before - gone + values.length) throw staleVersionError(this.shape.name);
    return true;
  }

  /** Removes files replaced by the last merge. Call it only after the written version is durable. */
  async prune(): Promise<void> {
    if (!this.#isMerged || this.#table === undefined) return;
    const table = this.#writer ?? this.#table;
    const before = this.#abilities.shared ? await this.#kept.oldest(table) : Date.now() - KEEP_VERSIONS_MS;
    if (before === undefined) return;
    await pruneTable(table, before);
    this.#prunedAt = await versionOf(table);
    this.#isMerged = false;
  }

  /** Drops the flushed frozen parts; with `parts`, only that many of the oldest. */
  dropFrozen(parts?: number): void {
    this.#waiting.drop(parts);
    this.#isBegun &&= this.#waiting.hasFrozen;
  }

  close(): void {
    for (const table of [this.#table, this.#writer]) table?.close();
    this.#table = this.#writer = undefined;
  }

  /** The table for changes, without unfinished writes of others. A shared store of an earlier version may lack it. */
  async #writable(): Promise<Table> {
    if (!this.#abilities.shared) return (this.#table ??= await createAuxiliaryTable(this.#connection, this.shape));
    const { name } = this.shape;
    if (this.#pinned === undefined) return (this.#writer ??= await createAuxiliaryTable(this.#connection, this.shape, { existOk: true }));
    this.#writer ??= await this.#connection.openTable(name).catch(asStoreError('open the store again'));
    await restoreTo(this.#writer, this.#pinned, { isShared: true, isOwn: this.#own === this.#pinned });
    return this.#writer;
  }

  async #read(where: string | undefined): Promise<Value[]> {
    if (this.#table === undefined) return [];
    let query = this.#table.query().select(['body']);
    if (where !== undefined) query = query.where(where);
    const values: Value[] = [];
    try {
      for await (const batch of query) for (const row of rowsOf(batch, ['body'])) values.push(JSON.parse(textOf(row, 'body')) as Value);
    } catch (error) {
      asStoreError('read the store')(error);
    }
    return values;
  }

  #cellsOf(value: Value): Record<string, string | number> {
    return Object.fromEntries(this.shape.columns.map(({ name, of }) => [name, of(value)] as const));
  }
}

/** Creates an empty table; with `existOk` an existing one is kept. */
export async function createAuxiliaryTable<Value>(
  connection: Connection,
  shape: AuxiliaryShape<Value>,
  options: { readonly existOk?: boolean } = {},
): Promise<Table> {
  return await connection.createEmptyTable(shape.name, schemaOf(shape), options).catch(asStoreError('create a table'));
}

async function versionOf(table: Table): Promise<number> {
  return await table.version().catch(asStoreError('read statistics'));
}

async function rowsIn(table: Table): Promise<number> {
  return await table.countRows().catch(asStoreError('read statistics'));
}

/** Resolves with the number of removed rows. */
async function deleteBy(table: Table, column: string, texts: readonly string[]): Promise<number> {
  let gone = 0;
  for (let start = 0; start < texts.length; start += BATCH_KEYS) {
    const { numDeletedRows } = await table.delete(oneOf(column, texts.slice(start, start + BATCH_KEYS))).catch(asStoreError('save'));
    gone += numDeletedRows;
  }
  return gone;
}
