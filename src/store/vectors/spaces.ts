import { LoreError } from '../../memory/errors.ts';
import type { Log } from '../../memory/log.ts';
import { embeddedKey } from '../format/content-hash.ts';
import type { Database } from '../tables/database.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Stamp } from '../catalog/stamps.ts';
import type { EntryReader } from '../read/entry-reader.ts';
import { isHidden, newestRows, type Memtables, type Memtable } from '../memtable/memtable.ts';
import type { VectorIndexPlan } from '../tables/indexes.ts';
import type { Compactor } from '../compaction/compactor.ts';
import { NextVectors, type NextVectorsRow } from './next-vectors.ts';
import { toArrowTable, type EntryRow, type StoredRow } from '../format/rows.ts';
import { newVectorColumns, type VectorColumns } from '../format/schema.ts';
import type { VectorSpace } from '../format/vector-space.ts';
import type { IndexUse } from '../read/search.ts';
import type { Snapshot } from '../tables/snapshot.ts';
import { asStoreError } from '../errors/store-error.ts';
import { VectorCache } from '../read/vector-cache.ts';
import type { View } from '../tables/view.ts';
import { warmUp } from './warming.ts';
import { oneOf } from '../format/predicates.ts';

export interface SpaceSettings {
  readonly path: string;
  /** `search.hnsw*` of the configuration, used for semantic vectors. */
  readonly hnsw: { readonly fromRows: number; readonly efConstruction: number; readonly ef: number };
  /** `full`: acknowledged changes survive a power cut; `process`: only the end of the process. */
  readonly durability: 'full' | 'process';
  /** Memory for vectors, bytes; 0 keeps none there. */
  readonly vectorCacheBytes: number;
  readonly log: Log;
}

interface Parts {
  readonly settings: SpaceSettings;
  readonly database: Database;
  readonly catalog: Catalog;
  readonly memtables: Memtables;
  readonly entries: EntryReader;
  readonly compactor: Compactor;
}

interface Switch {
  readonly space: VectorSpace;
  readonly next: NextVectors;
  /** Other changes of a row that gets its new vectors. */
  readonly change: (row: EntryRow) => EntryRow;
  /** Called when the new vectors are in use. */
  readonly onSwitched: () => void;
}

/** Number of rows below which an exact search of hashed vectors is as fast as an indexed one. */
const LEXICAL_INDEX_FROM_ROWS = 2000;
/**
 * The index is cached in memory; without one every search reads all vectors from object storage. LanceDB needs this many rows to build one.
 */
const SHARED_INDEX_FROM_ROWS = 256;
const LOAD_AFTER_MS = 1000;
const BATCH_IDS = 500;

/** The active vector space of a store: columns, index, cache, and the switch to another space. */
export class Spaces {
  readonly #parts: Parts;
  #current: VectorSpace;
  #cache: VectorCache;
  #closed = false;
  #isServed = false;
  readonly #followers: (() => void)[] = [];

  constructor(parts: Parts, space: VectorSpace) {
    this.#parts = parts;
    this.#current = space;
    this.#cache = this.#newCache(space);
  }

  get current(): VectorSpace {
    return this.#current;
  }

  /** The space of the vectors as the log of a shared store names it; undefined before the first change of the model. */
  get named(): VectorSpace | undefined {
    return this.#parts.compactor.space;
  }

  /** Whether a space is active. */
  get isServed(): boolean {
    return this.#isServed;
  }

  /** Starts maintaining the tables, which a change needs, if no other server does. Returns whether this process maintains them now. */
  takeOver(): Promise<boolean> {
    return this.#parts.compactor.takeOver();
  }

  /** Calls back in the turn in which another server's change of the model has replaced the vectors. */
  tell(follower: () => void): void {
    this.#followers.push(follower);
  }

