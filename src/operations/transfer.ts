/** Import and export. */
import { z } from 'zod';
import { optionalShape } from '../memory/entry-fields.ts';
import { PRIORITIES, SOURCES } from '../memory/entry.ts';
import {
  ExportRequest,
  importFault,
  ImportRequest,
  type ImportPreview,
  type ImportReport,
  type MemoryOperations,
} from '../memory/operations/operations.ts';
import { ofNamespace, Streamed, type Definitions } from './operation.ts';
import { Timestamp } from './wire.ts';

const count = z.int().min(0);
const texts = z.array(z.string()).readonly().exactOptional();

export const ImportLineResult = z
  .object({
    line: z.int().min(1),
    status: z.enum(['stored', 'duplicate', 'invalid']),
    id: z.string().exactOptional(),
    error: z.string().exactOptional(),
    notes: texts.meta({ description: 'Parts of the line that were left out or replaced.' }),
  })
  .meta({ id: 'ImportLine' });

const { sourceRef: _described, entities, ...carried } = optionalShape({ carried: true });
const ImportPreviewResult = z
  .object({
    id: z.string().exactOptional().meta({ description: 'Only if the line has an id that is kept.' }),
    content: z.string(),
    namespace: z.string(),
    container: z.string(),
    tags: z.array(z.string()).readonly(),
    priority: z.enum(PRIORITIES),
    importance: z.number().min(0).max(1),
    source: z.enum(SOURCES),
    sourceRef: z.record(z.string(), z.unknown()).readonly().exactOptional(),
    summary: z.string().exactOptional(),
    entities,
    ...carried,
    createdAt: Timestamp.exactOptional(),
    updatedAt: Timestamp.exactOptional(),
  })
  .meta({ id: 'ImportPreview' }) as z.ZodType as z.ZodType<ImportPreview, ImportPreview>;

const ImportReportResult = z.object({
  dryRun: z.boolean(),
  lines: count,
  stored: count,
  duplicates: count,
  invalid: count,
  errors: z.array(ImportLineResult).readonly().meta({ description: 'The first 1,000 bad lines.' }),
  notes: z
    .array(ImportLineResult.pick({ line: true, notes: true }))
    .readonly()
    .exactOptional()
    .meta({ description: 'The first 1,000 lines with parts that were left out or replaced; absent if there are none.' }),
  vectors: z
    .object({ kept: count, remade: count })
    .exactOptional()
    .meta({ description: 'Vectors of the stored entries in the file: kept, or computed again because they belong to another model.' }),
  redacted: count.exactOptional().meta({ description: 'Stored entries with redacted secrets; absent if there are none.' }),
  withSecrets: count
    .exactOptional()
    .meta({ description: 'Stored entries that seem to contain a secret and were stored unchanged; absent if there are none.' }),
  besides: z.object({ lines: count, relations: count, archived: count, versions: count }).exactOptional().meta({
    description:
      'Lines with relations, archived entries and versions, and how many of them were stored; `stored` and `duplicates` count entries only.',
  }),
  warnings: texts.meta({
    description: 'Warnings, such as that a namespace has more entries than compaction keeps.',
  }),
  preview: z
    .array(ImportPreviewResult)
    .readonly()
    .exactOptional()
    .meta({ description: 'Dry runs only: the first three entries as they would be stored.' }),
});

/** The result for the lines, and whether any was stored. */
const importForm = {
  schema: z.object({ success: z.boolean().meta({ description: 'False if no line was accepted.' }), ...ImportReportResult.shape }),
  of: (report: ImportReport) => ({ success: importFault(report) === undefined, ...report }),
};
export const importMembers = ImportReportResult.shape;

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
    access: 'read',
    reaches: { namespace: true },
    audited: 'export',
    notes: (request, end) => ({ ...ofNamespace(request), count: end?.count }),
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
    result: ImportReportResult,
    form: importForm,
    stream: 'in',
    access: 'write',
    reaches: { beyond: () => true },
    audited: 'import',
    notes: (request, report) => ({ ...ofNamespace(request), count: report?.stored }),
  },
} as const satisfies Definitions<Pick<MemoryOperations, 'export' | 'import'>>;
