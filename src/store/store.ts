import type { EntryFilter } from '../memory/entry.ts';
import type { Log } from '../memory/log.ts';
import type { Stats } from '../memory/operations.ts';
import type { WordStatistics } from '../memory/word-statistics.ts';
import { Database, makeStoreFolder } from './database.ts';
import { Directory } from './directory.ts';
import { Entries } from './entries.ts';
import { folderSize } from './folder-size.ts';
import { StoreLock } from './lock.ts';
import { Maintenance } from './maintenance.ts';
import { numberOf, readColumns, textOf } from './rows.ts';
import { searchKeywords, searchVectors, type Hit } from './search.ts';
import { asStoreError } from './store-error.ts';
import { literal, predicate } from './where.ts';
import { WordCounts } from './word-counts.ts';

/** The space that new vectors are of, and how to find them fast. */
export interface VectorSpace {
  /** Of the embedder. */
  readonly fingerprint: string;
  readonly width: number;
  /** Hashed words and meanings want different indexes. */
  readonly kind: 'lexical' | 'semantic';
}

export interface StoreSettings {
  readonly path: string;
  /** `search.hnsw*` of the configuration, used for semantic vectors. */
  readonly hnsw: { readonly fromRows: number; readonly efConstruction: number; readonly ef: number };
  readonly log: Log;
}

/** Below this an exact search among hashed vectors is as fast as an indexed one. */
const LEXICAL_INDEX_FROM_ROWS = 2000;
const SIZE_AGE_MS = 10_000;

/** Everything that is kept, in one folder, open in one process. */
export class Store {
  readonly entries: Entries;
  readonly #settings: StoreSettings;
  readonly #lock: StoreLock;
  readonly #database: Database;
  readonly #directory: Directory;
  readonly #words: WordCounts;
  readonly #maintenance: Maintenance;
  #counting: Promise<void>;
  #size: { readonly bytes: number; readonly at: number } | undefined;
  #closing: Promise<void> | undefined;

