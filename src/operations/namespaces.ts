/** Entries on their way from one namespace to another. An accepted request is finished, also where its client goes away. */
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
  matches: count.meta({ description: 'Entries meant that were elsewhere.' }),
  moved: count,
  merged: count.meta({
    description:
      'Entries whose exact text was there already: the one that was there stays, with the tags and relations of both; the other is archived.',
  }),
  duplicates: z.array(z.object({ id: z.uuid(), kept: z.uuid() })).meta({ description: 'The first 1,000 of those.' }),
  archived: count.meta({ description: 'Entries in the archive that belong to the other namespace now.' }),
  left: count.meta({ description: 'Entries that someone changed or deleted meanwhile.' }),
  cameFrom: z
    .array(z.object({ namespace: z.string(), ids: z.array(z.uuid()) }))
    .exactOptional()
    .meta({ description: 'Of a move that was done: the namespaces that `moved` ones came from, for the way back.' }),
  run: z.string().exactOptional().meta({ description: 'Name of the run under which `merged` ones lie in the archive.' }),
});

const common = {
  answer: 'What moved, or would move.',
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
    summary: 'Give a namespace another name',
    description:
      'No entries may be under the new name yet; `global` keeps its name. Repeated after it was cut short, it goes on where it stopped.',
    request: RenameNamespaceRequest,
    notes: ({ from, to }, result) => ({ namespaces: [from, to], count: movedBy(result) }),
  },
  merge: {
    ...common,
    route: 'POST /api/namespaces/merge',
    id: 'mergeNamespaces',
    summary: 'Empty namespaces into another one',
    description:
      'Of two entries with exactly the same text the one that is there stays, with the tags and relations of both; the other goes to the archive.',
    request: MergeNamespacesRequest,
    notes: ({ from, into }, result) => ({ namespaces: [...from, into], count: movedBy(result) }),
  },
  move: {
    ...common,
    route: 'POST /api/namespaces/move',
    id: 'moveEntries',
    summary: 'Move entries to another namespace',
    description:
      'Names them by `ids` or by conditions, at least one of which must be given. Ids that name nothing are left out; 404 where none of them names anything.',
    request: MoveRequest,
    problems: ['404'],
    notes: ({ ids, namespace, to }, result) => ({ namespaces: [namespace ?? [], to].flat(), ids: ids ?? [], count: movedBy(result) }),
  },
} as const satisfies Definitions<NamespaceOperations>;
