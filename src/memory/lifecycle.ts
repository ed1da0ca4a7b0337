import { givenOf, type Given } from './entry-fields.ts';
import type { Entry, Source } from './entry.ts';
import type { Relation } from './relation.ts';
import type { ArchiveReason } from './vocabulary.ts';

export { ARCHIVE_REASONS, type ArchiveReason } from './vocabulary.ts';

/** When and why an entry was archived. */
export interface ArchiveNote {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly reason: ArchiveReason;
  /** Name of the compaction or `forget` that archived it. */
  readonly run: string;
  /** Of a near duplicate: the entry that stayed, and how alike the two were (cosine). */
  readonly survivor?: string;
  readonly similarity?: number;
}

/** An entry in the archive, whole, with the relations that it had. */
export interface ArchivedEntry extends ArchiveNote {
  readonly entry: Entry;
  readonly relations: readonly Relation[];
}

/** The changeable fields of an entry. */
export type EntryState = Pick<Entry, Given>;

export function stateOf(entry: Entry): EntryState {
  const { content, tags, priority, namespace, container, importance } = entry;
  return { content, tags, priority, namespace, container, importance, ...givenOf(entry) };
}

/** A version of an entry that a later one replaced. */
export interface EntryVersion {
  readonly entryId: string;
  /** When this version was written, epoch milliseconds; no two versions of an entry have the same. */
  readonly writtenAt: number;
  /** When and by whom it was replaced. */
  readonly replacedAt: number;
  readonly replacedBy: Source;
  readonly state: EntryState;
}

/** How often an entry was returned by recalls and searches. */
export interface Usage {
  readonly entryId: string;
  readonly recalls: number;
  /** Epoch milliseconds. */
  readonly lastRecalledAt: number;
}

/** Adds new counts to stored ones. */
export function joinedUsage(known: Usage | undefined, counted: Usage): Usage {
  return known === undefined ? counted : { ...counted, recalls: known.recalls + counted.recalls };
}

/** Result of the last compaction. */
export interface CompactionSummary {
  /** When it began, epoch milliseconds. */
  readonly at: number;
  readonly run: string;
  readonly archived: number;
  readonly purged: number;
  readonly ms: number;
}
