import type { RecordBatch } from 'apache-arrow';
import { asciiColumn } from '../format/columns.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { isHidden, type Memtable } from '../memtable/memtable.ts';

/** Compares the rows of entry tables with the catalog. */
export class TableCheck {
  /** The columns it compares. */
  static readonly COLUMNS: readonly string[] = ['id', 'written_at'];
  readonly #found = new Map<string, number>();
  #hasTwice = false;

  add(batch: RecordBatch): void {
    const ids = asciiColumn(batch, 'id');
    const versions = batch.getChild('written_at')?.toArray() as Float64Array;
    for (let row = 0; row < batch.numRows; row += 1) {
      const id = ids[row]!;
      if (this.#found.has(id)) this.#hasTwice = true;
      this.#found.set(id, versions[row]!);
    }
  }

  /**
   * Whether these rows equal those of the catalog in the namespaces of `isIn`, without the rows that `newer` memtables add or remove.
   */
  agrees(catalog: Catalog, newer: readonly Memtable[], isIn: (namespace: string) => boolean): boolean {
    if (this.#hasTwice) return false;
    for (const [id, writtenAt] of this.#found) {
      if (!isHidden(newer, id) && catalog.get(id)?.writtenAt !== writtenAt) return false;
    }
    for (const { id, namespace } of catalog.entries()) {
      if (!this.#found.has(id) && isIn(namespace) && !isHidden(newer, id)) return false;
    }
    return true;
  }
}
