import { LRUCache } from 'lru-cache';
import type { Entry, EntryFilter, ListSort } from '../../memory/entry.ts';
import { entryNotFound } from '../../memory/errors.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { entryOf, type CatalogEntry } from '../catalog/catalog-entry.ts';
import { numberOf, textOf, vectorsOf, type EntryRow, type EntryVectors, type RawRow, type StoredRow } from '../format/rows.ts';
import { ENTRY_COLUMNS, type EntryTexts } from '../format/field-columns.ts';
import type { Memtables } from '../memtable/memtable.ts';
import type { Database } from '../tables/database.ts';

/** Size of the cache of texts, bytes: about 100,000 short entries. */
const TEXT_BYTES = 48 * 1024 * 1024;
/** Size of the cache of search texts for ranking, bytes: about 200,000 short entries. */
const STREAM_BYTES = 64 * 1024 * 1024;
/** Overhead of a cached text. */
const OVERHEAD_BYTES = 150;
const SCAN_ROWS = 500;
/** An entry that alone fills a cache would evict everything else. */
const LARGEST_SHARE = 1 / 8;
/** Texts read in advance must not evict requested ones. */
const WARM_SHARE = 0.9;

interface Parts {
  readonly database: Database;
  readonly catalog: Catalog;
  readonly memtables: Memtables;
}

