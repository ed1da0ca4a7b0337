import type { CatalogEntry } from './catalog/catalog-entry.ts';
import type { Database } from './tables/database.ts';
import type { VectorSpace } from './format/vector-space.ts';
import type { Wal } from './wal/wal.ts';
import type { StoreBackend } from './backends/backend.ts';
import type { StoreSettings } from './store-settings.ts';
import type { AuxiliaryTables } from './tables/auxiliary-tables.ts';

/** The parts of an open store. */
export interface OpenedStore {
  readonly settings: StoreSettings;
  readonly space: VectorSpace;
  readonly backend: StoreBackend;
  readonly database: Database;
  readonly wal: Wal;
  readonly auxiliary: AuxiliaryTables;
  readonly catalogEntries: readonly CatalogEntry[];
  readonly newestVersion: number;
}
