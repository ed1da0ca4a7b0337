/** Renaming and merging namespaces and moving entries, for the OpenAPI document. */
import type { ZodOpenApiOperationObject } from 'zod-openapi';
import { MergeNamespacesRequest, MoveRequest, RenameNamespaceRequest } from '../memory/namespace-operations.ts';
import { answers, posts, WITH_BODY } from './openapi-answers.ts';

const WHAT_MOVED = 'What moved, or would move.';
/** By verb. */
export const moveOperations: Readonly<Record<'rename' | 'merge' | 'move', ZodOpenApiOperationObject>> = {
  rename: {
    ...posts(RenameNamespaceRequest, 'moved', 'Give a namespace another name', WHAT_MOVED),
    operationId: 'renameNamespace',
    description:
      'No entries may be under the new name yet; `global` keeps its name. Repeated after it was cut short, it goes on where it stopped.',
  },
  merge: {
    ...posts(MergeNamespacesRequest, 'moved', 'Empty namespaces into another one', WHAT_MOVED),
    operationId: 'mergeNamespaces',
    description:
      'Of two entries with exactly the same text the one that is there stays, with the tags and relations of both; the other goes to the archive.',
  },
  move: {
    ...posts(MoveRequest, 'moved', 'Move entries to another namespace', WHAT_MOVED),
    operationId: 'moveEntries',
    description: 'Names them by `ids` or by conditions, at least one of which must be given.',
    responses: answers('moved', WHAT_MOVED, ['404', ...WITH_BODY]),
  },
};
