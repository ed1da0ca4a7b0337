import { LRUCache } from 'lru-cache';
import type { Entry, EntryFilter, ListSort, Source } from '../../memory/entry.ts';
import { entryNotFound } from '../../memory/errors.ts';
import type { IdempotentRequest } from '../../memory/idempotency.ts';
import type { Telemetry } from '../../memory/telemetry.ts';
import { Changes, type InsertResult } from './changes.ts';
import type { Database } from '../tables/database.ts';
import type { Directory } from '../catalog/catalog.ts';
import { entryChanges, type EntryChange } from './entry-changes.ts';
import type { Succession } from './succession.ts';
import type { CommitGuard } from './touched.ts';
import { entryOf, knownOf, type Known } from '../catalog/catalog-entry.ts';
import type { Fresh } from '../memtable/memtable.ts';
import type { JournalRecord, Removal } from '../format/log-record.ts';
import {
  numberOf,
  sourceRefIn,
  TEXT_COLUMNS,
  textOf,
  textsOf,
  vectorsOf,
  type EntryRow,
  type EntryTexts,
  type EntryVectors,
  type RawRow,
  type StoredRow,
} from '../format/rows.ts';
import type { SideTables } from '../tables/auxiliary-tables.ts';
import type { Ledger } from '../wal/wal.ts';
import type { Room } from '../files/room.ts';

export type { InsertResult } from './changes.ts';

/** Bytes of texts kept for reading again: those of about 100,000 short entries. */
const TEXT_BYTES = 48 * 1024 * 1024;
/** Bytes of search texts kept for ranking; those of about 200,000 short entries. */
const STREAM_BYTES = 64 * 1024 * 1024;
/** Of a cached text beside its characters. */
const OVERHEAD_BYTES = 150;
const SCAN_ROWS = 500;
/** An entry that alone fills a cache would push everything else out. */
const LARGEST_SHARE = 1 / 8;
/** What is read in advance must not push out what was asked for. */
const WARM_SHARE = 0.9;

interface Parts {
  readonly database: Database;
  readonly directory: Directory;
  readonly fresh: Fresh;
  readonly ledger: Ledger;
  readonly sides: SideTables;
  readonly reserve: Pick<Room, 'isFull' | 'requireRoom' | 'noteFailure'>;
  readonly whenRoom: () => Promise<void>;
  /** Told after every commit what it did to entries. */
  readonly onChange: (changes: readonly EntryChange[]) => void;
  /** Versions given out are higher than this. */
  readonly newestVersion: number;
  readonly telemetry: Telemetry;
}

/** Every entry: every read of whole entries and every write. */
export class Entries {
  readonly #database: Database;
  readonly #directory: Directory;
  readonly #fresh: Fresh;
  readonly #sides: SideTables;
  readonly #changes: Changes;
  readonly #onChange: Parts['onChange'];
  #guard: CommitGuard = () => Promise.resolve(() => undefined);
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

