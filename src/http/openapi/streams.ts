/** What the document says of the streams beyond their definitions. */
import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiResponseObject } from 'zod-openapi';
import { ImportLine, ImportReport } from '../../memory/operations/transfer-operations.ts';
import { changes } from '../../operations/events.ts';
import { transfer } from '../../operations/transfer.ts';
import { ExportQuery } from '../routes/export.ts';
import { IMPORT_TYPES, ImportQuery } from '../routes/import.ts';
import { Problem } from './components.ts';

export type Streamed = Partial<Pick<ZodOpenApiOperationObject, 'requestBody' | 'responses'>> & {
  readonly query: z.ZodObject;
  readonly header?: z.ZodObject;
  readonly content: NonNullable<ZodOpenApiResponseObject['content']>;
};

const Ids = z.object({ ids: z.array(z.uuid()), namespaces: z.array(z.string()), count: z.int() });
const Counts = z.object({ saved: z.int(), changed: z.int(), forgotten: z.int(), namespaces: z.array(z.string()), count: z.int() });
const Nothing = z.strictObject({});
const EventData = z.union([Ids, Counts, Nothing]).meta({
  id: 'EventData',
  description: 'The first form for `saved`, `changed` and `forgotten`, the second for `many`, the third for `ready` and `reset`.',
});

const ImportProblem = Problem.extend(ImportReport.shape).meta({ id: 'ImportProblem' });
const Lines = z.string().meta({ description: 'One JSON object per line.' });

/** By the id of the operation. */
export const STREAMS: Readonly<Record<string, Streamed>> = {
  [changes.follow.id]: {
    query: changes.follow.request,
    header: z.object({ 'Last-Event-ID': z.string().optional().meta({ description: 'Id of the last event received.' }) }),
    content: { 'text/event-stream': { schema: EventData } },
  },
  [transfer.export.id]: {
    query: ExportQuery,
    content: { 'application/x-ndjson': { schema: z.string() }, 'application/gzip': { schema: z.string().meta({ format: 'binary' }) } },
  },
  [transfer.import.id]: {
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
  },
};