  private constructor(settings: StoreSettings, lock: StoreLock, database: Database, directory: Directory) {
    this.#settings = settings;
    this.#lock = lock;
    this.#database = database;
    this.#directory = directory;
    this.#words = new WordCounts();
    this.#maintenance = new Maintenance({ database, log: settings.log, exclusive: (run) => this.entries.exclusive(run) });
    this.entries = new Entries({ database, directory, words: this.#words, maintenance: this.#maintenance });
    this.#counting = Promise.resolve();
  }

  /**
   * Opens the store of a folder, creating it where nothing is there. Rejects with `filesystem` where another process has it open or it
   * cannot be read; then nothing was changed.
   */
  static async open(settings: StoreSettings, space: VectorSpace): Promise<Store> {
    makeStoreFolder(settings.path);
    const lock = await StoreLock.acquire(settings.path);
    try {
      return await Store.#openLocked(settings, lock, space);
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  static async #openLocked(settings: StoreSettings, lock: StoreLock, space: VectorSpace): Promise<Store> {
    const database = await Database.open(settings.path, space.width);
    try {
      const store = new Store(settings, lock, database, await readDirectory(database));
      store.#counting = store.#countWords();
      await store.serve(space);
      return store;
    } catch (error) {
      database.close();
      throw error;
    }
  }

  get path(): string {
    return this.#settings.path;
  }

  get lock(): StoreLock {
    return this.#lock;
  }

  get directory(): Directory {
    return this.#directory;
  }

  /** How common each word is; exact from `whenCounted` on. */
  get words(): WordStatistics {
    return this.#words;
  }

  /** `idle`, or what is running behind the requests. */
  get maintenance(): string {
    return this.#maintenance.state;
  }

  get maintenanceFailures(): number {
    return this.#maintenance.failures;
  }

  whenCounted(): Promise<void> {
    return this.#counting;
  }

  /** Makes room and keeps an index for the vectors of this space from now on; those of other spaces stay. */
  async serve({ fingerprint, width, kind }: VectorSpace): Promise<void> {
    await this.entries.exclusive(() => this.#database.ensureVectorColumns(width));
    const { hnsw } = this.#settings;
    this.#settings.log.debug({ fingerprint, width }, 'vectors of this space are served');
    await this.#maintenance.begin({
      kind: kind === 'lexical' ? 'ivf_rq' : 'hnsw_sq',
      column: this.#database.columnsFor(width).first,
      fromRows: kind === 'lexical' ? LEXICAL_INDEX_FROM_ROWS : hnsw.fromRows,
      efConstruction: hnsw.efConstruction,
    });
  }

  /** Nearest entries within one space; scores are cosines. */
  async searchVectors(search: { vector: Float32Array; fingerprint: string; filter: EntryFilter; limit: number }): Promise<Hit[]> {
    const embedders = this.#directory.embedders();
    if (!embedders.has(search.fingerprint)) return [];
    const index = this.#maintenance.vectorIndex;
    const usable = index !== undefined && index.column === this.#database.columnsFor(search.vector.length).first;
    return await searchVectors(this.#database, {
      vector: search.vector,
      filter: search.filter,
      limit: search.limit,
      // Rows without a vector are never found anyway, so one space needs no predicate.
      embedder: [...embedders.keys()].filter((other) => other !== '').length > 1 ? search.fingerprint : undefined,
      index: usable ? { kind: index.kind, ef: this.#settings.hnsw.ef, rows: this.#directory.size } : undefined,
      passages: this.#directory.longTexts > 0,
    });
  }

  /** Entries that hold any of the tokens; scores are BM25. */
  searchKeywords(search: { tokens: readonly string[]; filter: EntryFilter; limit: number }): Promise<Hit[]> {
    return searchKeywords(this.#database, search);
  }

  /** Runs the work that otherwise waits for a quiet moment, and resolves when it is done. */
  optimize(): Promise<void> {
    return this.#maintenance.runNow();
  }

  /** Bytes on disk, at most a few seconds old. */
  async size(): Promise<number> {
    if (this.#size === undefined || Date.now() - this.#size.at > SIZE_AGE_MS) {
      this.#size = { bytes: await folderSize(this.path), at: Date.now() };
    }
    return this.#size.bytes;
  }

  async tableStats(): Promise<Stats['storage']> {
    const table = this.#database.entries;
    const read = Promise.all([table.stats(), table.indexStats('search_text_idx'), table.version(), this.size()]);
    const [stats, words, tableVersion, bytes] = await read.catch(asStoreError('read statistics'));
    return {
      bytes,
      fragments: stats.fragmentStats.numFragments,
      indexedRows: words?.numIndexedRows ?? 0,
      unindexedRows: words?.numUnindexedRows ?? stats.numRows,
      tableVersion,
    };
  }

  /** How often each value of the counted columns occurs. */
  async census(
    filter: EntryFilter = {},
  ): Promise<{ priorities: Map<string, number>; sources: Map<string, number>; tags: Map<string, number> }> {
    const [priorities, sources, tags] = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()];
    const count = (counts: Map<string, number>, value: string): void => void counts.set(value, (counts.get(value) ?? 0) + 1);
    const columns = ['priority', 'source', 'tags'];
    let query = this.#database.entries.query().select(columns);
    const where = predicate(filter);
    if (where !== undefined) query = query.where(where);
    for await (const rows of readColumns(query, columns)) {
      for (const row of rows) {
        count(priorities, textOf(row, 'priority'));
        count(sources, textOf(row, 'source'));
        for (const tag of row['tags'] as Iterable<string>) count(tags, tag);
      }
    }
    return { priorities, sources, tags };
  }

  /** Finishes accepted writes and running maintenance, closes the tables, gives the lock back. Safe to repeat. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.entries.close();
    await this.#counting.catch(() => undefined);
    await this.#maintenance.close();
    this.#database.close();
    this.#lock.release();
  }

  async #countWords(): Promise<void> {
    const query = this.#database.entries.query().select(['search_text']);
    for await (const rows of readColumns(query, ['search_text'])) for (const row of rows) this.#words.add(textOf(row, 'search_text'));
  }
}

async function readDirectory(database: Database): Promise<Directory> {
  const directory = new Directory();
  const columns = ['id', 'namespace', 'container', 'content_hash', 'created_at', 'importance', 'embedder', 'passage_count', 'written_at'];
  const replaced: string[] = [];
  try {
    for await (const rows of readColumns(database.entries.query().select(columns), columns)) {
      for (const row of rows) {
        const id = textOf(row, 'id');
        const writtenAt = numberOf(row, 'written_at');
        const other = directory.get(id)?.writtenAt;
        if (other !== undefined) replaced.push(`(id = ${literal(id)} AND written_at < ${Math.max(other, writtenAt)})`);
        if (other !== undefined && other > writtenAt) continue;
        directory.set(id, {
          namespace: textOf(row, 'namespace'),
          container: textOf(row, 'container'),
          contentHash: textOf(row, 'content_hash'),
          createdAt: numberOf(row, 'created_at'),
          importance: numberOf(row, 'importance'),
          embedder: textOf(row, 'embedder'),
          passages: numberOf(row, 'passage_count'),
          writtenAt,
        });
      }
    }
    // A process that died in the middle of a change left the old version of an entry beside the new one.
    if (replaced.length > 0) await database.entries.delete(replaced.join(' OR '));
  } catch (error) {
    asStoreError('read the store')(error);
  }
  return directory;
}
