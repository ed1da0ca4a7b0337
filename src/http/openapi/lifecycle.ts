/** Forgetting, the archive, and what a memory was before. */
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import {
  ArchiveRequest,
  CompactRequest,
  ForgetRequest,
  RestoreRequest,
  UndoRequest,
} from '../../memory/operations/lifecycle-operations.ts';
import { answers, FormQuery, gets, IdPath, posts, repeatable, WITH_BODY, WITH_QUERY } from './answers.ts';

const restoreOperation: ZodOpenApiOperationObject = {
  ...posts(RestoreRequest, 'restore', 'Bring entries back from the archive', 'What came back.'),
  description: 'Names them by `ids`, by `run` or by `since`: exactly one of these.',
  responses: answers('restore', 'What came back.', ['404', ...WITH_BODY]),
};

const historyOperation: ZodOpenApiOperationObject = {
  ...gets(FormQuery, 'history', 'What an entry was before', 'The entry, and its earlier versions.'),
  requestParams: { path: IdPath, query: FormQuery },
  responses: answers('history', 'The entry, and its earlier versions.', ['404', ...WITH_QUERY]),
};

const undoOperation: ZodOpenApiOperationObject = {
  ...posts(UndoRequest, 'entry', 'Take the last change of an entry back', 'The entry as it is now.'),
  operationId: 'undo',
  description: 'That is a change, too: doing it twice leaves what was. The body is an empty object.',
  requestParams: { path: IdPath, query: FormQuery },
  responses: answers('entry', 'The entry as it is now.', ['404', ...WITH_BODY]),
};

export const lifecyclePaths: ZodOpenApiPathsObject = {
  '/api/compact': {
    post: repeatable(posts(CompactRequest, 'compact', 'Archive what is old, double or too much', 'What went, or would go.')),
  },
  '/api/forget': {
    post: repeatable({
      ...posts(ForgetRequest, 'forgetMany', 'Forget entries by ids or by filter', 'How many match, or that they are forgotten.'),
      description:
        'In two steps: without `confirm` it counts and gives a token, with that token it forgets. Entries are named by `ids` or by at least one condition.',
      responses: answers('forgetMany', 'How many match, or that they are forgotten.', ['404', ...WITH_BODY]),
    }),
  },
  '/api/archive': { get: gets(ArchiveRequest.extend(FormQuery.shape), 'archive', 'What was put away', 'One page.') },
  '/api/restore': { post: repeatable(restoreOperation) },
  '/api/{id}/history': { get: historyOperation },
  '/api/{id}/undo': { post: repeatable(undoOperation) },
};
