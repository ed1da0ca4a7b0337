/** Requests and results of renaming and merging namespaces and of moving entries. */
import { z } from 'zod';
import { EntryId, Namespace } from '../entry.ts';
import type { Result } from '../result.ts';
import { ENTRY_CONDITIONS } from './entry-conditions.ts';
import type { CallOptions } from './operations.ts';

/** Maximum number of source namespaces in one merge. */
const MAX_MERGED = 100;
/** Maximum number of ids in one move. */
const MAX_MOVED_IDS = 1000;

const DryRun = z.boolean().optional().meta({ description: 'Only report what would change. Default false.' });
const Target = Namespace.meta({ description: 'The target namespace.' });

export const RenameNamespaceRequest = z
  .strictObject({
    from: Namespace.meta({ description: 'Current name; `global` cannot be renamed.' }),
    to: Namespace.meta({ description: 'New name; it must not have entries yet.' }),
    dryRun: DryRun,
  })
  .meta({ id: 'RenameNamespaceRequest' });
export type RenameNamespaceRequest = z.output<typeof RenameNamespaceRequest>;

export const MergeNamespacesRequest = z
  .strictObject({
    from: z.array(Namespace).min(1).max(MAX_MERGED).meta({ description: 'The namespaces to merge.' }),
    into: Target,
    dryRun: DryRun,
  })
  .meta({ id: 'MergeNamespacesRequest' });
export type MergeNamespacesRequest = z.output<typeof MergeNamespacesRequest>;

export const MoveRequest = z
  .strictObject({
    ids: z
      .array(EntryId)
      .min(1)
      .max(MAX_MOVED_IDS)
      .optional()
      .meta({ description: 'These entries. Instead of ids you can send conditions:' }),
    ...ENTRY_CONDITIONS,
    to: Target,
    dryRun: DryRun,
  })
  .meta({ id: 'MoveRequest' });
export type MoveRequest = z.output<typeof MoveRequest>;

const count = z.int().min(0);

/** Result of a rename, merge or move. */
export const MoveReport = z.object({
  dryRun: z.boolean(),
  to: z.string(),
  matches: count.meta({ description: 'Selected entries that were in another namespace.' }),
  moved: count,
  merged: count.meta({
    description:
      'Entries whose exact text was already in the target namespace: the existing entry stays, with the tags and relations of both; the other is archived.',
  }),
  duplicates: z.array(z.object({ id: z.uuid(), kept: z.uuid() })).meta({ description: 'The first 1,000 of the merged entries.' }),
  archived: count.meta({ description: 'Archived entries that moved to the target namespace.' }),
  left: count.meta({ description: 'Entries that were changed or deleted in the meantime.' }),
  cameFrom: z
    .array(z.object({ namespace: z.string(), ids: z.array(z.uuid()) }))
    .exactOptional()
    .meta({ description: 'After a completed move: the former namespaces of the moved entries, to move them back.' }),
  run: z.string().exactOptional().meta({ description: 'Name of the run that archived the merged entries.' }),
});
export type MoveReport = Result<typeof MoveReport>;

/** All methods reject with LoreError. Each is safe to repeat, and continues an interrupted run. */
export interface NamespaceOperations {
  /** Renames a namespace. Rejects with `invalid_input` if the new name has entries, or for `global`. */
  rename(request: RenameNamespaceRequest, options?: CallOptions): Promise<MoveReport>;
  /** Moves all entries of some namespaces into another. */
  merge(request: MergeNamespacesRequest, options?: CallOptions): Promise<MoveReport>;
  /**
   * Moves entries by ids or conditions; unknown ids are ignored. Rejects with `invalid_input` if neither is given, with `not_found` if no
   * id exists.
   */
  move(request: MoveRequest, options?: CallOptions): Promise<MoveReport>;
}
