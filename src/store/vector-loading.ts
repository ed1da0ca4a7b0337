import type { Directory } from './directory.ts';
import type { VectorColumns } from './schema.ts';
import { numberOf, rowsOf, textOf, vectorsOf } from './rows.ts';
import type { Snapshot } from './snapshot.ts';
import { asStoreError } from './store-error.ts';
import type { VectorCache } from './vector-cache.ts';

interface Parts {
  readonly snapshot: Snapshot;
  readonly columns: VectorColumns;
  readonly directory: Directory;
  /** Whether to stop: the store closes, or another model took over. */
  readonly isOver: () => boolean;
}

/** Rows read in one turn of the event loop. */
const TURN_ROWS = 256;

/** Fills a cache from the table, behind the requests. What changes meanwhile comes to it with the fresh rows. */
export async function loadVectors(cache: VectorCache, { snapshot, columns, directory, isOver }: Parts): Promise<void> {
  const names = ['id', 'embedder', 'written_at', columns.first, columns.further];
  try {
    for await (const batch of snapshot.table.query().select(names)) {
      for (let start = 0; start < batch.numRows; start += TURN_ROWS) {
        for (const row of rowsOf(batch.slice(start, start + TURN_ROWS), names)) {
          const [id, vectors] = [textOf(row, 'id'), vectorsOf(row, [columns])];
          const isCurrent = directory.get(id)?.writtenAt === numberOf(row, 'written_at');
          if (isCurrent && vectors?.embedder === cache.fingerprint) cache.set(id, vectors);
        }
        if (isOver() || cache.isFull) return;
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
  } catch (error) {
    asStoreError('read the vectors')(error);
  }
  cache.finish();
}
