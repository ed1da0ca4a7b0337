import type { Entry } from '../../memory/entry.ts';
import { DuplicateRequestError, requireSameRequest, type IdempotentRequest, type StoredResponse } from '../../memory/idempotency.ts';
import { relationKey, type Relation } from '../../memory/relation.ts';
import type { Tombstone } from '../../memory/tombstone.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { LogRecord, Removal } from '../format/log-record.ts';
import type { IdempotencyIndex } from '../catalog/idempotency-index.ts';
import type { RelationGraph } from '../catalog/relation-graph.ts';
import type { Tombstones } from '../catalog/tombstones.ts';
import type { EntryRow, StoredRow } from '../format/rows.ts';
import type { AuxiliaryRecord } from '../format/log-record.ts';

interface Base {
  readonly catalog: Catalog;
  readonly graph: RelationGraph;
  readonly answers: IdempotencyIndex;
  readonly tombstones: Tombstones;
  /** The current rows that the commit may need. */
  readonly rows: ReadonlyMap<string, EntryRow>;
}

/** The state of the store after the changes of a commit that were decided so far. */
export class WriteBatch {
  readonly #base: Base;
  /** Undefined for a removed entry. */
  readonly #changed = new Map<string, EntryRow | undefined>();
  /** Existing entries that were removed, even if they are back. */
  readonly #removed = new Set<string>();
  readonly #archived = new Set<string>();
  readonly #purged = new Set<string>();
  /** Undefined for a removed tombstone. */
  readonly #tombstones = new Map<string, Tombstone | undefined>();
  readonly #byContent = new Map<string, string>();
  /** By table and key. */
  readonly #notes = new Map<string, AuxiliaryRecord>();

  constructor(base: Base) {
    this.#base = base;
  }

  has(id: string): boolean {
    return this.#changed.has(id) ? this.#changed.get(id) !== undefined : this.#base.catalog.get(id) !== undefined;
  }

  row(id: string): EntryRow | undefined {
    return this.#changed.has(id) ? this.#changed.get(id) : this.#base.catalog.get(id) && this.#base.rows.get(id);
  }

  /** The metadata of an entry that decisions need, without its row. */
  known(id: string): Pick<Entry, 'namespace' | 'updatedAt' | 'source'> | undefined {
    return this.#changed.has(id) ? this.#changed.get(id)?.entry : this.#base.catalog.get(id);
  }

  tombstone(id: string): Tombstone | undefined {
    return this.#tombstones.has(id) ? this.#tombstones.get(id) : this.#base.tombstones.get(id);
  }

  /** Records a tombstone for an entry that does not exist or no longer exists. */
  putTombstone(tombstone: Tombstone): void {
    this.#tombstones.set(tombstone.id, tombstone);
  }

  /** The entry with exactly this content in the same place. */
  same(entry: Entry): string | undefined {
    const staged = this.#byContent.get(contentKey(entry));
    const stagedEntry = staged === undefined ? undefined : this.#changed.get(staged)?.entry;
    if (stagedEntry !== undefined && contentKey(stagedEntry) === contentKey(entry)) return staged;
    const known = this.#base.catalog.same(entry);
    return known === undefined || this.#changed.has(known) ? undefined : known;
  }

  put(row: EntryRow): void {
    this.#changed.set(row.entry.id, row);
    this.#byContent.set(contentKey(row.entry), row.entry.id);
    this.#tombstones.set(row.entry.id, undefined);
  }

