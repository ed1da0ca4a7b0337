import type { Connection, Table } from '@lancedb/lancedb';
import type { Field } from 'apache-arrow';
import { arrow } from './schema.ts';
import { rowsOf, textOf } from './rows.ts';
import { mergeWhole, pruneTable } from './merging.ts';
import { asStoreError } from './store-error.ts';
import type { OpenedSide } from './store-place.ts';
import { oneOf } from './where.ts';

/** A column beside `key` and `body`, for predicates and for whoever reads the table with another tool. */
export interface SideColumn<Value> {
  readonly name: string;
  readonly of: (value: Value) => string | number;
}

/** How values lie in a table. */
export interface SideShape<Value> {
  readonly name: string;
  readonly keyOf: (value: Value) => string;
  /** Text, unless `numbers` names it. */
  readonly columns: readonly SideColumn<Value>[];
  readonly numbers: readonly string[];
  /** The column of what a value goes with. */
  readonly owner?: string;
}

/** A value as far as its columns tell. */
export type SideCells = { readonly key: string } & Readonly<Record<string, string | number>>;

/** What the journal has and the table has not. */
class Waiting<Value> {
  /** By key; undefined for what is removed. */
  readonly values: Map<string, Value | undefined>;
  /** Of which everything in the table is removed. */
  readonly owners: Set<string>;

  constructor(values = new Map<string, Value | undefined>(), owners = new Set<string>()) {
    this.values = values;
    this.owners = owners;
  }
}

/** Keys in one predicate. */
const BATCH_KEYS = 500;
const BATCH_ROWS = 2000;
/** A read may still look at a version of before. */
const KEEP_VERSIONS_MS = 15_000;
/** Fragments from which the table is merged. */
const MERGE_FROM_FRAGMENTS = 16;
/** … or versions: where old rows are replaced all the time their fragments go by themselves, and leave files of every version behind. */
const MERGE_FROM_VERSIONS = 48;

/**
 * A table beside the entries, of values with a key. What the journal has and the table has not yet lies in memory, in two parts as the
 * fresh rows do: one that grows, and one that is being written. Writing is safe to repeat, so a cycle that was cut short needs no undoing.
 */
export class SideTable<Value> {
  readonly shape: SideShape<Value>;
  #connection: Connection;
  #table: Table | undefined;
  #growing = new Waiting<Value>();
  #sealed = new Waiting<Value>();
  /** Whether files were replaced that are still there. */
  #isMerged = false;
  /** No files of versions up to this one are there, but of a few. */
  #prunedAt = 0;

  constructor(shape: SideShape<Value>, connection: Connection) {
    this.shape = shape;
    this.#connection = connection;
  }

  /** Takes the table of its connection as it was opened for the first time: at the version that is secured. */
  begin({ table, prunedAt }: OpenedSide): void {
    this.#table = table;
    this.#prunedAt = prunedAt;
  }

  /** Of the table; undefined where there is none. */
  async version(): Promise<number | undefined> {
    return this.#table === undefined ? undefined : await versionOf(this.#table);
  }

