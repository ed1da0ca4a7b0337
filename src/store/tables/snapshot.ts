import type { Connection, Table } from '@lancedb/lancedb';
import type { RecordBatch } from 'apache-arrow';
import { asciiColumn } from '../format/columns.ts';
import type { RawRow } from '../format/rows.ts';
import { asStoreError } from '../errors/store-error.ts';
import { oneOf } from '../format/predicates.ts';

/** The column of row addresses. */
const ADDRESS = '_rowid';
/** Ids in one predicate. */
const BATCH_IDS = 500;

interface Handles {
  readonly connection: Connection;
  readonly table: Table;
}

/** How to take a snapshot. */
interface ViewedVersion {
  /** Default the id alone. */
  readonly columns?: readonly string[];
  readonly visit?: (batch: RecordBatch) => void;
  /** Whether others also write the table; default false. */
  readonly slowReads?: boolean;
}

/**
 * One version of the table, for reads. It maps row addresses to entries, because an index returns row addresses, and reading the id
 * column takes more than half of a search. Addresses are valid only for this version.
 */
export class Snapshot {
  /** Version of the table. */
  readonly name: string;
  readonly table: Table;
  readonly version: number;
  /** Commit time, epoch milliseconds; files of older versions may be removed. For shared tables, the time it was opened. */
  readonly committedAt: number;
  /** Fragment -> position -> id. */
  readonly #ids = new Map<number, string[]>();
  /** Row address as a number: fragment times 2^32 plus the position. */
  readonly #addresses = new Map<string, number>();

  /** Number of rows of a table in a service, which has no addresses. */
  readonly #rows: number | undefined;
  readonly #connection: Connection;
  #uses = 0;
  #closing = false;
  #closed = false;

  private constructor(
    { connection, table }: Handles,
    { version, committedAt, rows }: { version: number; committedAt: number; rows?: number },
  ) {
    this.#rows = rows;
    this.#connection = connection;
    this.table = table;
    this.name = table.name;
    this.version = version;
    this.committedAt = committedAt;
  }

  /**
   * Creates a snapshot of a handle, which must not move afterwards. Reads every row of these columns once and passes them to `visit`,
   * batch by batch.
   */
  static async take(handles: Handles, { columns = ['id'], visit = () => {}, slowReads = false }: ViewedVersion = {}): Promise<Snapshot> {
    const { table } = handles;
    try {
      const version = await table.version();
      // The list of versions reads each one: on object storage that is a request each.
      const versions = slowReads ? [] : await table.listVersions();
      const committed = versions.find((candidate) => candidate.version === version)?.timestamp;
      const snapshot = new Snapshot(handles, { version, committedAt: committed?.getTime() ?? Date.now() });
      for await (const batch of table
        .query()
        .select([...columns])
        .withRowId()) {
        snapshot.#learn(batch);
        visit(batch);
      }
      return snapshot;
    } catch (error) {
      return asStoreError('read the store')(error);
    }
  }

  /**
   * A snapshot of a table in a service: reads use its newest version, and rows are requested by id. Reads all rows only if there is a
   * `visit`.
   */
  static async ofNewest(
    { table, connection }: Handles,
    columns: readonly string[] = [],
    visit?: (batch: RecordBatch) => void,
  ): Promise<Snapshot> {
    try {
      const version = await table.version();
      const rows = await table.countRows();
      const snapshot = new Snapshot({ table, connection }, { version, committedAt: Date.now(), rows });
      if (visit !== undefined && rows > 0) for await (const batch of table.query().select([...columns])) visit(batch);
      return snapshot;
    } catch (error) {
      return asStoreError('read the store')(error);
    }
  }

  /** Keeps it open until the returned function is called. */
  hold(): () => void {
    this.#uses += 1;
    return () => {
      this.#uses -= 1;
      if (this.#closing) this.close();
    };
  }

  /** Whether reads may still use it, so its files must stay. */
  get isOpen(): boolean {
    return !this.#closed;
  }

  /** Closes it at once, or after running work. Running queries complete. */
  close(): void {
    this.#closing = true;
    if (this.#uses > 0) return;
    this.#closed = true;
    this.table.close();
    this.#connection.close();
  }

  /** Whether it has the row of this id; for a table in a service, whether it may. */
  has(id: string): boolean {
    return this.#rows !== undefined || this.#addresses.has(id);
  }

  /** Number of rows. */
  get size(): number {
    return this.#rows ?? this.#addresses.size;
  }

  /** Whether its rows have addresses; false for a table in a service. */
  get hasAddresses(): boolean {
    return this.#rows === undefined;
  }

  /** The column that a query must select for `idsOf`. */
  get key(): string {
    return this.hasAddresses ? ADDRESS : 'id';
  }

  /** The ids of the rows of a query result, in order; undefined for an unknown one. */
  idsOf(batch: RecordBatch): (string | undefined)[] {
    if (this.#rows !== undefined) return asciiColumn(batch, 'id');
    return Array.from(batch.getChild(ADDRESS)?.toArray() as BigUint64Array, (address) =>
      this.idAt({ fragment: Number(address >> 32n), place: Number(address & 0xffffffffn) }),
    );
  }

  /** Id of the row at this address. */
  idAt({ fragment, place }: { readonly fragment: number; readonly place: number }): string | undefined {
    return this.#ids.get(fragment)?.[place];
  }

  /** The ids of the rows of a fragment. */
  idsIn(fragment: number): string[] {
    return (this.#ids.get(fragment) ?? []).filter((id) => id !== undefined);
  }

  /** The fragment of the row of this id. */
  fragmentOf(id: string): number | undefined {
    const address = this.#addresses.get(id);
    return address === undefined ? undefined : Math.floor(address / 2 ** 32);
  }

  /** Columns of the rows of these ids, in any order; unknown ids are left out. */
  async rows(ids: readonly string[], columns: readonly string[]): Promise<RawRow[]> {
    if (this.#rows !== undefined) return await this.#rowsById(ids, columns);
    const addresses = ids.flatMap((id) => this.#addresses.get(id) ?? []).map(BigInt);
    if (addresses.length === 0) return [];
    const query = this.table.takeRowIds(addresses).select([...columns]);
    return (await query.toArray().catch(asStoreError('read entries'))) as RawRow[];
  }

  async #rowsById(ids: readonly string[], columns: readonly string[]): Promise<RawRow[]> {
    const rows: RawRow[] = [];
    for (let start = 0; start < ids.length; start += BATCH_IDS) {
      const query = this.table.query().where(oneOf('id', ids.slice(start, start + BATCH_IDS)));
      rows.push(
        ...((await query
          .select([...columns])
          .toArray()
          .catch(asStoreError('read entries'))) as RawRow[]),
      );
    }
    return rows;
  }

  #learn(batch: RecordBatch): void {
    const ids = asciiColumn(batch, 'id');
    // Row addresses are 64 bits: the place in the low half, the fragment in the high one (little-endian).
    const addresses = batch.getChild(ADDRESS)?.toArray() as BigUint64Array;
    const halves = new Uint32Array(addresses.buffer, addresses.byteOffset, addresses.length * 2);
    for (let row = 0; row < batch.numRows; row += 1) {
      const fragment = halves[2 * row + 1]!;
      const places = this.#ids.get(fragment) ?? [];
      if (places.length === 0) this.#ids.set(fragment, places);
      const id = ids[row]!;
      const place = halves[2 * row]!;
      places[place] = id;
      this.#addresses.set(id, fragment * 2 ** 32 + place);
    }
  }
}