  /** Removes an entry with its relations; entries that it superseded become current again. Its history stays if it is archived. */
  remove(id: string, { archived }: { archived: boolean }): void {
    const relations = [...this.from(id), ...this.to(id)];
    this.#changed.set(id, undefined);
    if (this.#base.catalog.get(id) !== undefined) this.#removed.add(id);
    if (archived) this.#archived.add(id);
    else this.#archived.delete(id);
    for (const [key, note] of this.#notes) if (isAbout(note, id, archived)) this.#notes.delete(key);
    // The record of the removal also removes the relations that existed before.
    for (const { type, sourceId, targetId } of relations) if (type === 'supersedes' && sourceId === id) this.#settle(targetId);
  }

  /** Removes an entry from the archive for good, with its history. */
  purge(id: string): void {
    this.#purged.add(id);
    this.note({ op: 'side', table: 'archive', key: id });
  }

  relate(relation: Relation): void {
    this.note({ op: 'side', table: 'relations', key: relationKey(relation), value: relation });
    if (relation.type === 'supersedes') this.#settle(relation.targetId);
  }

  unrelate(relation: Relation): void {
    this.note({ op: 'side', table: 'relations', key: relationKey(relation) });
    if (relation.type === 'supersedes') this.#settle(relation.targetId);
  }

  relation(key: string): Relation | undefined {
    const note = this.#notes.get(noteKey('relations', key));
    if (note?.table === 'relations') return note.value;
    const relation = this.#base.graph.get(key);
    return relation !== undefined && this.#stays(relation.sourceId) && this.#stays(relation.targetId) ? relation : undefined;
  }

  from(id: string): Relation[] {
    return this.#relations(this.#base.graph.from(id), ({ sourceId }) => sourceId === id);
  }

  to(id: string): Relation[] {
    return this.#relations(this.#base.graph.to(id), ({ targetId }) => targetId === id);
  }

  note(record: AuxiliaryRecord): void {
    const isEntry = record.table === 'archive' && record.value !== undefined;
    const isManual = record.table === 'relations' && record.value?.origin === 'manual';
    if (isEntry || isManual) this.#tombstones.set(record.key, undefined);
    this.#notes.set(noteKey(record.table, record.key), record);
  }

  /**
   * Throws if this request was answered, even earlier in this commit: `DuplicateRequestError`, or `key_reused` for another request with this key.
   */
  requireUnanswered(request: IdempotentRequest): void {
    const note = this.#notes.get(noteKey('answers', request.id));
    const known = note?.table === 'answers' ? note.value : this.#base.answers.find(request.id);
    if (known === undefined) return;
    requireSameRequest(known, request);
    throw new DuplicateRequestError();
  }

  /** Stores the response to a request in the same commit as its changes. */
  answer(given: Omit<StoredResponse, 'at'>): void {
    this.note({ op: 'side', table: 'answers', key: given.id, value: { ...given, at: this.#base.answers.now() } });
  }

  records(writtenAt: number): LogRecord[] {
    const removal = (id: string, archived = false): Removal => {
      const { id: _, ...tombstone } = this.#tombstones.get(id) ?? {};
      return { op: 'remove', id, writtenAt, ...(archived && { archived }), ...('at' in tombstone && { tombstone }) };
    };
    const rows = [...this.#changed].flatMap(([id, row]): LogRecord[] => {
      // Also before a new entry with the same id, which inherits nothing from the removed one.
      const removed: LogRecord[] = this.#removed.has(id) ? [removal(id, this.#archived.has(id))] : [];
      return row === undefined ? removed : [...removed, { op: 'put', row: { ...row, writtenAt } satisfies StoredRow }];
    });
    const deleted = [...this.#tombstones].flatMap(([id, tombstone]) => (tombstone === undefined || this.#removed.has(id) ? [] : [id]));
    const purged = [...new Set([...this.#purged, ...deleted])].flatMap((id) => (this.has(id) ? [] : [removal(id)]));
    // In this order: a power cut may keep only the first record, and then an entry may be in both places (see `reconcile`), never in none.
    const notes = [...this.#notes.values()];
    const isArchiving = (note: AuxiliaryRecord): boolean => note.table === 'archive' && note.value !== undefined;
    return [...notes.filter(isArchiving), ...purged, ...rows, ...notes.filter((note) => !isArchiving(note))];
  }

  /** Whether an entry that existed before still exists, and was not replaced by one with the same id. */
  #stays(id: string): boolean {
    return this.has(id) && !this.#removed.has(id);
  }

  /** Whether a newer entry supersedes this one now. */
  #settle(id: string): void {
    const row = this.row(id);
    if (row === undefined) return;
    const isSuperseded = this.to(id).some(({ type }) => type === 'supersedes');
    if (isSuperseded === (row.entry.superseded === true)) return;
    const { superseded: _, ...entry } = row.entry;
    this.put({ ...row, entry: isSuperseded ? { ...entry, superseded: true } : entry });
  }

  #relations(stored: readonly Relation[], isOf: (relation: Relation) => boolean): Relation[] {
    const kept = stored.filter((relation) => this.relation(relationKey(relation)) === relation);
    const staged = [...this.#notes.values()].flatMap((note) =>
      note.table === 'relations' && note.value !== undefined && isOf(note.value) ? [note.value] : [],
    );
    return [...kept, ...staged];
  }
}

const noteKey = (table: string, key: string): string => `${table} ${key}`;
const contentKey = ({ contentHash, namespace, container }: Entry): string => JSON.stringify([contentHash, namespace, container]);

function isAbout({ table, value }: AuxiliaryRecord, id: string, archived: boolean): boolean {
  if (value === undefined) return false;
  if (table === 'relations') return value.sourceId === id || value.targetId === id;
  return table === 'history' && !archived && value.entryId === id;
}
