/** Paths of namespaces. */
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { definedPaths } from './operation-paths.ts';

export const namespacesPaths: ZodOpenApiPathsObject = {
  ...definedPaths('memories', ['namespaces']),
  ...definedPaths('moves'),
};
