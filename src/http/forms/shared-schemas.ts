/** Schemas of what both response forms carry alike. */
import { z } from 'zod';
import { PRIORITIES, SOURCES } from '../../memory/entry.ts';
import { optionalShape } from '../../memory/entry-fields.ts';
import { CompactionResult } from '../../operations/checks.ts';
import { ExplanationResult, foundFields as searchFoundFields, resultFields as searchResultFields } from '../../operations/scored.ts';
import { Timestamp, writtenSchema } from '../../operations/wire.ts';

export { Timestamp };

const count = z.int().min(0);
const ratio = z.number().min(0).max(1);

export const RequestsSchema = z
  .object({
    total: count.meta({ description: 'Since the server started.' }),
    lastHour: count,
    averageLatency: z.number().min(0).meta({ description: 'Milliseconds, over the last hour.' }),
  })
  .meta({ id: 'Requests' });

export const StorageSchema = z.object({ type: z.string(), path: z.string().optional(), bytes: count }).meta({ id: 'Storage' });

/** Fields that health has in both forms beyond the specification. */
export const upkeepFields = {
  maintenance: z.string().meta({ description: '`idle`, or what is running.' }),
  migration: z
    .object({ done: count, total: count, target: z.string() })
    .optional()
    .meta({ description: 'How many entries have new vectors, of how many, and of which model; absent where no migration is under way.' }),
  relating: count.optional().meta({ description: 'Entries whose relations are found in the background; absent if none.' }),
  degraded: z.array(z.string()).meta({ description: 'What is not as it should be, in plain words; empty when all is well.' }),
  rss: count.meta({ description: 'Resident memory of the server, bytes.' }),
  key: z.object({ access: z.enum(['full', 'read']), namespace: z.string().optional() }).meta({
    description: 'What the key that asked may do; `namespace` where it is bound to one. Without any key set, everyone has `full`.',
  }),
  lastCompaction: writtenSchema(CompactionResult).optional(),
  lastBackup: z
    .object({ name: z.string(), createdAt: Timestamp })
    .optional()
    .meta({ description: 'The newest backup; absent where there is none.' }),
};

export const ImportLineSchema = z
  .object({
    line: z.int().min(1),
    status: z.enum(['stored', 'duplicate', 'invalid']),
    id: z.string().optional(),
    error: z.string().optional(),
    notes: z.array(z.string()).readonly().optional().meta({ description: 'What of the line was left out or replaced.' }),
  })
  .meta({ id: 'ImportLine' });

const { sourceRef: _described, entities, ...carried } = optionalShape({ carried: true });
const ImportPreviewSchema = z
  .object({
    id: z.string().optional().meta({ description: 'Where the line names one that is kept.' }),
    content: z.string(),
    namespace: z.string(),
    container: z.string(),
    tags: z.array(z.string()).readonly(),
    priority: z.enum(PRIORITIES),
    importance: ratio,
    source: z.enum(SOURCES),
    sourceRef: z.record(z.string(), z.unknown()).readonly().optional(),
    summary: z.string().optional(),
    entities,
    ...carried,
    createdAt: Timestamp.optional(),
    updatedAt: Timestamp.optional(),
  })
  .meta({ id: 'ImportPreview' });

export const importFields = {
  dryRun: z.boolean(),
  lines: count,
  stored: count,
  duplicates: count,
  invalid: count,
  errors: z.array(ImportLineSchema).meta({ description: 'The first 1,000 bad lines.' }),
  notes: z
    .array(ImportLineSchema.pick({ line: true, notes: true }))
    .readonly()
    .optional()
    .meta({ description: 'The first 1,000 lines of which something was left out or replaced; absent where there are none.' }),
  vectors: z
    .object({ kept: count, remade: count })
    .optional()
    .meta({ description: 'Vectors that came with the stored entries: kept, or computed again because they are of another model.' }),
  redacted: count.optional().meta({ description: 'Stored entries whose secrets were redacted; absent where there are none.' }),
  withSecrets: count
    .optional()
    .meta({ description: 'Stored entries that seem to contain a secret and are stored as given; absent where there are none.' }),
  besides: z.object({ lines: count, relations: count, archived: count, versions: count }).optional().meta({
    description: 'Lines of what stands beside the entries, and what of them was stored; `stored` and `duplicates` count entries alone.',
  }),
  warnings: z
    .array(z.string())
    .readonly()
    .optional()
    .meta({ description: 'What you should know, in sentences: such as that a namespace holds more entries than compaction keeps.' }),
  preview: z
    .array(ImportPreviewSchema)
    .readonly()
    .optional()
    .meta({ description: 'Dry runs only: the first three entries as they would be stored.' }),
};

export const ExplanationSchema = writtenSchema(ExplanationResult);

/** What both forms say beside the results. */
export const foundFields = writtenSchema(z.object(searchFoundFields)).shape;

/** What both forms say of every result of a recall or search besides its entry and score. */
export const resultFields = writtenSchema(z.object(searchResultFields)).shape;
