import { z } from 'zod';
import { givenOf, type Given } from './entry-fields.ts';
import type { Entry, Source } from './entry.ts';
import type { Relation } from './relation.ts';
import type { Result } from './result.ts';
import { Time } from './timestamp.ts';
import type { ArchiveReason } from './vocabulary.ts';

export { ARCHIVE_REASONS, type ArchiveReason } from './vocabulary.ts';

/** When and why an entry was archived. */
export interface ArchiveNote {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly reason: ArchiveReason;
  /** Name of the compaction or `forget` that archived it. */
  readonly run: string;
  /** For a near duplicate: the id of the kept entry, and the cosine similarity of the two. */
  readonly survivor?: string;
  readonly similarity?: number;
}

/** An archived entry with its relations. */
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

/** A previous version of an entry. */
export interface EntryVersion {
  readonly entryId: string;
  /** When this version was written, epoch milliseconds; unique among the versions of an entry. */
  readonly writtenAt: number;
  /** When this version was replaced, epoch milliseconds. */
  readonly replacedAt: number;
  readonly replacedBy: Source;
  readonly state: EntryState;
}

/** Use count of an entry: recalls and searches that returned it. */
export interface Usage {
  readonly entryId: string;
  readonly recalls: number;
  /** Epoch milliseconds. */
  readonly lastRecalledAt: number;
}

/** Adds new counts to stored ones. */
export function addUsage(known: Usage | undefined, counted: Usage): Usage {
  return known === undefined ? counted : { ...counted, recalls: known.recalls + counted.recalls };
}

const count = z.int().min(0);

export const CompactionSummary = z
  .object({
    at: Time,
    run: z.string().meta({ description: 'Name of the run, for `restore`.' }),
    archived: count,
    purged: count,
    ms: count,
  })
  .meta({ id: 'CompactionSummary', description: 'Result of the last compaction of all namespaces; absent before the first.' });
export type CompactionSummary = Result<typeof CompactionSummary>;