/** Reads whole entries: from caches and the memtable, and for the rest with one query by id. */
export class EntryReader {
  readonly #database: Database;
  readonly #catalog: Catalog;
  readonly #memtables: Memtables;
  readonly #texts = new LRUCache<string, EntryTexts>({
    maxSize: TEXT_BYTES,
    maxEntrySize: TEXT_BYTES * LARGEST_SHARE,
    sizeCalculation: ({ content, summary }) => OVERHEAD_BYTES + content.length + (summary?.length ?? 0),
  });
  readonly #streams = new LRUCache<string, string>({
    maxSize: STREAM_BYTES,
    maxEntrySize: STREAM_BYTES * LARGEST_SHARE,
    sizeCalculation: (text) => OVERHEAD_BYTES + text.length,
  });

  constructor({ database, catalog, memtables }: Parts) {
    this.#database = database;
    this.#catalog = catalog;
    this.#memtables = memtables;
  }

  /** Caches the texts of a row that was just written. */
  protected cacheTexts({ entry, searchText }: StoredRow): void {
    this.#texts.set(entry.id, ENTRY_COLUMNS.textsIn(entry));
    this.#streams.set(entry.id, searchText);
  }

  /** Drops the cached texts of a removed entry. */
  protected uncacheTexts(id: string): void {
    this.#texts.delete(id);
    this.#streams.delete(id);
  }

  /** Rejects with `not_found`. */
  async get(id: string): Promise<Entry> {
    const [entry] = await this.getMany([id]);
    if (entry === undefined) throw entryNotFound(id);
    return entry;
  }

  /** Whole rows with their vectors; unknown ids are left out. */
  async rows(ids: readonly string[]): Promise<Map<string, EntryRow>> {
    const rows = new Map<string, EntryRow>();
    const missing = new Map<string, CatalogEntry>();
    for (const id of ids) {
      const known = this.#catalog.get(id);
      if (known === undefined) continue;
      const fresh = this.#memtables.get(id);
      if (fresh === undefined) missing.set(id, known);
      else rows.set(id, fresh);
    }
    const vectorColumns = this.#database.vectorColumns;
    const columns = [
      ...ENTRY_COLUMNS.textColumns,
      'search_text',
      'embedder',
      ...vectorColumns.flatMap(({ first, further }) => [first, further]),
    ];
    for (const raw of await this.#read([...missing.keys()], columns)) {
      const id = textOf(raw, 'id');
      const entry = entryOf(missing.get(id) as CatalogEntry, ENTRY_COLUMNS.texts(raw));
      rows.set(id, { entry, searchText: textOf(raw, 'search_text'), vectors: vectorsOf(raw, vectorColumns) });
    }
    return rows;
  }

  /** Only the contents, for one pass over many entries, without caching. Unknown ids are left out. */
  async contents(ids: readonly string[]): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    const missing: string[] = [];
    for (const id of ids) {
      if (this.#catalog.get(id) === undefined) continue;
      const texts = this.#texts.peek(id) ?? this.#memtables.get(id)?.entry;
      if (texts === undefined) missing.push(id);
      else found.set(id, texts.content);
    }
    for (const row of await this.#read(missing, ['content'])) found.set(textOf(row, 'id'), textOf(row, 'content'));
    return found;
  }

  /** Only the origins, without caching. Unknown ids and entries without one are left out. */
  async sourceRefs(ids: readonly string[]): Promise<Map<string, NonNullable<Entry['sourceRef']>>> {
    const found = new Map<string, NonNullable<Entry['sourceRef']>>();
    const missing: string[] = [];
    for (const id of ids) {
      if (this.#catalog.get(id) === undefined) continue;
      const texts = this.#texts.peek(id) ?? this.#memtables.get(id)?.entry;
      if (texts === undefined) missing.push(id);
      else if (texts.sourceRef !== undefined) found.set(id, texts.sourceRef);
    }
    for (const row of await this.#read(missing, ['source_ref'])) {
      const ref = ENTRY_COLUMNS.text(row, 'sourceRef');
      if (ref !== undefined) found.set(textOf(row, 'id'), ref);
    }
    return found;
  }

  /** Entries in the requested order; unknown ids are left out. */
  async getMany(ids: readonly string[]): Promise<Entry[]> {
    const found = new Map<string, Entry>();
    const missing = new Map<string, CatalogEntry>();
    for (const id of ids) {
      const known = this.#catalog.get(id);
      if (known === undefined) continue;
      const texts = this.#texts.get(id);
      const fresh = texts === undefined ? this.#memtables.get(id)?.entry : undefined;
      if (texts !== undefined) found.set(id, entryOf(known, texts));
      else if (fresh !== undefined) found.set(id, entryOf(known, ENTRY_COLUMNS.textsIn(fresh)));
      else missing.set(id, known);
    }
    for (const row of await this.#read([...missing.keys()], ENTRY_COLUMNS.textColumns)) {
      const [id, texts] = [textOf(row, 'id'), ENTRY_COLUMNS.texts(row)];
      const known = missing.get(id);
      // A byte of its id is damaged: `lore doctor --verify` reports it.
      if (known === undefined) continue;
      found.set(id, entryOf(known, texts));
      if (this.#catalog.get(id) === known) this.#texts.set(id, texts);
    }
    return ids.flatMap((id) => found.get(id) ?? []);
  }

  /** The search texts of these entries: their tokens in order, joined by blanks. Unknown ids are left out. */
  async searchTexts(ids: readonly string[]): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    const missing: string[] = [];
    for (const id of ids) {
      if (this.#catalog.get(id) === undefined) continue;
      const text = this.#streams.get(id) ?? this.#memtables.get(id)?.searchText;
      if (text === undefined) missing.push(id);
      else found.set(id, text);
    }
    for (const row of await this.#read(missing, ['search_text', 'written_at'])) {
      found.set(textOf(row, 'id'), textOf(row, 'search_text'));
      this.#keepSearchText(row);
    }
    return found;
  }

  /** The cached search text of an entry, without refreshing the cache. */
  keptSearchText(id: string): string | undefined {
    return this.#streams.peek(id) ?? this.#memtables.get(id)?.searchText;
  }

  /** The cached content, without refreshing the cache. */
  keptContent(id: string): string | undefined {
    return (this.#texts.peek(id) ?? this.#memtables.get(id)?.entry)?.content;
  }

  /** Drops cached texts that changed in the table. */
  dropTexts(ids: Iterable<string>): void {
    for (const id of ids) this.#texts.delete(id);
  }

  /** Caches the search text of a row (columns `id`, `search_text`, `written_at`) that was read anyway, if there is space. */
  offerSearchText(row: RawRow): void {
    if (this.#streams.calculatedSize < STREAM_BYTES * WARM_SHARE) this.#keepSearchText(row);
  }

  /** Caches its other texts. */
  offerTexts(row: RawRow): void {
    if (this.#texts.calculatedSize < TEXT_BYTES * WARM_SHARE && this.#isCurrent(row))
      this.#texts.set(textOf(row, 'id'), ENTRY_COLUMNS.texts(row));
  }

  #keepSearchText(row: RawRow): void {
    if (this.#isCurrent(row)) this.#streams.set(textOf(row, 'id'), textOf(row, 'search_text'));
  }

  /** One page and the total. Ties are broken by age, then id, so pages never overlap. */
  async list(filter: EntryFilter, page: { limit: number; offset: number; sort: ListSort }): Promise<{ entries: Entry[]; total: number }> {
    const { ids, total } = this.#catalog.page(filter, page);
    return { entries: await this.getMany(ids), total };
  }

  count(filter: EntryFilter): number {
    return this.#catalog.count(filter);
  }

  /**
   * Whole rows with their vectors, oldest first, a few hundred at a time. Includes the entries that exist at the start, except those
   * removed before their turn.
   */
  async *scan(keep: (id: string) => boolean): AsyncGenerator<EntryRow[]> {
    const ids = this.#catalog.entries().flatMap(({ id }) => (keep(id) ? [id] : []));
    for (let start = 0; start < ids.length; start += SCAN_ROWS) {
      const rows = await this.rows(ids.slice(start, start + SCAN_ROWS));
      yield ids.slice(start, start + SCAN_ROWS).flatMap((id) => rows.get(id) ?? []);
    }
  }

  /** Only the vectors, of any model, with one query per table. Ids without vectors are left out. */
  async vectors(ids: readonly string[]): Promise<Map<string, EntryVectors>> {
    const columns = this.#database.vectorColumns;
    const names = ['embedder', ...columns.flatMap(({ first, further }) => [first, further])];
    const read = (await this.#read(ids, names)).map((raw) => [textOf(raw, 'id'), vectorsOf(raw, columns)] as const);
    return new Map(read.flatMap(([id, vectors]) => (vectors === undefined ? [] : [[id, vectors] as const])));
  }

  async #read(ids: readonly string[], columns: readonly string[]): Promise<RawRow[]> {
    return ids.length === 0 ? [] : await this.#database.view.rows(ids, ['id', ...columns]);
  }

  /** Whether a row of the table is still the newest version: it may have been changed or removed while it was read. */
  #isCurrent(row: RawRow): boolean {
    return this.#catalog.get(textOf(row, 'id'))?.writtenAt === numberOf(row, 'written_at');
  }
}
