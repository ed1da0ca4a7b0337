import type { Table } from '@lancedb/lancedb';
import type { RecordBatch } from 'apache-arrow';
import { asStoreError } from './store-error.ts';

/**
 * One version of the table, for reads. It knows which entry each row address belongs to: an index gives row addresses, and reading the id
 * column beside them costs more than half of a search. Addresses hold for this version only.
 */
export class Snapshot {
  readonly table: Table;
  readonly version: number;
  /** When it was committed, epoch milliseconds: files of older versions may be removed. */
  readonly committedAt: number;
  /** Fragment -> place in it -> id. */
  readonly #ids = new Map<number, string[]>();

  private constructor(table: Table, version: number, committedAt: number) {
    this.table = table;
    this.version = version;
    this.committedAt = committedAt;
  }

  /**
   * Takes a handle as it stands; it must not be moved on afterwards. Reads every row of these columns once and shows them to `visit`,
   * batch by batch.
   */
  static async take(table: Table, columns: readonly string[] = ['id'], visit: (batch: RecordBatch) => void = () => {}): Promise<Snapshot> {
    try {
      const version = await table.version();
      const committed = (await table.listVersions()).find((candidate) => candidate.version === version)?.timestamp;
      const snapshot = new Snapshot(table, version, committed?.getTime() ?? Date.now());
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

  /** The id at a row address that a query of this version gave. */
  idAt(address: bigint): string | undefined {
    return this.#ids.get(Number(address >> 32n))?.[Number(address & 0xffffffffn)];
  }

  #learn(batch: RecordBatch): void {
    const ids = batch.getChild('id');
    // Row addresses are 64 bits: the place in the low half, the fragment in the high one (little-endian).
    const addresses = batch.getChild('_rowid')?.toArray() as BigUint64Array;
    const halves = new Uint32Array(addresses.buffer, addresses.byteOffset, addresses.length * 2);
    for (let row = 0; row < batch.numRows; row += 1) {
      const fragment = halves[2 * row + 1]!;
      const places = this.#ids.get(fragment) ?? [];
      if (places.length === 0) this.#ids.set(fragment, places);
      places[halves[2 * row]!] = ids?.get(row) as string;
    }
  }
}