  /** Another server made vectors of this space, and reads move to them in this turn. */
  follow(space: VectorSpace, stamps: ReadonlyMap<string, Stamp>): void {
    this.#takeUp(space, new Map(stamps));
    for (const follower of this.#followers) follower();
  }

  /** Moves the vectors of flushed rows into the cache. */
  take(memtable: Memtable): void {
    this.#cache.take(memtable);
  }

  /** The cached vectors of a space, if all are in memory. */
  cacheOf(fingerprint: string): VectorCache | undefined {
    return this.#cache.isReady && this.#cache.fingerprint === fingerprint ? this.#cache : undefined;
  }

  /** How a search in this column may use the index of a table. */
  indexUse(column: string, part: Snapshot): IndexUse | undefined {
    const index = this.#parts.compactor.vectorIndexOf(part);
    if (index?.column !== column) return undefined;
    return index.kind === 'ivf_rq' ? { kind: 'ivf_rq', rows: part.size } : { kind: 'hnsw_sq', ef: this.#parts.settings.hnsw.ef };
  }

  /** When the last of the indexes of these tables was built, epoch milliseconds. */
  indexBuiltAt(column: string, parts: readonly Snapshot[]): number | undefined {
    // This kind of index is rebuilt with every change of its table.
    const changed = parts.filter((part) => this.indexUse(column, part)?.kind === 'ivf_rq').map(({ committedAt }) => committedAt);
    return changed.length > 0 ? Math.max(...changed) : this.#parts.compactor.indexBuiltAt;
  }

  /** Activates a space: adds its columns and maintains its index. Vectors of other spaces stay. */
  async serve(space: VectorSpace): Promise<void> {
    const { settings, compactor, database } = this.#parts;
    settings.log.debug({ fingerprint: space.fingerprint, width: space.width }, 'vectors of this space are served');
    await compactor.between(async () => {
      await database.ensureVectorColumns(space.width);
      this.#current = space;
      this.#isServed = true;
      await compactor.begin(this.planOf(space));
      this.#keepInMemory(space);
    });
  }

  /**
   * Collects the vectors of another space while the active ones stay in use; continues interrupted work. Rejects with `conflict` if a
   * service keeps the tables.
   */
  collect({ fingerprint, width }: VectorSpace): Promise<NextVectors> {
    const { database, settings } = this.#parts;
    if (!database.abilities.vectorSwitch) return Promise.reject(oneByOne());
    return NextVectors.open({
      folder: database.abilities.ownFiles ? settings.path : undefined,
      connect: () => database.connect(),
      space: { fingerprint, width },
      synced: settings.durability === 'full',
    });
  }

  /** The model of an unfinished collection. */
  begun(): Promise<string | undefined> {
    if (!this.#parts.database.abilities.vectorSwitch) return Promise.resolve(undefined);
    return NextVectors.begun(() => this.#parts.database.connect());
  }

  /**
   * Replaces the vectors in the table with the collected ones, for all entries at once, and activates their space, also on the other
   * servers of a shared store. Resolves with the number of entries that have them; entries changed in the meantime keep their vectors.
   */
  async switchTo({ space, next, change, onSwitched }: Switch): Promise<number> {
    const { compactor, database } = this.#parts;
    // Unflushed rows would be skipped.
    await compactor.runNow();
    if (database.abilities.ownFiles) await compactor.between(() => database.ensureVectorColumns(space.width));
    const done = new Map<string, Stamp>();
    const adopted = (): void => {
      this.#takeUp(space, done);
      onSwitched();
    };
    await compactor.rewrite({ space, plan: this.planOf(space), adopted }, async () => {
      await database.addVectorColumns(space.width);
      await this.#replaceVectors({ next, change, done });
    });
    return done.size;
  }

  /** The rows in the tables have vectors of this space: records it, and removes from `stamps` those that were changed in the meantime. */
  #takeUp(space: VectorSpace, stamps: Map<string, Stamp>): void {
    const { catalog, entries } = this.#parts;
    for (const [id, { writtenAt, ...stamp }] of stamps) {
      if (catalog.get(id)?.writtenAt === writtenAt) catalog.restamp(id, stamp);
      else stamps.delete(id);
    }
    entries.dropTexts(stamps.keys());
    this.#current = space;
    this.#keepInMemory(space);
  }

  /** Removes vector columns of earlier models that are empty. */
  async dropUnusedColumns(): Promise<void> {
    const { database, compactor, memtables } = this.#parts;
    const others = database.vectorColumns.filter(({ width }) => width !== this.#current.width);
    if (others.length === 0) return;
    const waiting = new Set([...newestRows(memtables.all)].map(({ vectors }) => vectors?.first.length));
    await compactor.between(async () => {
      for (const columns of others) {
        if (waiting.has(columns.width)) continue;
        if (await hasVectors(database.view, columns.first)) continue;
        await database.dropVectorColumns(columns);
      }
    });
  }

  close(): void {
    this.#closed = true;
  }

  async #replaceVectors({ next, change, done }: Pick<Switch, 'next' | 'change'> & { done: Map<string, Stamp> }): Promise<void> {
    const { database } = this.#parts;
    for await (const batch of next.all()) {
      for (let start = 0; start < batch.length; start += BATCH_IDS) {
        const rows = await this.#withVectors(batch.slice(start, start + BATCH_IDS), change);
        if (rows.length === 0) continue;
        for (const { name, writer } of database.tables) {
          const own = rows.filter(({ entry }) => database.tableOf(entry.namespace).name === name);
          if (own.length === 0) continue;
          const ids = own.map(({ entry }) => entry.id);
          await writer.delete(oneOf('id', ids)).catch(asStoreError('replace vectors'));
          await writer.add(toArrowTable(own, database.schema)).catch(asStoreError('replace vectors'));
        }
        for (const { entry, writtenAt, vectors } of rows) {
          done.set(entry.id, { writtenAt, embedder: vectors?.embedder ?? '', passages: vectors?.further.length ?? 0 });
        }
      }
    }
  }

  /** The rows of the table whose content and tags are unchanged, without those replaced in the memtable. */
  async #withVectors(batch: readonly NextVectorsRow[], change: Switch['change']): Promise<StoredRow[]> {
    const { catalog, memtables, entries } = this.#parts;
    const meant = batch.flatMap(({ id, key, vectors }) => {
      const known = catalog.get(id);
      if (known === undefined || embeddedKey(known) !== key) return [];
      const isOutdated = known.embedder !== vectors.embedder && !isHidden(memtables.all, id);
      return isOutdated ? [{ id, vectors, writtenAt: known.writtenAt }] : [];
    });
    const rows = await entries.rows(meant.map(({ id }) => id));
    return meant.flatMap(({ id, vectors, writtenAt }) => {
      const row = rows.get(id);
      // It may have changed while it was read.
      const isSame = catalog.get(id)?.writtenAt === writtenAt;
      return row !== undefined && isSame ? [{ ...change(row), vectors, writtenAt }] : [];
    });
  }

  /** The vector index of a space whose vectors are in one of these pairs of columns, or in a new one. */
  planOf({ kind, width }: VectorSpace, columns: readonly VectorColumns[] = this.#parts.database.vectorColumns): VectorIndexPlan {
    const { hnsw } = this.#parts.settings;
    const fromRows = kind === 'lexical' ? LEXICAL_INDEX_FROM_ROWS : hnsw.fromRows;
    return {
      kind: kind === 'lexical' ? 'ivf_rq' : 'hnsw_sq',
      column: (columns.find((candidate) => candidate.width === width) ?? newVectorColumns(width, false)).first,
      fromRows: this.#parts.database.abilities.slowReads ? Math.min(SHARED_INDEX_FROM_ROWS, fromRows) : fromRows,
      efConstruction: hnsw.efConstruction,
    };
  }

  #newCache({ fingerprint, width }: VectorSpace): VectorCache {
    const { settings, database } = this.#parts;
    // For a service each start would fetch all vectors, and it compares them exactly itself.
    return new VectorCache({ fingerprint, width, maxBytes: database.abilities.vectorCache ? settings.vectorCacheBytes : 0 });
  }

  #keepInMemory(space: VectorSpace): void {
    if (this.#cache.fingerprint !== space.fingerprint) this.#cache = this.#newCache(space);
    this.#loadSoon(this.#cache);
  }

  /** Loads in the background, except for an empty store. */
  #loadSoon(cache: VectorCache): void {
    if (cache.isReady || !this.#parts.database.abilities.vectorCache) return;
    const { database, entries, catalog, settings } = this.#parts;
    const isOver = (): boolean => this.#closed || this.#cache !== cache;
    const load = (): void => {
      if (isOver()) return;
      const { view } = database;
      const columns = database.columnsFor(this.#current.width);
      const parts = { cache, entries, view, columns, catalog, slowReads: database.abilities.slowReads, isOver };
      view
        .during(() => warmUp(parts))
        .catch((error: unknown) => {
          if (!isOver()) settings.log.warn({ error: String(error) }, 'the store could not be read into memory; searches are slower');
        });
    };
    if (database.view.size === 0) cache.finish();
    else setTimeout(load, LOAD_AFTER_MS).unref();
  }
}

async function hasVectors({ parts }: View, column: string): Promise<boolean> {
  for (const { table } of parts) if ((await table.countRows(`${column} IS NOT NULL`).catch(asStoreError('count vectors'))) > 0) return true;
  return false;
}

/** A service cannot replace all vectors in one moment. */
function oneByOne(): LoreError {
  return new LoreError('conflict', 'In LanceDB Cloud, a store is re-embedded entry by entry.');
}
