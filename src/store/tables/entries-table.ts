import type { Connection, Table } from '@lancedb/lancedb';
import type { RecordBatch } from 'apache-arrow';
import { ClosedHandles } from './closed-handles.ts';
import { warmTextIndex } from './indexes.ts';
import { RetiredHandles } from './retired-handles.ts';
import { Snapshot } from './snapshot.ts';
import { asStoreError } from '../errors/store-error.ts';
import type { BackendTables } from './backend-tables.ts';
import { restoreTo } from './table-opening.ts';
import { withoutUndefined } from '../../memory/without-undefined.ts';

/** How to open a version. */
interface ViewedVersion {
  /** Columns of every row that `visit` is shown; `id` is among them. Default the id alone. */
  readonly columns?: readonly string[];
  readonly visit?: (batch: RecordBatch) => void;
}

/**
 * One open table of entries. It has two handles: the writer uses the newest version, and the reader a complete, indexed and durable one,
 * until `take` moves it.
 */
export class EntriesTable {
  readonly name: string;
  readonly #backend: BackendTables;
  #writer: Table;
  #snapshot: Snapshot;
  /** Earlier snapshots that long reads may still use. */
  #older: readonly Snapshot[] = [];
  /** The last version that this process wrote, for a table that others also write. */
  #written: number | undefined;
  readonly #retiring = new RetiredHandles();
  readonly #closed = new ClosedHandles();

  private constructor(backend: BackendTables, { writer, snapshot }: { writer: Table; snapshot: Snapshot }) {
    this.name = snapshot.name;
    this.#backend = backend;
    this.#writer = writer;
    this.#snapshot = snapshot;
  }

  /** Opens the table with reads at this version. Passes every row to `visit`. */
  static async open(
    backend: BackendTables,
    { writer, version, look }: { writer: Table; version: number; look?: ViewedVersion },
  ): Promise<EntriesTable> {
    return new EntriesTable(backend, { writer, snapshot: await openSnapshot(backend, writer.name, { version, ...look }) });
  }

  /** Handle for changes; ahead of the reader while work is running. */
  get writer(): Table {
    return this.#writer;
  }

  /** The snapshot that reads use, completely indexed. It does not change while a read needs it. */
  get snapshot(): Snapshot {
    return this.#snapshot;
  }

  /** Commit time of the oldest earlier version that reads still use, epoch milliseconds; undefined for none. */
  get oldestInUse(): number | undefined {
    const times = this.#older.filter(({ isOpen }) => isOpen).map(({ committedAt }) => committedAt);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /** The oldest of these versions. */
  get oldestVersionInUse(): number | undefined {
    return this.#older.find(({ isOpen }) => isOpen)?.version;
  }

  /** The version that this process has written and will publish. */
  async writtenVersion(): Promise<number> {
    this.#written = await this.#writer.version();
    return this.#written;
  }

  /**
   * Opens a version before reads move there with `take`; returns the current one if it is the same. The caller closes it if reads do not
   * move.
   */
  async openAt(version: number, look?: ViewedVersion): Promise<Snapshot> {
    if (version === this.#snapshot.version) return this.#snapshot;
    const snapshot = await openSnapshot(this.#backend, this.name, { version, ...look });
    if (this.#backend.abilities.slowReads) await warmTextIndex(snapshot.table);
    return snapshot;
  }

  /** Moves reads to this version. */
  take(next: Snapshot): void {
    const old = this.#snapshot;
    if (next === old) return;
    this.#older = [...this.#older, old].filter(({ isOpen }) => isOpen);
    this.#snapshot = next;
    this.#retiring.add(() => {
      old.close();
      this.#closed.add(old);
    });
  }

  /** Closes earlier versions at once. Call it only while no read is running. */
  releaseOlder(): void {
    this.#retiring.closeAll();
  }

  /** After interrupted work, here or elsewhere: returns the writer to the version of the reader. */
  async settle(): Promise<void> {
    const { version } = this.#snapshot;
    await restoreTo(this.#writer, version, { isShared: this.#backend.abilities.shared, isOwn: version === this.#written });
  }

  /** Writes through this connection from now on; closes the old handle when its work is done. */
  async reopen(connection: Connection): Promise<void> {
    const old = this.#writer;
    this.#writer = await connection.openTable(this.name).catch(asStoreError('open the store again'));
    this.#retiring.add(() => old.close());
  }

  close(): void {
    this.#retiring.closeAll();
    this.#snapshot.close();
    this.#writer.close();
  }

  /** Closes it once no read uses it any more. */
  retire(): void {
    this.#writer.close();
    this.#retiring.add(() => this.#snapshot.close());
  }
}

/**
 * A version on its own connection: cached indexes of older versions would evict those of the new one, and a search by words would cost
 * three times as much (docs/performance.md).
 */
async function openSnapshot(
  backend: BackendTables,
  name: string,
  { version, columns, visit }: ViewedVersion & { readonly version: number },
): Promise<Snapshot> {
  const connection = await backend.connect();
  const table = await connection.openTable(name).catch(asStoreError('open the store again'));
  const { shared, versions, slowReads } = backend.abilities;
  if (shared) await table.checkout(version).catch(asStoreError('open the store again'));
  if (!versions) return await Snapshot.ofNewest({ connection, table }, columns, visit);
  return await Snapshot.take({ connection, table }, { ...withoutUndefined({ columns, visit }), slowReads });
}
