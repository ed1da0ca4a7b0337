import type { RecordBatch } from 'apache-arrow';
import { asciiColumn, NameReader, numberColumn } from '../format/columns.ts';
import type { CatalogEntry } from './catalog-entry.ts';

/** The fields of a row with new vectors that the catalog needs. */
export type Stamp = Pick<CatalogEntry, 'writtenAt' | 'embedder' | 'passages'>;

/** Reads the vector stamps of the rows of entry tables. */
export class StampReader {
  static readonly COLUMNS: readonly string[] = ['id', 'written_at', 'embedder', 'passage_count'];
  /** By id. */
  readonly found = new Map<string, Stamp>();
  readonly #names = new NameReader();

  add(batch: RecordBatch): void {
    const ids = asciiColumn(batch, 'id');
    const embedders = this.#names.column(batch, 'embedder');
    const [versions, passages] = [numberColumn(batch, 'written_at'), numberColumn(batch, 'passage_count')];
    for (const [row, id] of ids.entries()) {
      this.found.set(id, { writtenAt: versions[row]!, embedder: embedders[row]!, passages: passages[row]! });
    }
  }
}
