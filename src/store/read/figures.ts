import type { StorageFigures } from '../../memory/operations/operations.ts';
import type { Database } from '../tables/database.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { DiskSpace } from '../files/disk-space.ts';
import type { Memtables } from '../memtable/memtable.ts';
import type { Snapshot } from '../tables/snapshot.ts';
import type { Wal } from '../wal/wal.ts';
import { asStoreError } from '../errors/store-error.ts';

const SIZE_AGE_MS = 10_000;
const DISK_AGE_MS = 1000;

type Counts = Map<string, number>;

interface Parts {
  readonly backend: { bytes(): Promise<number>; disk(): Promise<DiskSpace | undefined> };
  readonly database: Database;
  readonly catalog: Catalog;
  readonly memtables: Memtables;
  readonly wal: Pick<Wal, 'servers'>;
}

type TableFigures = Pick<StorageFigures, 'fragments' | 'indexedRows' | 'unindexedRows'>;

/** Frequency of each value. */
interface Census {
  readonly priorities: ReadonlyMap<string, number>;
  readonly sources: ReadonlyMap<string, number>;
  readonly tags: ReadonlyMap<string, number>;
  /** By fingerprint of the model of the vectors; '' for none yet. */
  readonly embedders: ReadonlyMap<string, number>;
}

/** Numbers about a store, for people and for monitoring. */
export class Figures {
  readonly #parts: Parts;
  #size: { readonly bytes: number; readonly at: number } | undefined;
  #disk: { readonly space: Promise<DiskSpace | undefined>; readonly at: number } | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Bytes on disk, at most a few seconds old. */
  async size(): Promise<number> {
    if (this.#size === undefined || this.#size.bytes === 0 || performance.now() - this.#size.at > SIZE_AGE_MS) {
      this.#size = { bytes: await this.#parts.backend.bytes(), at: performance.now() };
    }
    return this.#size.bytes;
  }

  /** Number of servers that use a shared store, as far as known; undefined for an exclusive one. */
  get servers(): number | undefined {
    return this.#parts.wal.servers;
  }

  /** Space of the disk, at most a second old; undefined if the system does not report it. */
  async disk(): Promise<DiskSpace | undefined> {
    const now = performance.now();
    if (this.#disk === undefined || now - this.#disk.at > DISK_AGE_MS) this.#disk = { space: this.#parts.backend.disk(), at: now };
    return await this.#disk.space;
  }

  /** Figures of the store; rows of the memtable count as not indexed. */
  async table(): Promise<StorageFigures> {
    const { version } = this.#parts.database.view;
    const [table, bytes] = await Promise.all([this.ofTable(), this.size()]);
    return { ...table, bytes, unindexedRows: table.unindexedRows + this.#parts.memtables.size, tableVersion: version };
  }

  /** Figures of only the tables that readers use. */
  async ofTable(): Promise<TableFigures> {
    const parts = await Promise.all(this.#parts.database.view.parts.map(figuresOf));
    const sum = (figure: (part: TableFigures) => number): number => parts.reduce((total, part) => total + figure(part), 0);
    return {
      fragments: sum(({ fragments }) => fragments),
      indexedRows: sum(({ indexedRows }) => indexedRows),
      unindexedRows: sum(({ unindexedRows }) => unindexedRows),
    };
  }

  /** Counts of one namespace, or of all. */
  census(namespace?: string): Census {
    const [priorities, sources, tags, embedders]: [Counts, Counts, Counts, Counts] = [new Map(), new Map(), new Map(), new Map()];
    // Entries share their sets of tags, so there are far fewer sets than entries.
    const sets = new Map<readonly string[], number>();
    for (const known of this.#parts.catalog.entries(namespace)) {
      add(priorities, known.priority);
      add(sources, known.source);
      add(embedders, known.embedder);
      sets.set(known.tags, (sets.get(known.tags) ?? 0) + 1);
    }
    for (const [set, entries] of sets) for (const tag of set) add(tags, tag, entries);
    return { priorities, sources, tags, embedders };
  }
}

const add = (counts: Counts, value: string, times = 1): void => void counts.set(value, (counts.get(value) ?? 0) + times);

async function figuresOf({ table }: Snapshot): Promise<TableFigures> {
  const read = Promise.all([table.stats(), table.indexStats('search_text_idx')]);
  const [stats, words] = await read.catch(asStoreError('read statistics'));
  return {
    fragments: stats.fragmentStats.numFragments,
    indexedRows: words?.numIndexedRows ?? 0,
    unindexedRows: words?.numUnindexedRows ?? stats.numRows,
  };
}
