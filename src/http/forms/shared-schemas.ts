/** Schemas of what both response forms carry alike. */
import { z } from 'zod';

export const Timestamp = z.iso.datetime().meta({ description: 'ISO 8601, UTC.' });
const count = z.int().min(0);

export const EmbedderSchema = z
  .object({
    provider: z.string(),
    model: z.string(),
    dimensions: z.int(),
    state: z.enum(['ready', 'idle', 'loading', 'downloading', 'failed']),
    progress: z.number().min(0).max(1).optional().meta({ description: 'Of the configured model, while it is on its way.' }),
    standsInFor: z.string().optional().meta({ description: 'The configured provider, where another one serves in its place.' }),
  })
  .meta({ id: 'Embedder' });

export const RequestsSchema = z
  .object({
    total: count.meta({ description: 'Since the server started.' }),
    lastHour: count,
    averageLatency: z.number().min(0).meta({ description: 'Milliseconds, over the last hour.' }),
  })
  .meta({ id: 'Requests' });

export const StorageSchema = z.object({ type: z.string(), path: z.string(), bytes: count }).meta({ id: 'Storage' });

/** Fields that health has in both forms beyond the specification. */
export const upkeepFields = {
  maintenance: z.string().meta({ description: '`idle`, or what is running.' }),
  degraded: z.array(z.string()).meta({ description: 'What is not as it should be, in plain words; empty when all is well.' }),
  rss: count.meta({ description: 'Resident memory of the server, bytes.' }),
};

export const NamespaceSchema = z
  .object({ namespace: z.string(), entries: count, containers: z.array(z.string()), newest: Timestamp })
  .meta({ id: 'NamespaceSummary' });

export const OutcomeSchema = z
  .object({
    id: z.string(),
    status: z.enum(['stored', 'duplicate']),
    vector: z.enum(['stored', 'pending']).meta({ description: '`pending`: found by keyword now, by meaning once a model answers.' }),
    passages: count,
  })
  .meta({ id: 'SaveOutcome' });

export const statsFields = {
  total: count,
  namespaces: z.array(NamespaceSchema),
  byPriority: z.record(z.string(), count),
  bySource: z.record(z.string(), count),
  topTags: z.array(z.object({ tag: z.string(), entries: count })),
  perDay: z.array(z.object({ day: z.string(), entries: count })),
  vectors: z.array(z.object({ embedder: z.string(), entries: count })),
  storage: z.object({ bytes: count, fragments: count, indexedRows: count, unindexedRows: count, tableVersion: count }),
  embedder: EmbedderSchema,
};

export const migrationFields = {
  dryRun: z.boolean(),
  status: z.enum(['nothing to do', 'planned', 'running', 'done']),
  target: z.string(),
  total: count,
  stale: count.meta({ description: 'Entries whose vector was missing or of another model.' }),
  migrated: count,
  from: z.array(z.object({ embedder: z.string(), entries: count })),
};

export const ImportLineSchema = z
  .object({
    line: z.int().min(1),
    status: z.enum(['stored', 'duplicate', 'invalid']),
    id: z.string().optional(),
    error: z.string().optional(),
  })
  .meta({ id: 'ImportLine' });

export const importFields = {
  dryRun: z.boolean(),
  lines: count,
  stored: count,
  duplicates: count,
  invalid: count,
  errors: z.array(ImportLineSchema).meta({ description: 'The first 1,000 bad lines.' }),
};
