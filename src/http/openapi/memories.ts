/** Saving and finding, one memory or many. */
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { ListRequest, PatchRequest, RecallRequest, SaveRequest, SearchRequest, UseRequest } from '../../memory/operations/operations.ts';
import { answers, Comma, FormQuery, gets, IdPath, posts, repeatable, WITH_BODY, WITH_QUERY } from './answers.ts';
import { definedPaths } from './defined.ts';

const entryOperations = {
  get: {
    operationId: 'getEntry',
    summary: 'One entry',
    requestParams: { path: IdPath, query: FormQuery },
    responses: answers('entry', 'The entry.', ['404', ...WITH_QUERY]),
  },
  patch: {
    ...posts(PatchRequest, 'entry', 'Change an entry', 'The entry as it is now.'),
    operationId: 'updateEntry',
    requestParams: { path: IdPath, query: FormQuery },
    responses: answers('entry', 'The entry as it is now.', ['404', ...WITH_BODY]),
  },
  delete: {
    operationId: 'deleteEntry',
    summary: 'Delete an entry',
    requestParams: { path: IdPath, query: FormQuery },
    responses: answers('forget', 'The entry is gone.', ['404', ...WITH_QUERY]),
  },
} satisfies Record<string, ZodOpenApiOperationObject>;

const useOperation: ZodOpenApiOperationObject = {
  ...posts(UseRequest, 'entry', 'Count a use of an entry', 'The entry, with how often it was used.'),
  operationId: 'useEntry',
  description:
    'For a program that searches with `countUse: false` and counts what a person does with a result, such as opening or copying it. The body is an empty object.',
  requestParams: { path: IdPath, query: FormQuery },
  responses: answers('entry', 'The entry, with how often it was used.', ['404', ...WITH_BODY]),
};

export const memoriesPaths: ZodOpenApiPathsObject = {
  '/api/save': { post: repeatable(posts(SaveRequest, 'save', 'Save an entry', 'Saved, or known already.')) },
  '/api/recall': { post: posts(RecallRequest, 'recall', 'What is relevant to a query, in one namespace', 'Best first.') },
  '/api/search': { post: posts(SearchRequest, 'search', 'What is relevant to a query, in all namespaces', 'Best first.') },
  ...definedPaths('memories', ['explain']),
  '/api/list': {
    get: gets(ListRequest.extend({ tags: Comma, ...FormQuery.shape }), 'list', 'Entries, page by page', 'One page.'),
  },
  ...definedPaths('bulk'),
  '/api/{id}': { ...entryOperations, patch: repeatable(entryOperations.patch), delete: repeatable(entryOperations.delete) },
  '/api/{id}/use': { post: useOperation },
  ...definedPaths('details'),
};
