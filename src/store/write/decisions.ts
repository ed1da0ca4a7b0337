import { nextTimeAfter } from '../../memory/clock.ts';
import { MAX_TAGS, type Entry, type Source } from '../../memory/entry.ts';
import { entryNotFound, LoreError } from '../../memory/errors.ts';
import type { IdempotentRequest } from '../../memory/idempotency.ts';
import { updatedImportance } from '../../memory/importance.ts';
import { stateOf, type ArchivedEntry, type ArchiveNote, type Usage } from '../../memory/lifecycle.ts';
import { withStoredNames } from '../../memory/names.ts';
import { relationKey, type Relation } from '../../memory/relation.ts';
import { tokenize } from '../../memory/words/tokens.ts';
import { embeddedKey } from '../format/content-hash.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { RelationGraph } from '../catalog/relation-graph.ts';
import type { EntryRow } from '../format/rows.ts';
import type { AuxiliaryRecord } from '../format/log-record.ts';
import type { WriteBatch } from './write-batch.ts';
import {
  decideTombstone,
  decideRemoval,
  decideUnrelation,
  requireNotDeleted,
  type PutTombstone,
  type Remove,
  type Unrelate,
} from './deletions.ts';
import { decideRelation, type Relate } from './relating.ts';
import { requirePresent, applySuccession, type Succession } from './succession.ts';

/** The result of an insert. */
export interface InsertResult {
  readonly status: 'stored' | 'duplicate';
  readonly entry: Entry;
  /** Whether the row has no vectors yet. */
  readonly isPending: boolean;
}

/** Checks whether the reason to archive an entry still applies. */
export type ArchiveCondition = (entry: Entry, survivor: Entry | undefined) => boolean;

interface Insert {
  readonly kind: 'insert';
  readonly row: EntryRow;
  /** Entries that it supersedes. */
  readonly succession?: Succession | undefined;
  result?: InsertResult;
}
interface Update {
  readonly kind: 'update';
  readonly id: string;
  readonly change: (row: EntryRow) => EntryRow;
  /** Who makes the change. */
  readonly by: Source;
  /** Whether the changed row keeps its time, even if that is not later than the time of the row it replaces. */
  readonly keepsTime?: true;
  entry?: Entry;
}
interface Archive {
  readonly kind: 'archive';
  readonly id: string;
  readonly note: ArchiveNote;
  readonly by: Source;
  readonly holds: ArchiveCondition;
}
interface Restore {
  readonly kind: 'restore';
  readonly archived: ArchivedEntry;
  readonly row: EntryRow;
}
interface Purge {
  readonly kind: 'purge';
  readonly id: string;
}
interface Adopt {
  readonly kind: 'adopt';
  readonly record: AdoptedRecord;
}
interface Recalled {
  readonly kind: 'recalled';
  readonly usage: readonly Usage[];
}
/** Changes nothing but the stored response to an idempotent request. */
interface Answer {
  readonly kind: 'answer';
  readonly result: unknown;
}
/** An archived entry or history record of another store. */
export type AdoptedRecord = Extract<AuxiliaryRecord, { table: 'archive' | 'history' }>;
/** One change, with its result once it is decided. */
export type Change = (
  | Insert
  | Update
  | Remove
  | PutTombstone
  | Relate
  | Unrelate
  | Archive
  | Restore
  | Purge
  | Adopt
  | Recalled
  | Answer
) & {
  /** The idempotent request that consists of this change alone, if any. */
  readonly request?: IdempotentRequest | undefined;
  fault?: Error;
};

/** The rows that must be read before a change can be decided. */
export function idsNeeded(change: Change, { catalog, graph }: { catalog: Catalog; graph: RelationGraph }): string[] {
  const superseded = (id: string): string[] => graph.from(id).flatMap(({ type, targetId }) => (type === 'supersedes' ? [targetId] : []));
  switch (change.kind) {
    case 'insert': {
      const duplicate = catalog.same(change.row.entry);
      return [duplicate ?? [], change.succession?.ids ?? []].flat();
    }
    case 'update':
      return [change.id];
    case 'remove':
      return superseded(change.id);
    case 'tombstone':
      return [superseded(change.tombstone.id), graph.get(change.tombstone.id)?.targetId ?? []].flat();
    case 'archive':
      return [change.id, change.note.survivor ?? [], superseded(change.id)].flat();
    case 'relate':
      return [change.relation.targetId];
    case 'unrelate':
      return [graph.get(change.key)?.targetId ?? []].flat();
    case 'restore':
      return change.archived.relations.map(({ targetId }) => targetId);
    case 'purge':
    case 'adopt':
    case 'recalled':
    case 'answer':
      return [];
  }
}

