import { LRUCache } from 'lru-cache';
import type { Entry, EntryFilter, ListSort } from '../memory/entry.ts';
import { entryNotFound } from '../memory/errors.ts';
import { Changes, type InsertResult } from './changes.ts';
import type { Database } from './database.ts';
import type { Directory } from './directory.ts';
import type { Fresh } from './fresh-rows.ts';
import type { Journal } from './journal.ts';
import type { JournalRecord } from './journal-record.ts';
import { PAYLOAD_COLUMNS } from './schema.ts';
import { numberOf, textOf, toEntry, toEntryRow, type EntryRow, type RawRow } from './rows.ts';
import { asStoreError } from './store-error.ts';
import { oneOf } from './where.ts';

export type { InsertResult } from './changes.ts';

/** Bytes of UTF-16 text kept for reading again. */
const CACHE_BYTES = 32 * 1024 * 1024;
/** Bytes of search texts kept for ranking; those of about 200,000 short entries. */
const STREAM_BYTES = 64 * 1024 * 1024;
const SCAN_ROWS = 500;
/** An entry that alone fills a cache would push everything else out. */
const LARGEST_SHARE = 1 / 8;

interface Parts {
  readonly database: Database;
  readonly directory: Directory;
  readonly fresh: Fresh;
  readonly journal: Journal;
  readonly whenRoom: () => Promise<void>;
  /** Told after every commit. */
  readonly onChange: () => void;
  /** Versions given out are higher than this. */
  readonly newestVersion: number;
}