  constructor({ database, directory, fresh, ledger, sides, reserve, whenRoom, onChange, newestVersion, telemetry }: Parts) {
    this.#database = database;
    this.#directory = directory;
    this.#fresh = fresh;
    this.#sides = sides;
    this.#onChange = onChange;
    this.#changes = new Changes(
      {
        directory,
        graph: sides.graph,
        answers: sides.known,
        readRows: (ids) => this.#readRows(ids),
        reserve,
        whenRoom,
        ledger,
        guard: (touched) => this.#guard(touched),
        telemetry,
      },
      newestVersion,
    );
  }

  /** Every change of what is stored. */
  get changes(): Changes {
    return this.#changes;
  }

  /** See `Changes`. */
  insert(row: EntryRow, request?: IdempotentRequest, succession?: Succession): Promise<InsertResult> {
    return this.#changes.insert(row, request, succession);
  }

  /** See `Changes`. */
  update(id: string, change: (row: EntryRow) => EntryRow, by?: Source, request?: IdempotentRequest): Promise<Entry> {
    return this.#changes.update(id, change, by, request);
  }

  /** See `Changes`. */
  remove(id: string, request?: IdempotentRequest): Promise<void> {
    return this.#changes.remove(id, request);
  }

  /** Changes that wait for the next commit. */
  get waiting(): number {
    return this.#changes.waiting;
  }

  /** Runs between commits: nothing is written meanwhile. */
  exclusive(run: () => Promise<void> | void): Promise<void> {
    return this.#changes.exclusive(run);
  }

  /** Finishes the writes that were accepted and refuses new ones. */
  close(): Promise<void> {
    return this.#changes.close();
  }

  /** Has every commit wait for `guard` before it is safe. One can. */
  guardCommits(guard: CommitGuard): void {
    this.#guard = guard;
  }

  /** Makes records of the ledger seen and tells of it: in the turn in which they became safe, as what is sealed then has them or has them not. */
  take(records: readonly JournalRecord[]): void {
    const changes = entryChanges(records, this.#directory);
    for (const record of records) this.apply(record);
    this.#onChange(changes);
  }

  /** Makes a record of the ledger seen, unless something newer is known already. */
  apply(record: JournalRecord): void {
    if (record.op === 'side') this.#sides.apply(record);
    else if (record.op === 'remove') this.#applyRemoval(record);
    else this.#applyPut(record.row);
  }

  /**
   * Mends what a process that died between two records of one change left, where these are the last records: what is among the entries is
   * not in the archive, and who takes whose place follows from the relations.
   */
  async reconcile(records: readonly JournalRecord[]): Promise<void> {
    const { graph, archive } = this.#sides;
    const present = new Set(records.flatMap(idsOf).filter((id) => this.#directory.get(id) !== undefined));
    for (const { entry } of await archive.getMany([...present])) this.#sides.apply({ op: 'side', table: 'archive', key: entry.id });
    const superseded = new Set<string>();
    for (const { type, targetId } of graph.all()) if (type === 'supersedes') superseded.add(targetId);
    const wrong = this.#directory.known().filter(({ id, superseded: is }) => is !== superseded.has(id));
    for (const { id } of wrong) {
      await this.#changes.update(id, (row) => {
        const { superseded: _, ...entry } = row.entry;
        return { ...row, entry: superseded.has(id) ? { ...entry, superseded: true } : entry };
      });
    }
  }

  #applyPut(row: StoredRow): void {
    const { entry, searchText, writtenAt } = row;
    const known = this.#directory.get(entry.id);
    if (known !== undefined && known.writtenAt >= writtenAt) return;
    this.#fresh.growing.put(row, known !== undefined);
    this.#directory.set(knownOf(row));
    this.#texts.set(entry.id, textsIn(entry));
    this.#streams.set(entry.id, searchText);
  }

  #applyRemoval(removal: Removal): void {
    const { id, writtenAt } = removal;
    const known = this.#directory.get(id);
    if (known !== undefined && known.writtenAt >= writtenAt) return;
    this.#texts.delete(id);
    this.#streams.delete(id);
    this.#sides.forget(removal);
    if (known === undefined) return;
    this.#directory.delete(id);
    this.#fresh.growing.remove(id);
  }

  /** Rejects with `not_found`. */
  async get(id: string): Promise<Entry> {
    const [entry] = await this.getMany([id]);
    if (entry === undefined) throw entryNotFound(id);
    return entry;
  }

  /** Whole rows with their vectors; ids that are not there are left out. */
  rows(ids: readonly string[]): Promise<Map<string, EntryRow>> {
    return this.#readRows(ids);
  }

  /** The contents alone, for one pass over many: what is read for it is not kept. Ids that are not there are left out. */
  async contents(ids: readonly string[]): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    const missing: string[] = [];
    for (const id of ids) {
      if (this.#directory.get(id) === undefined) continue;
      const texts = this.#texts.peek(id) ?? this.#fresh.get(id)?.entry;
      if (texts === undefined) missing.push(id);
      else found.set(id, texts.content);
    }
    for (const row of await this.#read(missing, ['content'])) found.set(textOf(row, 'id'), textOf(row, 'content'));
    return found;
  }

  /** Where the entries come from, in the same way. Ids that are not there, or that say nothing of it, are left out. */
  async sourceRefs(ids: readonly string[]): Promise<Map<string, NonNullable<Entry['sourceRef']>>> {
    const found = new Map<string, NonNullable<Entry['sourceRef']>>();
    const missing: string[] = [];
    for (const id of ids) {
      if (this.#directory.get(id) === undefined) continue;
      const texts = this.#texts.peek(id) ?? this.#fresh.get(id)?.entry;
      if (texts === undefined) missing.push(id);
      else if (texts.sourceRef !== undefined) found.set(id, texts.sourceRef);
    }
    for (const row of await this.#read(missing, ['source_ref'])) {
      const ref = sourceRefIn(row);
      if (ref !== undefined) found.set(textOf(row, 'id'), ref);
    }
    return found;
  }

  /** In the order asked for; ids that are not there (any more) are left out. */
  async getMany(ids: readonly string[]): Promise<Entry[]> {
    const found = new Map<string, Entry>();
    const missing = new Map<string, Known>();
    for (const id of ids) {
      const known = this.#directory.get(id);
      if (known === undefined) continue;
      const texts = this.#texts.get(id) ?? this.#fresh.get(id)?.entry;
      if (texts === undefined) missing.set(id, known);
      else found.set(id, entryOf(known, textsIn(texts)));
    }
    for (const row of await this.#read([...missing.keys()], TEXT_COLUMNS)) {
      const [id, texts] = [textOf(row, 'id'), textsOf(row)];
      const known = missing.get(id);
      // A byte of its id is damaged: `lore verify` tells of it.
      if (known === undefined) continue;
      found.set(id, entryOf(known, texts));
      if (this.#directory.get(id) === known) this.#texts.set(id, texts);
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
    for (const row of await this.#read(missing, ['search_text', 'written_at'])) {
      found.set(textOf(row, 'id'), textOf(row, 'search_text'));
      this.#keepSearchText(row);
    }
    return found;
  }

  /** The texts of these entries were changed in the table. */
  dropTexts(ids: Iterable<string>): void {
    for (const id of ids) this.#texts.delete(id);
  }

  /** Keeps the search text of a row (columns `id`, `search_text`, `written_at`) that was read anyway, as far as there is room. */
  offerSearchText(row: RawRow): void {
    if (this.#streams.calculatedSize < STREAM_BYTES * WARM_SHARE) this.#keepSearchText(row);
  }

  /** The same for its other texts. */
  offerTexts(row: RawRow): void {
    if (this.#texts.calculatedSize < TEXT_BYTES * WARM_SHARE && this.#isCurrent(row)) this.#texts.set(textOf(row, 'id'), textsOf(row));
  }

  #keepSearchText(row: RawRow): void {
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

  /** The vectors alone, in one query of each table, whichever model made them. Ids that are not there, or have none, are left out. */
  async vectors(ids: readonly string[]): Promise<Map<string, EntryVectors>> {
    const columns = this.#database.vectorColumns;
    const names = ['embedder', ...columns.flatMap(({ first, further }) => [first, further])];
    const read = (await this.#read(ids, names)).map((raw) => [textOf(raw, 'id'), vectorsOf(raw, columns)] as const);
    return new Map(read.flatMap(([id, vectors]) => (vectors === undefined ? [] : [[id, vectors] as const])));
  }

  async #read(ids: readonly string[], columns: readonly string[]): Promise<RawRow[]> {
    return ids.length === 0 ? [] : await this.#database.view.rows(ids, ['id', ...columns]);
  }

  async #readRows(ids: readonly string[]): Promise<Map<string, EntryRow>> {
    const rows = new Map<string, EntryRow>();
    const missing = new Map<string, Known>();
    for (const id of ids) {
      const known = this.#directory.get(id);
      if (known === undefined) continue;
      const fresh = this.#fresh.get(id);
      if (fresh === undefined) missing.set(id, known);
      else rows.set(id, fresh);
    }
    const vectorColumns = this.#database.vectorColumns;
    const columns = [...TEXT_COLUMNS, 'search_text', 'embedder', ...vectorColumns.flatMap(({ first, further }) => [first, further])];
    for (const raw of await this.#read([...missing.keys()], columns)) {
      const id = textOf(raw, 'id');
      const entry = entryOf(missing.get(id) as Known, textsOf(raw));
      rows.set(id, { entry, searchText: textOf(raw, 'search_text'), vectors: vectorsOf(raw, vectorColumns) });
    }
    return rows;
  }

  /** Whether a row of the table is still the newest version: it may have been changed or removed while it was read. */
  #isCurrent(row: RawRow): boolean {
    return this.#directory.get(textOf(row, 'id'))?.writtenAt === numberOf(row, 'written_at');
  }
}

/** The entry that a record puts among the entries or into the archive. */
function idsOf(record: JournalRecord): string[] {
  if (record.op === 'put') return [record.row.entry.id];
  return record.op === 'side' && record.table === 'archive' ? [record.key] : [];
}

function textsIn({ content, summary, sourceRef, entities }: EntryTexts): EntryTexts {
  return {
    content,
    ...(summary === undefined ? {} : { summary }),
    ...(sourceRef === undefined ? {} : { sourceRef }),
    ...(entities === undefined ? {} : { entities }),
  };
}
