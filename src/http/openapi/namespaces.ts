/** Memories are grouped by project; `global` belongs to none. */
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { FormQuery, gets } from './answers.ts';
import { definedPaths } from './defined.ts';

export const namespacesPaths: ZodOpenApiPathsObject = {
  '/api/namespaces': { get: gets(FormQuery, 'namespaces', 'Every namespace', 'The namespaces.') },
  ...definedPaths('moves'),
};
