/** Compaction, forgetting by filter, the archive and the history of entries in both response forms. */
import { z } from 'zod';
import { SOURCES, type Entry, type Priority } from '../../memory/entry.ts';
import { ARCHIVE_REASONS, type ArchivedEntry, type EntryVersion } from '../../memory/lifecycle.ts';
import type {
  ArchivePage,
  CompactReport,
  EntryHistory,
  ForgetReport,
  RestoreReport,
} from '../../memory/operations/lifecycle-operations.ts';
import type { Relation } from '../../memory/relation.ts';
import { Timestamp } from './shared-schemas.ts';

export const LIFECYCLE_ANSWERS = ['compact', 'forgetMany', 'archive', 'restore', 'history'] as const;

const count = z.int().min(0);
const ratio = z.number().min(0).max(1);
const Run = z.string().meta({ description: 'Name of the run, for `restore`.' });
const Reason = z.enum(ARCHIVE_REASONS);

interface Shapes<E extends z.ZodType, R extends z.ZodType> {
  readonly entry: E;
  readonly id: z.ZodType<string>;
  readonly relations: R;
  readonly priority: z.ZodType<string>;
  /** Before the names of the schemas. */
  readonly prefix: '' | 'Guide';
}

/** Of a form in which ids, entries, relations and priorities look like this. */
export function lifecycleSchemas<E extends z.ZodType, R extends z.ZodType>(shapes: Shapes<E, R>) {
  return { ...leavingSchemas(shapes), ...archiveSchemas(shapes), history: historySchema(shapes) };
}

function leavingSchemas<E extends z.ZodType, R extends z.ZodType>({ entry, id, prefix }: Shapes<E, R>) {
  const item = z.object({
    id,
    namespace: z.string(),
    reason: Reason,
    why: z.string().meta({ description: 'One sentence with the figures that decided.' }),
    preview: z.string().meta({ description: 'The beginning of its content, one line.' }),
    survivor: id.optional().meta({ description: 'Of a near duplicate: the entry that stays.' }),
  });
  return {
    compact: z.object({
      dryRun: z.boolean(),
      run: z.string().meta({ description: 'Name of the run, for `restore`; empty for a dry run.' }),
      looked: count.meta({ description: 'Entries looked at.' }),
      archived: count,
      byReason: z.record(Reason, count),
      items: z.array(item.meta({ id: `${prefix}CompactionItem` })).meta({ description: 'The first 1,000.' }),
      purged: count.meta({ description: 'Removed from the archive for good, or would be.' }),
    }),
    forgetMany: z.object({
      matches: count,
      preview: z.array(entry).meta({ description: 'The first ten, newest first.' }),
      done: z.boolean().meta({ description: 'Whether they were forgotten.' }),
      token: z.string().optional().meta({ description: 'To give back as `confirm`; holds for ten minutes and for exactly these entries.' }),
      run: Run.optional(),
    }),
  };
}

function archiveSchemas<E extends z.ZodType, R extends z.ZodType>({ entry, id, relations, prefix }: Shapes<E, R>) {
  const archived = z.object({
    entry,
    archivedAt: Timestamp,
    reason: Reason,
    run: Run,
    survivor: id.optional(),
    similarity: ratio.optional().meta({ description: 'Of a near duplicate to its survivor.' }),
    relations,
  });
  return {
    archive: z.object({
      count,
      total: count,
      offset: count,
      limit: count,
      entries: z.array(archived.meta({ id: `${prefix}ArchivedEntry` })).meta({ description: 'Latest first.' }),
    }),
    restore: z.object({
      dryRun: z.boolean(),
      count,
      restored: z.array(id),
      skipped: z.array(z.object({ id, reason: z.string() })).meta({ description: 'What stays in the archive, and why.' }),
    }),
  };
}

function historySchema<E extends z.ZodType, R extends z.ZodType>({ entry, priority, prefix }: Shapes<E, R>) {
  const state = z.object({
    content: z.string(),
    tags: z.array(z.string()),
    priority,
    namespace: z.string(),
    container: z.string(),
    importance: ratio,
  });
  const version = z.object({
    writtenAt: Timestamp,
    replacedAt: Timestamp,
    replacedBy: z.enum(SOURCES).meta({ description: 'Who wrote the version that came after it.' }),
    state,
  });
  return z.object({
    entry,
    versions: z.array(version.meta({ id: `${prefix}EntryVersion` })).meta({ description: 'What the entry was before, latest first.' }),
  });
}

interface Ways<E, R, P> {
  readonly entry: (entry: Entry) => E;
  readonly id: (id: string) => string;
  readonly relations: (relations: readonly Relation[]) => R;
  readonly priority: (priority: Priority) => P;
}

/** What a form makes of the results, by its ways to write entries, ids, relations and priorities. */
export function lifecycleForms<E, R, P>(ways: Ways<E, R, P>) {
  const survivor = (id: string | undefined): { survivor?: string } => (id === undefined ? {} : { survivor: ways.id(id) });
  const archived = ({ entry, at, reason, run, survivor: stays, similarity, relations }: ArchivedEntry) => ({
    entry: ways.entry(entry),
    archivedAt: iso(at),
    reason,
    run,
    ...survivor(stays),
    ...(similarity !== undefined && { similarity }),
    relations: ways.relations(relations),
  });
  const version = ({ writtenAt, replacedAt, replacedBy, state }: EntryVersion) => ({
    writtenAt: iso(writtenAt),
    replacedAt: iso(replacedAt),
    replacedBy,
    state: { ...state, tags: [...state.tags], priority: ways.priority(state.priority) },
  });
  return {
    compact: ({ items, byReason, ...report }: CompactReport) => ({
      ...report,
      byReason: { ...byReason },
      items: items.map(({ survivor: stays, ...item }) => ({ ...item, id: ways.id(item.id), ...survivor(stays) })),
    }),
    forgetMany: ({ preview, ...report }: ForgetReport) => ({ ...report, preview: preview.map(ways.entry) }),
    archive: ({ entries, total, offset, limit }: ArchivePage) => ({
      count: entries.length,
      total,
      offset,
      limit,
      entries: entries.map(archived),
    }),
    restore: ({ dryRun, restored, skipped }: RestoreReport) => ({
      dryRun,
      count: restored.length,
      restored: restored.map(ways.id),
      skipped: skipped.map(({ id, reason }) => ({ id: ways.id(id), reason })),
    }),
    history: ({ entry, versions }: EntryHistory) => ({ entry: ways.entry(entry), versions: versions.map(version) }),
  };
}

const iso = (ms: number): string => new Date(ms).toISOString();
