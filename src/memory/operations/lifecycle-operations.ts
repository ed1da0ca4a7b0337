/** Requests and results of compaction, forgetting, archive and history. */
import { z } from 'zod';
import { EntryId, IdPrefix, Namespace, type Entry, Text } from '../entry.ts';
import { ENTRY_CONDITIONS, SelectedIds } from './entry-conditions.ts';
import { ARCHIVE_REASONS, type ArchivedEntry, type EntryVersion } from '../lifecycle.ts';
import type { Result } from '../result.ts';
import { Instant, type CallOptions } from './operations.ts';

const Run = Text.min(1).max(64);
const DryRun = z.boolean().optional().meta({ description: 'Only report what would change. Default false.' });

export const CompactRequest = z
  .strictObject({ dryRun: DryRun, namespace: Namespace.optional().meta({ description: 'Only this namespace; default all.' }) })
  .meta({ id: 'CompactRequest' });
export type CompactRequest = z.output<typeof CompactRequest>;

export const ForgetRequest = z
  .strictObject({
    ids: SelectedIds.optional().meta({ description: 'These entries; unknown ids are ignored. Instead of ids you can send conditions:' }),
    ...ENTRY_CONDITIONS,
    permanent: z.boolean().optional().meta({ description: 'Delete for good instead of archiving. Default false.' }),
    confirm: Text.max(200)
      .optional()
      .meta({ description: 'The `token` of a request without `confirm`. Without it, nothing is forgotten.' }),
  })
  .meta({ id: 'ForgetRequest' });
export type ForgetRequest = z.output<typeof ForgetRequest>;

export const RestoreRequest = z
  .strictObject({
    ids: z.array(EntryId).min(1).max(1000).optional(),
    run: Run.optional().meta({ description: 'All entries archived by one run of compaction or `forget`.' }),
    since: Instant.optional().meta({ description: 'All entries archived since this time.' }),
    namespace: Namespace.optional().meta({ description: 'Only entries of this namespace; default all.' }),
    dryRun: DryRun,
  })
  .refine(
    ({ ids, run, since }) => [ids, run, since].filter((given) => given !== undefined).length === 1,
    'must name `ids`, `run` or `since`',
  )
  .meta({ id: 'RestoreRequest' });
export type RestoreRequest = z.output<typeof RestoreRequest>;

export const UndoRequest = z.strictObject({}).meta({ id: 'UndoRequest', description: 'Has no fields.' });

export const ArchiveRequest = z
  .strictObject({
    namespace: Namespace.optional().meta({ description: 'Default all.' }),
    reason: z.enum(ARCHIVE_REASONS).optional(),
    run: Run.optional(),
    idPrefix: IdPrefix.optional(),
    limit: z.int().min(1).max(100).optional().meta({ description: 'Default 20.' }),
    offset: z.int().min(0).optional().meta({ description: 'Default 0.' }),
  })
  .meta({ id: 'ArchiveRequest' });
export type ArchiveRequest = z.output<typeof ArchiveRequest>;

const count = z.int().min(0);

/** An entry that a compaction archives, and why. */
export const CompactionItem = z
  .object({
    id: z.uuid(),
    namespace: z.string(),
    reason: z.enum(ARCHIVE_REASONS),
    why: z.string().meta({ description: 'The reason in one sentence, with the deciding numbers.' }),
    preview: z.string().meta({ description: 'The beginning of its content, one line.' }),
    survivor: z.uuid().exactOptional().meta({ description: 'For a near duplicate: the entry that stays.' }),
  })
  .meta({ id: 'CompactionItem' });
export type CompactionItem = Result<typeof CompactionItem>;

export const CompactReport = z.object({
  dryRun: z.boolean(),
  run: z.string().meta({ description: 'Name of the run, for `restore`; empty for a dry run.' }),
  looked: count.meta({ description: 'Entries examined.' }),
  archived: count,
  byReason: z.record(z.enum(ARCHIVE_REASONS), count),
  items: z.array(CompactionItem).meta({ description: 'The first 1,000.' }),
  purged: count.meta({ description: 'Entries deleted from the archive for good, or that would be.' }),
});
export type CompactReport = Result<typeof CompactReport>;

export interface ForgetReport {
  /** Entries that match. */
  readonly matches: number;
  /** The first ten, newest first. */
  readonly preview: readonly Entry[];
  /** Whether they were forgotten. */
  readonly done: boolean;
  /** Send it as `confirm`; valid for ten minutes and exactly these entries. Only if nothing was done yet. */
  readonly token?: string;
  /** Name of the run, for `restore`. */
  readonly run?: string;
}
export const RestoreReport = z.object({
  dryRun: z.boolean(),
  restored: z.array(z.uuid()),
  skipped: z
    .array(z.object({ id: z.uuid(), reason: z.string() }))
    .meta({ description: 'Entries that stay in the archive, with the reason.' }),
});
export type RestoreReport = Result<typeof RestoreReport>;

/** `archivedAt`: epoch milliseconds. */
export type ListedArchived = Omit<ArchivedEntry, 'at'> & { readonly archivedAt: number };
export interface ArchivePage {
  /** Latest first. */
  readonly entries: readonly ListedArchived[];
  readonly total: number;
  readonly offset: number;
  readonly limit: number;
}
export interface EntryHistory {
  /** Current state. */
  readonly entry: Entry;
  /** Previous versions, latest first. */
  readonly versions: readonly Omit<EntryVersion, 'entryId'>[];
}

/** All methods reject with LoreError; an unknown id is `not_found`. */
export interface LifecycleOperations {
  compact(request: CompactRequest, options?: CallOptions): Promise<CompactReport>;
  /** Forgets by ids or filter in two steps: the first returns the count and a token, the second with the token forgets. */
  forgetMany(request: ForgetRequest, options?: CallOptions): Promise<ForgetReport>;
  archived(request: ArchiveRequest, options?: CallOptions): Promise<ArchivePage>;
  restore(request: RestoreRequest, options?: CallOptions): Promise<RestoreReport>;
  history(id: string, options?: CallOptions): Promise<EntryHistory>;
  /** Reverts the last change, as a new change. Rejects with `invalid_input` if there is none. */
  undo(id: string, options?: CallOptions): Promise<Entry>;
}
