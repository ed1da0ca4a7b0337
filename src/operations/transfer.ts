/** Import and export. */
import { z } from 'zod';
import {
  ExportRequest,
  importFault,
  ImportLine,
  ImportReport,
  ImportRequest,
  type MemoryOperations,
} from '../memory/operations/operations.ts';
import { namespaceAudit, Streamed, type Definitions } from './operation.ts';

export const ExportQuery = ExportRequest.extend({
  format: z.enum(['jsonl']).optional().meta({ description: 'JSON Lines is the only format.' }),
  gzip: z.boolean().optional().meta({ description: 'Answer with a gzip file. Default `storage.compression`.' }),
});
export const ImportQuery = ImportRequest.extend({
  report: z
    .enum(['summary', 'full'])
    .optional()
    .meta({ description: '`full` streams one line of JSON per line of input, then the summary. Default `summary`.' }),
});

const Lines = z.string().meta({ description: 'One JSON object per line.' });

/** The result for the lines, and whether any was stored. */
const importForm = {
  schema: z.object({ success: z.boolean().meta({ description: 'False if no line was accepted.' }), ...ImportReport.shape }),
  of: (report: ImportReport) => ({ success: importFault(report) === undefined, ...report }),
};

export const transfer = {
  export: {
    route: 'GET /api/export',
    id: 'export',
    summary: 'Export entries as JSON Lines',
    description:
      'A header with the one field `lore`, then the entries, oldest first, one JSON object per line; import reads it back. With `all`, relations, the archive and ' +
      'earlier versions follow the entries, each in an object of one field: `relation`, `archived` or `version`.',
    answer: 'The entries.',
    request: ExportRequest,
    result: Streamed,
    stream: 'out',
    streamed: {
      query: ExportQuery,
      sends: { 'application/x-ndjson': z.string(), 'application/gzip': z.string().meta({ format: 'binary' }) },
    },
    access: 'read',
    reaches: { namespace: true },
    audited: 'export',
    notes: (request, end) => ({ ...namespaceAudit(request), count: end?.count }),
  },
  import: {
    route: 'POST /api/import',
    id: 'import',
    summary: 'Import entries from JSON Lines',
    description:
      'Accepts an export of any length; each line may be as long as a request body. A bad line is named in the report and does not stop the import, ' +
      'unless `strict`. With `report=full` the answer is streamed, one line per line of input and then `{ "summary": … }`: read it while sending.',
    answer: 'The report.',
    request: ImportRequest,
    result: ImportReport,
    form: importForm,
    stream: 'in',
    streamed: {
      query: ImportQuery,
      takes: { 'application/x-ndjson': Lines, 'application/jsonl': Lines },
      sends: { 'application/json': importForm.schema.meta({ id: 'ImportAnswer' }), 'application/x-ndjson': ImportLine },
      refusal: {
        description: 'The request is not valid; or nothing could be stored, and the report says why.',
        id: 'ImportProblem',
        adds: ImportReport,
      },
    },
    access: 'write',
    reaches: { beyond: () => true },
    audited: 'import',
    notes: (request, report) => ({ ...namespaceAudit(request), count: report?.stored }),
  },
} as const satisfies Definitions<Pick<MemoryOperations, 'export' | 'import'>>;
