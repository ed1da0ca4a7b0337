/** Paths that save and find memories. */
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { definedPaths } from './operation-paths.ts';

export const memoriesPaths: ZodOpenApiPathsObject = {
  ...definedPaths('memories', ['save']),
  ...definedPaths('memories', ['recall', 'search', 'explain', 'list']),
  ...definedPaths('bulk'),
  ...definedPaths('memories', ['get', 'update', 'forget', 'markUsed']),
  ...definedPaths('details'),
};
