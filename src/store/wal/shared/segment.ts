import { randomBytes } from 'node:crypto';
import type { Connection, Table } from '@lancedb/lancedb';
import { ClosedHandles } from '../../tables/closed-handles.ts';
import type { WithDeadline } from './deadline.ts';
import { fromColumns, logSchema, payloadBytes, toColumns, type LogColumns, type LogRow } from './log-row.ts';

/** Location of the tables of a shared store. */
export interface SharedTables {
  readonly connection: Connection;
  readonly within: WithDeadline;
}

/** A unique name, even if two servers create the next segment at once. */
export function segmentName(storeId: string, number: number): string {
  return `log_${storeId}_${number}_${randomBytes(4).toString('hex')}`;
}

/** The number of a segment of this store, from the name of its table; undefined for any other table. */
export function segmentNumber(storeId: string, name: string): number | undefined {
  const prefix = `log_${storeId}_`;
  const number = name.startsWith(prefix) ? /^(\d+)_[0-9a-f]+$/.exec(name.slice(prefix.length))?.[1] : undefined;
  return number === undefined ? undefined : Number(number);
}

/** More than there are tables; without a limit, some kinds of connection return ten names. */
const MOST_NAMES = 100_000;

export async function tableNames({ connection, within }: SharedTables): Promise<string[]> {
  return await within('list the tables of the store', connection.tableNames({ limit: MOST_NAMES }));
}

/** Limits of one read, in rows and recorded bytes: those of a long log need not be in memory together. */
const CHUNK_ROWS = 256;
const CHUNK_BYTES = 32 * 1024 * 1024;
/** This few rows are read without checking their size. */
const FEW_ROWS = 4;
/** The commit of an `add` fails after some twenty conflicts. Then it was not made. */
const CONFLICT = /commit conflict|too many concurrent writers/i;
const MOST_ADDS = 5;
/** Each query retains the list of the table's fragments until it is garbage collected. */
const READS_PER_COLLECTION_STEP = 8;

const closed = new ClosedHandles();
let reads = 0;

/** One table of the log. Rows are only added, and never move: the n-th row stays the n-th. */
export class Segment {
  readonly number: number;
  readonly name: string;
  readonly #tables: SharedTables;
  readonly #within: WithDeadline;
  #table: Table;
  /** Resolves when the next `add` may begin. */
  #free: Promise<void> = Promise.resolve();
  /** The running `add`. */
  #adding: { readonly rows: readonly LogRow[]; readonly end: () => void } | undefined;
  #isClosed = false;

  private constructor(table: Table, { number, name, tables }: { number: number; name: string; tables: SharedTables }) {
    this.number = number;
    this.name = name;
    this.#table = table;
    this.#tables = tables;
    this.#within = tables.within;
  }

  /** Opens it at its newest version. */
  static async open(tables: SharedTables, { number, name }: { number: number; name: string }): Promise<Segment> {
    return new Segment(await openHandle(tables, name), { number, name, tables });
  }

  /** Creates the empty table of a segment with a new name. */
  static async create(tables: SharedTables, { number, name }: { number: number; name: string }): Promise<Segment> {
    const { connection, within } = tables;
    const table = await within('create a part of the log of the store', connection.createEmptyTable(name, logSchema()));
    return new Segment(table, { number, name, tables });
  }

  /**
   * Appends rows atomically. Resolves with the bytes they record, or with undefined if `isVoid` kept them from being written. If it
   * rejects, they may still exist or appear later.
   */
  async add(rows: readonly LogRow[], isVoid: () => boolean = () => false): Promise<number | undefined> {
    // Two concurrent calls on one handle would conflict like those of two servers.
    const free = this.#free;
    let end: () => void = () => undefined;
    this.#free = new Promise((resolve) => (end = resolve));
    await free;
    const adding = (this.#adding = { rows, end });
    try {
      return await this.#add(rows.map(toColumns), isVoid);
    } finally {
      if (this.#adding === adding) this.#adding = undefined;
      end();
    }
  }

  /**
   * Stops waiting for an `add` of rows that cannot count any more: the engine may retry it for seconds. It keeps its handle, which nobody
   * may be reading from.
   */
  async leave(rows: readonly LogRow[], added: Promise<unknown>): Promise<void> {
    const adding = this.#adding;
    if (adding?.rows !== rows) return;
    const table = await openHandle(this.#tables, this.name);
    // It has ended meanwhile, and the next one may be running on the same handle.
    if (this.#adding !== adding || this.#isClosed) return table.close();
    const left = this.#table;
    this.#table = table;
    added.catch(() => undefined).finally(() => left.close());
    adding.end();
  }

  async #add(columns: readonly (LogColumns & Record<string, unknown>)[], isVoid: () => boolean): Promise<number | undefined> {
    // Also if another handle has replaced it meanwhile.
    const table = this.#table;
    for (let nth = 1; !isVoid(); nth += 1) {
      try {
        await this.#within('write to the log of the store', table.add([...columns]));
        return bytesOf(columns);
      } catch (error) {
        if (nth === MOST_ADDS || !(error instanceof Error) || !CONFLICT.test(String(error.cause))) throw error;
      }
    }
    return undefined;
  }

  /** Refreshes the handle to see rows of other servers. */
  async renew(): Promise<void> {
    await this.#within('read the log of the store', this.#table.checkoutLatest());
  }

  /** Number of rows that this handle has; read from memory. */
  async count(): Promise<number> {
    return await this.#within('read the log of the store', this.#table.countRows());
  }

  /**
   * At most a few hundred rows from the `from`-th, in order, and their recorded bytes. Reads none before it: an offset skips whole
   * fragments, while a condition on the row id would scan all of them.
   */
  async rowsFrom(from: number, count: number): Promise<{ rows: LogRow[]; bytes: number }> {
    const columns = await this.#columnsFrom(from, await this.#fitting(from, count));
    return { rows: columns.map(fromColumns), bytes: bytesOf(columns) };
  }

  /** How many of these rows may be in memory together; at least one. */
  async #fitting(from: number, count: number): Promise<number> {
    if (count <= FEW_ROWS) return count;
    const columns = await this.#columnsFrom(from, Math.min(count, CHUNK_ROWS), ['note']);
    let bytes = 0;
    const end = columns.findIndex(({ note }) => (bytes += payloadBytes(note)) > CHUNK_BYTES);
    return end === -1 ? columns.length : Math.max(end, 1);
  }

  async #columnsFrom(from: number, count: number, names?: string[]): Promise<LogColumns[]> {
    const all = this.#table.query().withRowId().offset(from).limit(count);
    const query = names === undefined ? all : all.select(names);
    const rows = (await this.#within('read the log of the store', query.toArray())) as (LogColumns & { readonly _rowid: bigint })[];
    reads += 1;
    if (reads % READS_PER_COLLECTION_STEP === 0) closed.add(query);
    return rows.toSorted((first, second) => (first._rowid < second._rowid ? -1 : 1));
  }

  close(): void {
    this.#isClosed = true;
    this.#table.close();
  }
}

async function openHandle({ connection, within }: SharedTables, name: string): Promise<Table> {
  return await within('open the log of the store', connection.openTable(name));
}

function bytesOf(rows: readonly Pick<LogColumns, 'payload'>[]): number {
  return rows.reduce((sum, { payload }) => sum + (payload?.length ?? 0), 0);
}