/** Every entry: every read of whole entries and every write. */
export class Entries {
  readonly #database: Database;
  readonly #directory: Directory;
  readonly #fresh: Fresh;
  readonly #changes: Changes;
  readonly #cache = new LRUCache<string, Entry>({
    maxSize: CACHE_BYTES,
    maxEntrySize: CACHE_BYTES * LARGEST_SHARE,
    sizeCalculation: (entry) => 500 + 2 * (entry.content.length + (entry.summary?.length ?? 0)),
  });
  readonly #streams = new LRUCache<string, string>({
    maxSize: STREAM_BYTES,
    maxEntrySize: STREAM_BYTES * LARGEST_SHARE,
    sizeCalculation: (text) => 100 + text.length,
  });

  constructor({ database, directory, fresh, journal, whenRoom, onChange, newestVersion }: Parts) {
    this.#database = database;
    this.#directory = directory;
    this.#fresh = fresh;
    this.#changes = new Changes(
      {
        directory,
        readRows: (ids) => this.#readRows(ids),
        whenRoom,
        append: (records) => journal.append(records),
        apply: (record) => this.apply(record),
        onChange,
      },
      newestVersion,
    );
  }

  /**
   * Stores a row. The exact same content in the same namespace and container is not stored again: its tags are merged into the row that
   * is there. Resolves once the row is safe and every later read sees it.
   */
  insert(row: EntryRow): Promise<InsertResult> {
    return this.#changes.insert(row);
  }

  /** Changes one row; `change` sees the row as it is when its turn comes. Rejects with `not_found`. */
  update(id: string, change: (row: EntryRow) => EntryRow): Promise<Entry> {
    return this.#changes.update(id, change);
  }

  /** Removes one row for good. Rejects with `not_found`. */
  remove(id: string): Promise<void> {
    return this.#changes.remove(id);
  }

  /** Runs between commits: nothing is written meanwhile. */
  exclusive(run: () => Promise<void> | void): Promise<void> {
    return this.#changes.exclusive(run);
  }

  /** Finishes the writes that were accepted and refuses new ones. */
  close(): Promise<void> {
    return this.#changes.close();
  }

  /** Makes a record of the journal seen, unless something newer is known already. */
  apply(record: JournalRecord): void {
    const id = record.op === 'put' ? record.row.entry.id : record.id;
    const writtenAt = record.op === 'put' ? record.row.writtenAt : record.writtenAt;
    const known = this.#directory.get(id);
    if (known !== undefined && known.writtenAt >= writtenAt) return;
    this.#cache.delete(id);
    this.#streams.delete(id);
    if (record.op === 'remove') {
      if (known === undefined) return;
      this.#directory.delete(id);
      this.#fresh.growing.remove(id);
      return;
    }
    const { entry, vectors, searchText } = record.row;
    this.#fresh.growing.put(record.row, known !== undefined);
    this.#directory.set({ ...entry, writtenAt, embedder: vectors?.embedder ?? '', passages: vectors?.further.length ?? 0 });
    this.#streams.set(id, searchText);
  }

  /** Rejects with `not_found`. */
  async get(id: string): Promise<Entry> {
    const [entry] = await this.getMany([id]);
    if (entry === undefined) throw entryNotFound(id);
    return entry;
  }

  /** In the order asked for; ids that are not there (any more) are left out. */
  async getMany(ids: readonly string[]): Promise<Entry[]> {
    const found = new Map<string, Entry>();
    const missing: string[] = [];
    for (const id of ids) {
      if (this.#directory.get(id) === undefined) continue;
      const entry = this.#fresh.get(id)?.entry ?? this.#cache.get(id);
      if (entry === undefined) missing.push(id);
      else found.set(id, entry);
    }
    for (const row of await this.#read(missing, PAYLOAD_COLUMNS)) {
      const entry = toEntry(row);
      found.set(entry.id, entry);
      if (this.#isCurrent(row)) this.#cache.set(entry.id, entry);
    }
    return ids.flatMap((id) => found.get(id) ?? []);
  }

  /** The search texts of these entries: their tokens in order, joined by blanks. Ids that are not there are left out. */
  async searchTexts(ids: readonly string[]): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    const missing: string[] = [];
    for (const id of ids) {
      if (this.#directory.get(id) === undefined) continue;
      const text = this.#streams.get(id) ?? this.#fresh.get(id)?.searchText;
      if (text === undefined) missing.push(id);
      else found.set(id, text);
    }
    for (const row of await this.#read(missing, ['id', 'search_text', 'written_at'])) {
      found.set(textOf(row, 'id'), textOf(row, 'search_text'));
      this.offerSearchText(row);
    }
    return found;
  }

  /** Keeps the search text of a row (columns `id`, `search_text`, `written_at`) that was read anyway. */
  offerSearchText(row: RawRow): void {
    if (this.#isCurrent(row)) this.#streams.set(textOf(row, 'id'), textOf(row, 'search_text'));
  }

  /** One page, and how many there are in all. Ties are broken by age, then id, so pages never overlap. */
  async list(filter: EntryFilter, page: { limit: number; offset: number; sort: ListSort }): Promise<{ entries: Entry[]; total: number }> {
    const { ids, total } = this.#directory.page(filter, page);
    return { entries: await this.getMany(ids), total };
  }

  count(filter: EntryFilter): number {
    return this.#directory.count(filter);
  }

  /**
   * Whole rows with their vectors, oldest first, a few hundred at a time. Sees the entries that are there when it begins, less those
   * removed before their turn.
   */
  async *scan(keep: (id: string) => boolean): AsyncGenerator<EntryRow[]> {
    const ids = this.#directory.known().flatMap(({ id }) => (keep(id) ? [id] : []));
    for (let start = 0; start < ids.length; start += SCAN_ROWS) {
      const rows = await this.#readRows(ids.slice(start, start + SCAN_ROWS));
      yield ids.slice(start, start + SCAN_ROWS).flatMap((id) => rows.get(id) ?? []);
    }
  }

  async #read(ids: readonly string[], columns: readonly string[]): Promise<RawRow[]> {
    if (ids.length === 0) return [];
    const query = this.#database.reader
      .query()
      .where(oneOf('id', ids))
      .select([...columns]);
    return (await query.toArray().catch(asStoreError('read entries'))) as RawRow[];
  }

  async #readRows(ids: readonly string[]): Promise<Map<string, EntryRow>> {
    const wanted = [...new Set(ids)].filter((id) => this.#directory.get(id) !== undefined);
    const fresh = wanted.flatMap((id) => this.#fresh.get(id) ?? []);
    const rows = new Map<string, EntryRow>(fresh.map((row) => [row.entry.id, row]));
    const vectorColumns = this.#database.vectorColumns;
    const columns = [...PAYLOAD_COLUMNS, 'search_text', 'embedder', ...vectorColumns.flatMap(({ first, further }) => [first, further])];
    const missing = wanted.filter((id) => !rows.has(id));
    for (const raw of await this.#read(missing, columns)) {
      const row = toEntryRow(raw, vectorColumns);
      rows.set(row.entry.id, row);
    }
    return rows;
  }

  /** Whether a row of the table is still the newest version: it may have been changed or removed while it was read. */
  #isCurrent(row: RawRow): boolean {
    return this.#directory.get(textOf(row, 'id'))?.writtenAt === numberOf(row, 'written_at');
  }
}