  /** Looks for the table of this connection; there is none before the first value. */
  async open(connection: Connection): Promise<void> {
    const names = await connection.tableNames().catch(asStoreError('list the tables of the store'));
    const table = names.includes(this.shape.name)
      ? await connection.openTable(this.shape.name).catch(asStoreError('open the store'))
      : undefined;
    this.#table?.close();
    [this.#connection, this.#table] = [connection, table];
  }

  /** Values that wait for the table. */
  get waiting(): number {
    return this.#growing.values.size + this.#growing.owners.size;
  }

  set(value: Value): void {
    this.#growing.values.set(this.shape.keyOf(value), value);
  }

  delete(key: string): void {
    this.#growing.values.set(key, undefined);
  }

  /** Whether anything may belong to this one: deleting what is not there would make a table of nothing. */
  mayHold(owner: string): boolean {
    if (this.#table !== undefined) return true;
    return [this.#growing, this.#sealed].some(({ values }) =>
      [...values.values()].some((value) => value !== undefined && this.#ownerOf(value) === owner),
    );
  }

  /** Removes all that belongs to this one, by the column of the shape that says so. */
  deleteOf(owner: string): void {
    for (const [key, value] of this.#growing.values) if (value !== undefined && this.#ownerOf(value) === owner) this.delete(key);
    this.#growing.owners.add(owner);
  }

  /** In the order asked for; what is not there is left out. */
  async getMany(keys: readonly string[]): Promise<Value[]> {
    const found = new Map<string, Value>();
    for (let start = 0; start < keys.length; start += BATCH_KEYS) {
      const wanted = new Set(keys.slice(start, start + BATCH_KEYS));
      const values = await this.#find(oneOf('key', [...wanted]), (value) => wanted.has(this.shape.keyOf(value)));
      for (const value of values) found.set(this.shape.keyOf(value), value);
    }
    return keys.flatMap((key) => found.get(key) ?? []);
  }

  /** The key and the columns of every value, without the values, in no order: much less to read. */
  async cells(): Promise<SideCells[]> {
    const { parts, fresh } = this.#waitingNow();
    const cellsOf = (value: Value): SideCells => ({ key: this.shape.keyOf(value), ...this.#cellsOf(value) });
    const stored: SideCells[] = [];
    const names = ['key', ...this.shape.columns.map(({ name }) => name)];
    try {
      for await (const batch of this.#table?.query().select(names) ?? []) stored.push(...(rowsOf(batch, names) as SideCells[]));
    } catch (error) {
      asStoreError('read the store')(error);
    }
    const { owner } = this.shape;
    const isGone = (cells: SideCells): boolean =>
      fresh.has(cells.key) || (owner !== undefined && parts.some(({ owners }) => owners.has(String(cells[owner]))));
    return [
      ...stored.filter((cells) => !isGone(cells)),
      ...[...fresh.values()].flatMap((value) => (value === undefined ? [] : [cellsOf(value)])),
    ];
  }

  async get(key: string): Promise<Value | undefined> {
    const [found] = await this.#find(oneOf('key', [key]), (value) => this.shape.keyOf(value) === key);
    return found;
  }

  /** In no order. */
  all(): Promise<Value[]> {
    return this.#find(undefined, () => true);
  }

  /** Those of which a text column is this, in no order. */
  find(column: string, text: string): Promise<Value[]> {
    return this.#find(oneOf(column, [text]), (value) => this.#cell(column, value) === text);
  }

  async #find(where: string | undefined, passes: (value: Value) => boolean): Promise<Value[]> {
    const { parts, fresh } = this.#waitingNow();
    const isGone = (value: Value): boolean => {
      const owner = this.#ownerOf(value);
      return fresh.has(this.shape.keyOf(value)) || (owner !== undefined && parts.some(({ owners }) => owners.has(owner)));
    };
    const stored = await this.#read(where);
    return [
      ...stored.filter((value) => !isGone(value)),
      ...[...fresh.values()].filter((value) => value !== undefined && passes(value)),
    ] as Value[];
  }

  /** Taken before the table is asked: what moves there meanwhile is seen once, not missed. */
  #waitingNow(): { parts: readonly Waiting<Value>[]; fresh: ReadonlyMap<string, Value | undefined> } {
    return { parts: [this.#growing, this.#sealed], fresh: this.#merged() };
  }

  /** All that waits, in its newest version. */
  #merged(): Map<string, Value | undefined> {
    const { owners, values } = this.#growing;
    const left = [...this.#sealed.values].map(([key, value]) => {
      const isGone = value !== undefined && owners.has(this.#ownerOf(value) ?? '');
      return [key, isGone ? undefined : value] as const;
    });
    return new Map([...left, ...values]);
  }

  /** Writes all that waits. Only while no cycle is under way. Resolves with whether there was anything. */
  async flush(): Promise<boolean> {
    this.seal();
    const wrote = await this.write();
    this.dropSealed();
    return wrote;
  }

  /** Closes the part that grows. What was sealed before and could not be written is written with it. */
  seal(): void {
    this.#sealed = new Waiting(this.#merged(), new Set([...this.#sealed.owners, ...this.#growing.owners]));
    this.#growing = new Waiting();
  }

  /** Writes what is sealed to the table, creating it where it is not there. Resolves with whether there was anything. */
  async write(): Promise<boolean> {
    const { owners, values: sealed } = this.#sealed;
    if (sealed.size + owners.size === 0) return false;
    const table = (this.#table ??= await this.#create());
    await deleteBy(table, 'key', [...sealed.keys()]);
    if (this.shape.owner !== undefined) await deleteBy(table, this.shape.owner, [...owners]);
    const values = [...sealed.values()].filter((value) => value !== undefined) as Value[];
    for (let start = 0; start < values.length; start += BATCH_ROWS) {
      await table.add(values.slice(start, start + BATCH_ROWS).map((value) => this.#row(value))).catch(asStoreError('save'));
    }
    const { fragmentStats } = await table.stats().catch(asStoreError('read statistics'));
    const isMuch = fragmentStats.numFragments >= MERGE_FROM_FRAGMENTS || (await versionOf(table)) - this.#prunedAt >= MERGE_FROM_VERSIONS;
    if (isMuch) this.#isMerged = (await mergeWhole(table)).isWhole;
    return true;
  }

  /** Removes what the last merge replaced. Only once what was written is safe: the versions before it may be all that is. */
  async prune(): Promise<void> {
    if (!this.#isMerged || this.#table === undefined) return;
    await pruneTable(this.#table, Date.now() - KEEP_VERSIONS_MS);
    this.#prunedAt = await versionOf(this.#table);
    this.#isMerged = false;
  }

  /** The table has what was sealed. */
  dropSealed(): void {
    this.#sealed = new Waiting();
  }

  close(): void {
    this.#table?.close();
    this.#table = undefined;
  }

  async #create(): Promise<Table> {
    const text = (name: string): Field => new arrow.Field(name, new arrow.Utf8(), false);
    const columns = this.shape.columns.map(({ name }) =>
      this.shape.numbers.includes(name) ? new arrow.Field(name, new arrow.Float64(), false) : text(name),
    );
    const schema = new arrow.Schema([text('key'), ...columns, text('body')]);
    return await this.#connection.createEmptyTable(this.shape.name, schema).catch(asStoreError('create a table'));
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

  #row(value: Value): Record<string, unknown> {
    return { key: this.shape.keyOf(value), ...this.#cellsOf(value), body: JSON.stringify(value) };
  }

  #cellsOf(value: Value): Record<string, string | number> {
    return Object.fromEntries(this.shape.columns.map(({ name, of }) => [name, of(value)] as const));
  }

  #ownerOf(value: Value): string | undefined {
    return this.shape.owner === undefined ? undefined : String(this.#cell(this.shape.owner, value));
  }

  #cell(column: string, value: Value): string | number | undefined {
    return this.shape.columns.find(({ name }) => name === column)?.of(value);
  }
}

async function versionOf(table: Table): Promise<number> {
  return await table.version().catch(asStoreError('read statistics'));
}

async function deleteBy(table: Table, column: string, texts: readonly string[]): Promise<void> {
  for (let start = 0; start < texts.length; start += BATCH_KEYS) {
    await table.delete(oneOf(column, texts.slice(start, start + BATCH_KEYS))).catch(asStoreError('save'));
  }
}
