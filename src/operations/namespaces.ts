/** Moves of entries between namespaces. An accepted request is finished even if its client disconnects. */
import {
  MergeNamespacesRequest,
  MoveReport,
  MoveRequest,
  RenameNamespaceRequest,
  type NamespaceOperations,
} from '../memory/operations/namespace-operations.ts';
import type { Definitions } from './operation.ts';

const common = {
  answer: 'The entries that moved, or would move.',
  result: MoveReport,
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
      'If two entries have exactly the same text, the one in the target namespace stays and gets the tags and relations of both; the other is archived.',
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
