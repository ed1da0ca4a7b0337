/** Memories are grouped by project; `global` belongs to none. */
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { answers, FormQuery, gets, posts, repeatable, WITH_BODY } from './answers.ts';
import { MergeNamespacesRequest, MoveRequest, RenameNamespaceRequest } from '../../memory/operations/namespace-operations.ts';

const WHAT_MOVED = 'What moved, or would move.';
/** By verb. */
const moveOperations: Readonly<Record<'rename' | 'merge' | 'move', ZodOpenApiOperationObject>> = {
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
    description:
      'Names them by `ids` or by conditions, at least one of which must be given. Ids that name nothing are left out; 404 where none of them names anything.',
    responses: answers('moved', WHAT_MOVED, ['404', ...WITH_BODY]),
  },
};

export const namespacesPaths: ZodOpenApiPathsObject = {
  '/api/namespaces': { get: gets(FormQuery, 'namespaces', 'Every namespace', 'The namespaces.') },
  '/api/namespaces/rename': { post: repeatable(moveOperations.rename) },
  '/api/namespaces/merge': { post: repeatable(moveOperations.merge) },
  '/api/namespaces/move': { post: repeatable(moveOperations.move) },
};
