import { LRUCache } from 'lru-cache';
import type { Entry, EntryFilter, ListSort } from '../memory/entry.ts';
import { MAX_TAGS } from '../memory/entry.ts';
import { entryNotFound, LoreError } from '../memory/errors.ts';
import { Clock } from '../memory/clock.ts';
import { tokenize } from '../memory/tokens.ts';
import type { Database } from './database.ts';
import type { Directory } from './directory.ts';
import type { Maintenance } from './maintenance.ts';
import { PAYLOAD_COLUMNS } from './schema.ts';
import { newestRows, numberOf, textOf, toArrowTable, toEntry, toEntryRow, type EntryRow, type RawRow } from './rows.ts';
import { asStoreError } from './store-error.ts';
import { oneOf, predicate } from './where.ts';
import type { WordCounts } from './word-counts.ts';
import { Writer } from './writer.ts';

/** What became of one row that was to be stored. */
export interface InsertResult {
  readonly status: 'stored' | 'duplicate';
  readonly entry: Entry;
}

interface Insert {
  readonly id: string;
  row: EntryRow;
  result?: InsertResult;
  fault?: LoreError;
}
interface Update {
  readonly id: string;
  readonly change: (row: EntryRow) => EntryRow;
  entry?: Entry;
  fault?: LoreError;
}
interface Removal {
  readonly id: string;
  fault?: LoreError;
}

/** Bytes of UTF-16 text kept for reading again. */
const CACHE_BYTES = 32 * 1024 * 1024;
const SCAN_ROWS = 500;

interface Parts {
  readonly database: Database;
  readonly directory: Directory;
  readonly words: WordCounts;
  readonly maintenance: Maintenance;
}

