/** Entries on their way from one namespace to another, as requests and results. */
import { z } from 'zod';
import { EntryId, Namespace } from '../entry.ts';
import { ENTRY_CONDITIONS } from './entry-conditions.ts';
import type { CallOptions } from './operations.ts';

/** Namespaces merged into another in one request. */
export const MAX_MERGED = 100;
/** Entries moved by their ids in one request. */
export const MAX_MOVED_IDS = 1000;

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

/** What became of the entries of a rename, a merge or a move. */
export interface MoveReport {
  readonly dryRun: boolean;
  readonly to: string;
  /** Entries meant that were elsewhere. */
  readonly matches: number;
  readonly moved: number;
  /** Entries whose exact text was there already: the one that was there stays, with the tags and relations of both; the other is archived. */
  readonly merged: number;
  /** The first 1,000 of those. */
  readonly duplicates: readonly { readonly id: string; readonly kept: string }[];
  /** Entries in the archive that belong to the other namespace now. */
  readonly archived: number;
  /** Entries that someone changed or deleted meanwhile. */
  readonly left: number;
  /** Of a move that was done: the namespaces that `moved` ones came from, for the way back. */
  readonly cameFrom?: readonly { readonly namespace: string; readonly ids: readonly string[] }[];
  /** Name of the run under which `merged` ones lie in the archive; absent where there are none. */
  readonly run?: string;
}

/** All methods reject with LoreError. Each is safe to repeat, and continues an interrupted run. */
export interface NamespaceOperations {
  /** Gives a namespace another name, in which there may be no entries. Rejects with `invalid_input` where there are, or for `global`. */
  rename(request: RenameNamespaceRequest, options?: CallOptions): Promise<MoveReport>;
  /** Empties namespaces into another one. */
  merge(request: MergeNamespacesRequest, options?: CallOptions): Promise<MoveReport>;
  /**
   * Moves entries by their ids or by conditions; ids that name nothing are left out. Rejects with `invalid_input` where neither is named, with
   * `not_found` where none of the ids names anything.
   */
  move(request: MoveRequest, options?: CallOptions): Promise<MoveReport>;
}
