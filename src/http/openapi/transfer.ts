/** Paths of export, import and migration. */
import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { ImportLine, ImportReport } from '../../memory/operations/transfer-operations.ts';
import { transfer } from '../../operations/transfer.ts';
import { ExportQuery } from '../routes/export.ts';
import { IMPORT_TYPES, ImportQuery } from '../routes/import.ts';
import { Problem } from './components.ts';
import { definedPaths, streamPath } from './operation-paths.ts';

const ImportProblem = Problem.extend(ImportReport.shape).meta({ id: 'ImportProblem' });
const Lines = z.string().meta({ description: 'One JSON object per line.' });

export const transferPaths: ZodOpenApiPathsObject = {
  ...streamPath(transfer.export, {
    query: ExportQuery,
    content: { 'application/x-ndjson': { schema: z.string() }, 'application/gzip': { schema: z.string().meta({ format: 'binary' }) } },
  }),
  ...streamPath(transfer.import, {
    query: ImportQuery,
    requestBody: { required: true, content: Object.fromEntries(IMPORT_TYPES.map((type) => [type, { schema: Lines }])) },
    content: {
      'application/json': { schema: transfer.import.form.schema.meta({ id: 'ImportAnswer' }) },
      'application/x-ndjson': { schema: ImportLine },
    },
    responses: {
      '400': {
        description: 'The request is not valid; or nothing could be stored, and the report says why.',
        content: { 'application/json': { schema: z.union([Problem, ImportProblem]) } },
      },
    },
  }),
  ...definedPaths('memories', ['migrate']),
};