/** The rows of the `entries` table: every read of whole entries and every write. */
export class Entries {
  readonly #database: Database;
  readonly #directory: Directory;
  readonly #words: WordCounts;
  readonly #maintenance: Maintenance;
  readonly #cache = new LRUCache<string, Entry>({
    maxSize: CACHE_BYTES,
    // An entry that alone fills the cache would push everything else out.
    maxEntrySize: CACHE_BYTES / 8,
    sizeCalculation: (entry) => 500 + 2 * (entry.content.length + (entry.summary?.length ?? 0)),
  });
  readonly #clock: Clock;
  readonly #writer: Writer<Insert, Update, Removal>;

  constructor({ database, directory, words, maintenance }: Parts) {
    this.#clock = new Clock(directory.newestVersion);
    this.#database = database;
    this.#directory = directory;
    this.#words = words;
    this.#maintenance = maintenance;
    this.#writer = new Writer({
      insert: (changes) => this.#commitInserts(changes),
      update: (changes) => this.#commitUpdates(changes),
      remove: (changes) => this.#commitRemovals(changes),
    });
  }

  /**
   * Stores a row. The exact same content in the same namespace and container is not stored again: its tags are merged into the row that
   * is there. Resolves once the row is committed and every later read sees it.
   */
  async insert(row: EntryRow): Promise<InsertResult> {
    const change: Insert = { id: row.entry.id, row };
    await this.#writer.insert(change);
    if (change.fault !== undefined) throw change.fault;
    return change.result as InsertResult;
  }

  /** Changes one row; `change` sees the row as it is when its turn comes. Rejects with `not_found`. */
  async update(id: string, change: (row: EntryRow) => EntryRow): Promise<Entry> {
    const update: Update = { id, change };
    await this.#writer.update(update);
    if (update.fault !== undefined) throw update.fault;
    return update.entry as Entry;
  }

  /** Removes one row for good. Rejects with `not_found`. */
  async remove(id: string): Promise<void> {
    const removal: Removal = { id };
    await this.#writer.remove(removal);
    if (removal.fault !== undefined) throw removal.fault;
  }

  /** Runs between commits: nothing is written meanwhile. */
  exclusive(run: () => Promise<void>): Promise<void> {
    return this.#writer.exclusive(run);
  }

  /** Finishes the writes that were accepted and refuses new ones. */
  close(): Promise<void> {
    return this.#writer.close();
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
      const cached = this.#cache.get(id);
      if (cached === undefined) missing.push(id);
      else found.set(id, cached);
    }
    for (const row of await this.#read(missing, PAYLOAD_COLUMNS)) {
      const entry = toEntry(row);
      found.set(entry.id, entry);
      // A removal or a newer version may have been committed while the row was read.
      if (this.#directory.get(entry.id)?.writtenAt === numberOf(row, 'written_at')) this.#cache.set(entry.id, entry);
    }
    return ids.flatMap((id) => found.get(id) ?? []);
  }

  /** One page, and how many there are in all. Ties are broken by id, so pages never overlap. */
  async list(filter: EntryFilter, page: { limit: number; offset: number; sort: ListSort }): Promise<{ entries: Entry[]; total: number }> {
    const ascending = !page.sort.startsWith('-');
    const column = page.sort.endsWith('importance') ? 'importance' : 'created_at';
    const order = [...new Set([column, 'created_at', 'id'])].map((columnName) => ({ columnName, ascending }));
    let query = this.#database.entries
      .query()
      // Narrow while sorting, wide by id afterwards: ten times as fast as sorting whole rows.
      .select(order.map(({ columnName }) => columnName))
      .orderBy(order)
      .limit(page.limit)
      .offset(page.offset);
    const where = predicate(filter);
    if (where !== undefined) query = query.where(where);
    const [rows, total] = await Promise.all([query.toArray(), this.count(filter)]).catch(asStoreError('list entries'));
    const ids = new Set((rows as RawRow[]).map((row) => textOf(row, 'id')));
    return { entries: await this.getMany([...ids]), total };
  }

  async count(filter: EntryFilter): Promise<number> {
    const where = predicate(filter);
    if (where === undefined) return this.#directory.size;
    return await this.#database.entries.countRows(where).catch(asStoreError('count entries'));
  }

  /**
   * Whole rows with their vectors, oldest first, a few hundred at a time. Sees the entries that are there when it begins, less those
   * removed before their turn.
   */
  async *scan(keep: (id: string) => boolean): AsyncGenerator<EntryRow[]> {
    const ids = [...this.#directory.known()]
      .filter(([id]) => keep(id))
      .toSorted(([a, { createdAt: left }], [b, { createdAt: right }]) => left - right || (a < b ? -1 : 1))
      .map(([id]) => id);
    for (let start = 0; start < ids.length; start += SCAN_ROWS) {
      const rows = await this.#readRows(ids.slice(start, start + SCAN_ROWS));
      yield ids.slice(start, start + SCAN_ROWS).flatMap((id) => rows.get(id) ?? []);
    }
  }

  async #read(ids: readonly string[], columns: readonly string[]): Promise<RawRow[]> {
    if (ids.length === 0) return [];
    const query = this.#database.entries
      .query()
      .where(oneOf('id', ids))
      .select([...columns]);
    return newestRows((await query.toArray().catch(asStoreError('read entries'))) as RawRow[]);
  }

  async #readRows(ids: readonly string[]): Promise<Map<string, EntryRow>> {
    const vectorColumns = this.#database.vectorColumns;
    const wanted = [...PAYLOAD_COLUMNS, 'search_text', 'embedder', ...vectorColumns.flatMap(({ first, further }) => [first, further])];
    const rows = (await this.#read(ids, wanted)).map((row) => toEntryRow(row, vectorColumns));
    return new Map(rows.map((row) => [row.entry.id, row]));
  }

  async #commitInserts(changes: readonly Insert[]): Promise<void> {
    const fresh = new Map<string, Insert[]>();
    const merges: { change: Insert; update: Update }[] = [];
    for (const change of changes) {
      const { entry } = change.row;
      const twin = this.#directory.same(entry);
      if (twin !== undefined) merges.push({ change, update: { id: twin, change: (row) => withTags(row, entry.tags) } });
      else if (this.#directory.get(entry.id) !== undefined) change.fault = idTaken(entry.id);
      else {
        const key = JSON.stringify([entry.contentHash, entry.namespace, entry.container]);
        fresh.set(key, [...(fresh.get(key) ?? []), change]);
      }
    }
    await this.#add([...fresh.values()]);
    await this.#merge(merges);
  }

  /** One row for each group of equal content. */
  async #add(groups: readonly (readonly Insert[])[]): Promise<void> {
    const rows = groups.map((group) => group.slice(1).reduce((row, other) => withTags(row, other.row.entry.tags), group[0]!.row));
    if (rows.length === 0) return;
    await this.#append(rows);
    for (const row of rows) this.#words.add(row.searchText);
    for (const [index, group] of groups.entries()) {
      const { entry } = rows[index]!;
      for (const [nth, change] of group.entries()) change.result = { status: nth === 0 ? 'stored' : 'duplicate', entry };
    }
  }

  /** Writes only where a duplicate brings a tag that is not there. */
  async #merge(merges: readonly { change: Insert; update: Update }[]): Promise<void> {
    const present = new Map((await this.getMany(merges.map(({ update }) => update.id))).map((entry) => [entry.id, entry]));
    const bringing = merges.filter(({ change, update }) =>
      change.row.entry.tags.some((tag) => !present.get(update.id)?.tags.includes(tag)),
    );
    await this.#commitUpdates(bringing.map(({ update }) => update));
    for (const { change, update } of merges) {
      const entry = update.entry ?? present.get(update.id);
      if (entry === undefined) change.fault = update.fault ?? entryNotFound(update.id);
      else change.result = { status: 'duplicate', entry };
    }
  }

  async #commitUpdates(changes: readonly Update[]): Promise<void> {
    const rows = await this.#readRows([...new Set(changes.map(({ id }) => id))]);
    const before = new Map(rows);
    for (const update of changes) {
      const row = rows.get(update.id);
      if (row === undefined) update.fault = entryNotFound(update.id);
      else this.#change(update, row, rows);
    }
    const changed = [...rows.values()].filter((row) => row !== before.get(row.entry.id));
    if (changed.length === 0) return;
    await this.#replace(changed);
    for (const row of changed) this.#words.remove(before.get(row.entry.id)!.searchText);
    for (const row of changed) this.#words.add(row.searchText);
  }

  /**
   * Adds the new versions, then removes the old ones. LanceDB's own upsert in one commit spoils its id index (docs/adr/0010); a process
   * that ends between the two commits leaves two versions of an entry, of which opening keeps the newer.
   */
  async #replace(rows: readonly EntryRow[]): Promise<void> {
    const writtenAt = await this.#append(rows);
    const ids = rows.map(({ entry }) => entry.id);
    await this.#database.entries.delete(`${oneOf('id', ids)} AND written_at < ${writtenAt}`).catch(asStoreError('change entries'));
    this.#maintenance.noteCommit({ rows: 0 });
  }

  /** Commits rows and learns them. Resolves with their version. */
  async #append(rows: readonly EntryRow[]): Promise<number> {
    const writtenAt = this.#clock.now();
    const batch = toArrowTable(rows, { schema: this.#database.schema, writtenAt });
    await this.#database.entries.add(batch).catch(asStoreError('save'));
    for (const row of rows) this.#learn(row, writtenAt);
    this.#maintenance.noteCommit({ rows: rows.length });
    return writtenAt;
  }

  #change(update: Update, row: EntryRow, rows: Map<string, EntryRow>): void {
    const next = update.change(row);
    const twin = this.#directory.same(next.entry);
    if (twin !== undefined && twin !== update.id) {
      update.fault = new LoreError('invalid_input', `The entry ${twin} already holds exactly this content.`, {
        hint: 'Forget one of the two, or change the text.',
      });
      return;
    }
    rows.set(update.id, next);
    update.entry = next.entry;
  }

  async #commitRemovals(changes: readonly Removal[]): Promise<void> {
    const ids = new Set<string>();
    for (const removal of changes) {
      if (this.#directory.get(removal.id) === undefined || ids.has(removal.id)) removal.fault = entryNotFound(removal.id);
      else ids.add(removal.id);
    }
    if (ids.size === 0) return;
    const texts = await this.#read([...ids], ['id', 'search_text', 'written_at']);
    await this.#database.entries.delete(oneOf('id', [...ids])).catch(asStoreError('forget'));
    for (const id of ids) {
      this.#directory.delete(id);
      this.#cache.delete(id);
    }
    for (const row of texts) this.#words.remove(textOf(row, 'search_text'));
    this.#maintenance.noteCommit({ rows: 0 });
  }

  #learn({ entry, vectors }: EntryRow, writtenAt: number): void {
    const { namespace, container, contentHash, createdAt, importance } = entry;
    const passages = vectors?.further.length ?? 0;
    this.#directory.set(entry.id, {
      namespace,
      container,
      contentHash,
      createdAt,
      importance,
      embedder: vectors?.embedder ?? '',
      passages,
      writtenAt,
    });
    this.#cache.set(entry.id, entry);
  }
}

function idTaken(id: string): LoreError {
  return new LoreError('invalid_input', `The id ${id} belongs to another entry with other content.`);
}

/** The row with the tags it lacks, as far as an entry may have tags. */
function withTags(row: EntryRow, tags: readonly string[]): EntryRow {
  const missing = [...new Set(tags)].filter((tag) => !row.entry.tags.includes(tag)).slice(0, MAX_TAGS - row.entry.tags.length);
  if (missing.length === 0) return row;
  const searchText = [...new Set([...row.searchText.split(' '), ...missing.flatMap((tag) => tokenize(tag))])].join(' ').trim();
  return { ...row, searchText, entry: { ...row.entry, tags: [...row.entry.tags, ...missing] } };
}
