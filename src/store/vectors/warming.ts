import type { Catalog } from '../catalog/catalog.ts';
import type { EntryReader } from '../read/entry-reader.ts';
import { warmTextIndex } from '../tables/indexes.ts';
import { numberOf, rowsOf, textOf, vectorsOf } from '../format/rows.ts';
import { ENTRY_COLUMNS } from '../format/field-columns.ts';
import type { VectorColumns } from '../format/schema.ts';
import { asStoreError } from '../errors/store-error.ts';
import type { VectorCache } from '../read/vector-cache.ts';
import type { View } from '../tables/view.ts';

interface Parts {
  readonly cache: VectorCache;
  readonly entries: EntryReader;
  readonly view: View;
  readonly columns: VectorColumns;
  readonly catalog: Catalog;
  /** Whether the tables are on object storage. */
  readonly slowReads: boolean;
  /** Whether to stop: the store closes, or another model became active. */
  readonly isOver: () => boolean;
}

/** Rows read in one turn of the event loop. */
const TURN_ROWS = 256;

/**
 * Loads the tables into the caches in the background, so that the first searches are as fast as later ones. Changes in the meantime reach
 * the caches through the memtable.
 */
export async function warmUp({ cache, entries, view, columns, catalog, slowReads, isOver }: Parts): Promise<void> {
  if (slowReads) for (const { table } of view.parts) await warmTextIndex(table);
  const names = ['id', ...ENTRY_COLUMNS.textColumns, 'search_text', 'embedder', 'written_at', columns.first, columns.further];
  try {
    for (const { table } of view.parts) {
      for await (const batch of table.query().select(names)) {
        for (let start = 0; start < batch.numRows; start += TURN_ROWS) {
          for (const row of rowsOf(batch.slice(start, start + TURN_ROWS), names)) {
            const known = catalog.get(textOf(row, 'id'));
            if (known === undefined || known.writtenAt !== numberOf(row, 'written_at')) continue;
            entries.offerSearchText(row);
            entries.offerTexts(row);
            const vectors = vectorsOf(row, [columns]);
            if (vectors?.embedder === cache.fingerprint) cache.set(known, vectors);
          }
          if (isOver()) return;
          await new Promise((resolve) => setImmediate(resolve));
        }
      }
    }
  } catch (error) {
    asStoreError('read the store')(error);
  }
  cache.finish();
}