/** Adds a change to the write batch, with the answer to its idempotent request; or sets its error. */
export function decide(change: Change, batch: WriteBatch): void {
  const { request } = change;
  if (request !== undefined) batch.requireUnanswered(request);
  put(change, batch);
  if (request === undefined) return;
  batch.answer({ id: request.id, fingerprint: request.fingerprint, answer: request.responseTo(resultOf(change)) });
}

function resultOf(change: Change): unknown {
  if (change.kind === 'insert' || change.kind === 'answer') return change.result;
  if (change.kind === 'update') return change.entry;
  return change.kind === 'relate' ? change.relation : undefined;
}

function put(change: Change, batch: WriteBatch): void {
  switch (change.kind) {
    case 'insert':
      return decideInsert(change, batch);
    case 'update':
      return decideUpdate(change, batch);
    case 'remove':
      return decideRemoval(change, batch);
    case 'tombstone':
      return decideTombstone(change, batch);
    case 'relate':
      return decideRelation(change.relation, batch);
    case 'unrelate':
      return decideUnrelation(change, batch);
    case 'archive':
      return decideArchive(change, batch);
    case 'restore':
      return decideRestore(change, batch);
    case 'purge':
      return batch.purge(change.id);
    case 'adopt':
      if (change.record.table === 'archive' && batch.has(change.record.key)) throw idTaken(change.record.key);
      batch.note(change.record);
      return;
    case 'recalled':
      for (const value of change.usage) {
        if (batch.has(value.entryId)) batch.note({ op: 'side', table: 'usage', key: value.entryId, value });
      }
      return;
    case 'answer':
      return;
  }
}

function decideInsert(change: Insert, batch: WriteBatch): void {
  const row = named(change.row);
  const { entry } = row;
  requirePresent(batch, change.succession);
  const duplicate = batch.same(entry);
  if (duplicate === undefined) {
    if (batch.has(entry.id)) throw idTaken(entry.id);
    requireNotDeleted(entry, batch);
    batch.put(row);
    applySuccession(batch, entry.id, change.succession);
    change.result = { status: 'stored', entry, isPending: row.vectors === undefined };
    return;
  }
  const present = batch.row(duplicate);
  if (present === undefined) throw new LoreError('internal', `The entry ${duplicate} could not be read.`);
  const merged = withTags(present, change.row);
  // Writes only if the duplicate adds a tag.
  if (merged !== present) {
    keepVersion(batch, { before: present.entry, after: merged.entry, by: entry.source });
    batch.put(merged);
  }
  applySuccession(batch, duplicate, change.succession);
  change.result = { status: 'duplicate', entry: batch.row(duplicate)?.entry ?? merged.entry, isPending: merged.vectors === undefined };
}

function decideUpdate(update: Update, batch: WriteBatch): void {
  const row = batch.row(update.id);
  if (row === undefined) throw entryNotFound(update.id);
  const changed = withOwnVectors(named(update.change(row)), row);
  const next = update.keepsTime === true ? changed : later(changed, row);
  const duplicate = batch.same(next.entry);
  if (duplicate !== undefined && duplicate !== update.id) {
    throw new LoreError('invalid_input', `The entry ${duplicate} already holds exactly this content.`, {
      hint: 'Forget one of the two, or change the text.',
    });
  }
  if (next !== row) {
    keepVersion(batch, { before: row.entry, after: next.entry, by: update.by });
    batch.put(next);
  }
  update.entry = next.entry;
}

/** A change has a later time than the version before, even if that was written by a clock that is ahead: sync compares these times. */
function later(next: EntryRow, row: EntryRow): EntryRow {
  const { updatedAt } = row.entry;
  if (next.entry.updatedAt > updatedAt || isSameState(next.entry, row.entry)) return next;
  return { ...next, entry: { ...next.entry, updatedAt: nextTimeAfter(updatedAt) } };
}

/** The kept entry gets the tags of the duplicate, in the same commit. */
function decideArchive({ id, note, by, holds }: Archive, batch: WriteBatch): void {
  const row = batch.row(id);
  if (row === undefined) throw entryNotFound(id);
  const survivor = note.survivor === undefined ? undefined : batch.row(note.survivor);
  if (note.survivor !== undefined && survivor === undefined) throw entryNotFound(note.survivor);
  if (!holds(row.entry, survivor?.entry)) throw new LoreError('invalid_input', `The entry ${id} was changed meanwhile and stays.`);
  const relations = [...batch.from(id), ...batch.to(id), ...replacement({ id, note })];
  batch.remove(id, { archived: true });
  batch.note({ op: 'side', table: 'archive', key: id, value: { ...note, entry: row.entry, relations } });
  if (survivor === undefined) return;
  const merged = withTags(survivor, { ...row, entry: { ...row.entry, updatedAt: note.at } });
  if (merged === survivor) return;
  keepVersion(batch, { before: survivor.entry, after: merged.entry, by });
  batch.put(merged);
}

