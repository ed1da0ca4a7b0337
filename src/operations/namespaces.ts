/** Moves of entries between namespaces. An accepted request is finished even if its client disconnects. */
import { z } from 'zod';
import {
  MergeNamespacesRequest,
  MoveRequest,
  RenameNamespaceRequest,
  type MoveReport,
  type NamespaceOperations,
} from '../memory/operations/namespace-operations.ts';
import type { Definitions } from './operation.ts';

const count = z.int().min(0);

const MoveResult = z.object({
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

const common = {
  answer: 'The entries that moved, or would move.',
  result: MoveResult,
  access: 'write',
  reaches: { everything: true, why: 'Renaming, merging and moving need a key with full access to every namespace.' },
  repeatable: true,
  unlimited: true,
  audited: 'write',
} as const;
const movedBy = (result: MoveReport | undefined): number | undefined => result && result.moved + result.merged;

export const moves = {
  rename: {
    ...common,
    route: 'POST /api/namespaces/rename',
    id: 'renameNamespace',
    summary: 'Rename a namespace',
    description:
      'The new name must not have entries yet; `global` cannot be renamed. Repeat the request to continue an interrupted rename.',
    request: RenameNamespaceRequest,
    notes: ({ from, to }, result) => ({ namespaces: [from, to], count: movedBy(result) }),
  },
  merge: {
    ...common,
    route: 'POST /api/namespaces/merge',
    id: 'mergeNamespaces',
    summary: 'Merge namespaces into another one',
    description:
      'Of two entries with exactly the same text, the one in the target namespace stays, with the tags and relations of both; the other is archived.',
    request: MergeNamespacesRequest,
    notes: ({ from, into }, result) => ({ namespaces: [...from, into], count: movedBy(result) }),
  },
  move: {
    ...common,
    route: 'POST /api/namespaces/move',
    id: 'moveEntries',
    summary: 'Move entries to another namespace',
    description: 'Select entries by `ids` or by at least one condition. Unknown ids are ignored; if all are unknown, the response is 404.',
    request: MoveRequest,
    problems: ['404'],
    notes: ({ ids, namespace, to }, result) => ({ namespaces: [namespace ?? [], to].flat(), ids: ids ?? [], count: movedBy(result) }),
  },
} as const satisfies Definitions<NamespaceOperations>;
