/** The way out of a store and back in, and to another model. */
import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { importFields, ImportLineSchema } from '../forms/shared-schemas.ts';
import { ExportQuery } from '../routes/export.ts';
import { IMPORT_TYPES, ImportQuery } from '../routes/import.ts';
import { FormQuery, FORMS, Problem, problemsOf, WITH_BODY, WITH_QUERY } from './answers.ts';
import { definedPaths } from './defined.ts';

const ImportProblem = Problem.extend(importFields).meta({ id: 'ImportProblem' });

const importOperation: ZodOpenApiOperationObject = {
  operationId: 'import',
  summary: 'Read entries as JSON Lines',
  description:
    'Takes what an export wrote, of any length; each line may be as long as a request body. A bad line is named in the report and does not stop the rest, ' +
    'unless `strict`. With `report=full` the answer is streamed, one line per line of input and then `{ "summary": … }`: read it while sending.',
  requestParams: { query: ImportQuery.extend(FormQuery.shape) },
  requestBody: {
    required: true,
    content: Object.fromEntries(
      IMPORT_TYPES.map((type) => [type, { schema: z.string().meta({ description: 'One JSON object per line.' }) }]),
    ),
  },
  responses: {
    '200': {
      description: 'What became of the lines.',
      content: {
        'application/json': { schema: FORMS.import },
        'application/x-ndjson': { schema: ImportLineSchema },
      },
    },
    ...problemsOf(WITH_BODY),
    '400': {
      description: 'The request is not valid; or nothing could be stored, and the report says why.',
      content: { 'application/json': { schema: z.union([Problem, ImportProblem]) } },
    },
  },
};

const exportOperation: ZodOpenApiOperationObject = {
  operationId: 'export',
  summary: 'Every entry as JSON Lines',
  description:
    'A header with the one field `lore`, then the entries, oldest first, one JSON object per line; import reads it back. With `all`, relations, the archive and ' +
    'earlier versions follow the entries, each in an object of one field: `relation`, `archived` or `version`.',
  requestParams: { query: ExportQuery.extend(FormQuery.shape) },
  responses: {
    '200': {
      description: 'The entries.',
      content: { 'application/x-ndjson': { schema: z.string() }, 'application/gzip': { schema: z.string().meta({ format: 'binary' }) } },
    },
    ...problemsOf(WITH_QUERY),
  },
};

export const transferPaths: ZodOpenApiPathsObject = {
  '/api/export': { get: exportOperation },
  '/api/import': { post: importOperation },
  ...definedPaths('memories', ['migrate']),
};
