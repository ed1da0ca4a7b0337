/** What memories have to do with each other, and what they name. */
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import {
  EntitiesRequest,
  GraphRequest,
  RelatedRequest,
  RelateRequest,
  RelationsRequest,
  RenamePathRequest,
  UnrelateRequest,
} from '../../memory/operations/relation-operations.ts';
import { answers, FormQuery, gets, IdPath, posts, repeatable, WITH_BODY, WITH_QUERY } from './answers.ts';

const relationOperations = {
  get: {
    ...gets(RelationsRequest.extend(FormQuery.shape), 'relations', 'Relations, newest first', 'One page.'),
    responses: answers('relations', 'One page.', ['404', ...WITH_QUERY]),
  },
  post: {
    ...posts(RelateRequest, 'relation', 'Relate two entries', 'The relation as it is now.'),
    responses: answers('relation', 'The relation as it is now.', ['404', ...WITH_BODY]),
  },
  delete: {
    ...posts(UnrelateRequest, 'unrelate', 'Delete a relation', 'It is gone.'),
    description: 'The three fields may stand in the query instead of a body.',
    requestBody: { required: false, content: { 'application/json': { schema: UnrelateRequest } } },
    responses: answers('unrelate', 'It is gone.', ['404', ...WITH_BODY]),
  },
} satisfies Record<string, ZodOpenApiOperationObject>;

const relatedOperation: ZodOpenApiOperationObject = {
  ...gets(RelatedRequest.extend(FormQuery.shape), 'related', 'What an entry has to do with', 'Nearest first.'),
  requestParams: { path: IdPath, query: RelatedRequest.extend(FormQuery.shape) },
  responses: answers('related', 'Nearest first.', ['404', ...WITH_QUERY]),
};

const graphOperation: ZodOpenApiOperationObject = {
  ...gets(GraphRequest.extend(FormQuery.shape), 'graph', 'Entries and the relations between them', 'A part that a picture can show.'),
  responses: answers('graph', 'A part that a picture can show.', ['404', ...WITH_QUERY]),
};

export const relationsPaths: ZodOpenApiPathsObject = {
  '/api/relations': {
    ...relationOperations,
    post: repeatable(relationOperations.post),
    delete: repeatable(relationOperations.delete),
  },
  '/api/{id}/related': { get: relatedOperation },
  '/api/graph': { get: graphOperation },
  '/api/entities': { get: gets(EntitiesRequest.extend(FormQuery.shape), 'entities', 'What entries name', 'Names, and who has them.') },
  '/api/entities/rename': {
    post: repeatable(posts(RenamePathRequest, 'renamePath', 'A file or folder has moved', 'The entries that changed.')),
  },
};
