/** Passages of projects and documents, and the files they are of. */
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { RemoveSourcesRequest, ReplaceSourcesRequest, SourcesRequest } from '../../memory/operations/source-operations.ts';
import { FormQuery, gets, posts, repeatable } from './answers.ts';

const sourceOperations = {
  get: gets(SourcesRequest.extend(FormQuery.shape), 'sources', 'Files whose passages are stored', 'One page.'),
  post: {
    ...posts(ReplaceSourcesRequest, 'replaceSources', 'Put passages in the place of those that files had', 'What became of each file.'),
    description:
      'Each file is stored as a whole or not at all. An entry whose text is still in its file keeps its id; entries saved by other ways are never touched. ' +
      'Repeating it changes nothing.',
  },
  delete: posts(RemoveSourcesRequest, 'removeSources', 'Remove what is stored of files', 'How many entries are gone.'),
} satisfies Record<string, ZodOpenApiOperationObject>;

export const filesPaths: ZodOpenApiPathsObject = {
  '/api/sources': {
    ...sourceOperations,
    post: repeatable(sourceOperations.post),
    delete: repeatable(sourceOperations.delete),
  },
};