/** Records in the archive which entry superseded this one. */
function replacement({ id, note: { survivor, similarity = 1, at } }: Pick<Archive, 'id' | 'note'>): Relation[] {
  if (survivor === undefined) return [];
  return [{ sourceId: survivor, targetId: id, type: 'supersedes', strength: similarity, createdAt: at, origin: 'auto' }];
}

/** Restored unchanged, with the relations whose other end exists; nothing supersedes it. */
function decideRestore({ archived, row: given }: Restore, batch: WriteBatch): void {
  const row = named(given);
  const { id } = row.entry;
  if (batch.has(id)) throw idTaken(id);
  const duplicate = batch.same(row.entry);
  if (duplicate !== undefined) throw new LoreError('invalid_input', `The entry ${duplicate} now has exactly this content.`);
  requireNotDeleted(row.entry, batch);
  const { superseded: _, ...entry } = row.entry;
  batch.put({ ...row, entry });
  batch.note({ op: 'side', table: 'archive', key: id });
  for (const relation of archived.relations) {
    const other = relation.sourceId === id ? relation.targetId : relation.sourceId;
    const hides = relation.type === 'supersedes' && relation.targetId === id;
    if (batch.has(other) && !hides && batch.relation(relationKey(relation)) === undefined) batch.relate(relation);
  }
}

/** With names in stored form, even if an older version wrote them. */
function named(row: EntryRow): EntryRow {
  const entry = withStoredNames(row.entry);
  return entry === row.entry ? row : { ...row, entry };
}

function keepVersion(batch: WriteBatch, change: { before: Entry; after: Entry; by: Source }): void {
  const record = replacedVersion(change);
  if (record !== undefined) batch.note(record);
}

/** The history record of a replaced version; undefined if there is no visible difference. */
export function replacedVersion({ before, after, by }: { before: Entry; after: Entry; by: Source }): AdoptedRecord | undefined {
  if (isSameState(before, after)) return undefined;
  const { id: entryId, updatedAt } = before;
  const replacedAt = Math.max(after.updatedAt, updatedAt);
  // Two versions of the same time come from two stores. Each is kept, and the time is a part of its key, so it is shifted.
  const writtenAt = after.updatedAt === updatedAt ? updatedAt - LATER_MS : updatedAt;
  const value = { entryId, writtenAt, replacedAt, replacedBy: by, state: stateOf(before) };
  return { op: 'side', table: 'history', key: `${entryId} ${writtenAt}`, value };
}

/** Whether the difference is invisible to people. */
function isSameState(one: Entry, other: Entry): boolean {
  return JSON.stringify(stateOf(one)) === JSON.stringify(stateOf(other));
}

function idTaken(id: string): LoreError {
  return new LoreError('invalid_input', `The id ${id} belongs to another entry with other content.`);
}

/** Half of the clock's resolution, so that it is not the time of another version. */
const LATER_MS = 1 / 2048;

/** The row with the missing tags of the other entry, up to the limit. */
function withTags(row: EntryRow, other: EntryRow): EntryRow {
  const { tags, updatedAt } = other.entry;
  const missing = [...new Set(tags)].filter((tag) => !row.entry.tags.includes(tag)).slice(0, MAX_TAGS - row.entry.tags.length);
  if (missing.length === 0) return row;
  const searchText = [row.searchText, ...missing.flatMap((tag) => tokenize(tag))].join(' ').trim();
  // The time identifies the version in the history. An import line may be older than the entry it is merged into; the merge happens now.
  const changedAt = updatedAt > row.entry.updatedAt ? updatedAt : Math.max(Date.now(), row.entry.updatedAt) + LATER_MS;
  const merged = { tags: [...row.entry.tags, ...missing], priority: row.entry.priority };
  const entry = { ...row.entry, ...merged, importance: updatedImportance(row.entry, merged), updatedAt: changedAt };
  const isOther = embeddedKey(entry) === embeddedKey(other.entry);
  return { searchText, entry, vectors: isOther ? other.vectors : undefined };
}

/** A row with changed text or tags has no vectors until they are computed, unless the change brings them. */
function withOwnVectors(next: EntryRow, row: EntryRow): EntryRow {
  const isStale = next.vectors === row.vectors && embeddedKey(next.entry) !== embeddedKey(row.entry);
  return isStale ? { ...next, vectors: undefined } : next;
}
