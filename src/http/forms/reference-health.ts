/** How the server is, in the reference form. */
import { z } from 'zod';
import { EmbedderResult } from '../../operations/checks.ts';
import type { Health } from '../../memory/operations/operations.ts';
import { durationText, lastBackupForm, lastCompactionForm, type ServerFacts } from './forms.ts';
import { RequestsSchema, StorageSchema, upkeepFields } from './shared-schemas.ts';

const count = z.int().min(0);

export const ReferenceHealth = z.object({
  success: z.literal(true),
  status: z.literal('healthy'),
  version: z.string(),
  config: z.object({ storageType: z.string(), embeddingProvider: z.string(), embeddingModel: z.string(), namespace: z.string() }),
  stats: z.object({
    entriesInNamespace: count,
    globalEntries: count,
    autoCapture: z.boolean(),
    totalEntries: count,
    averageImportance: z.number().min(0).max(1),
  }),
  uptime: z.string(),
  uptimeMs: z.number().min(0),
  ...upkeepFields,
  embedder: EmbedderResult,
  storage: StorageSchema,
  requests: RequestsSchema,
});

export function healthForm(health: Health, server: ServerFacts): z.output<typeof ReferenceHealth> {
  return {
    success: true,
    // The specification knows no other value: `degraded` says what is wrong.
    status: 'healthy',
    version: health.version,
    config: {
      storageType: server.storageType,
      embeddingProvider: health.embedder.provider,
      embeddingModel: health.embedder.model,
      namespace: health.namespace,
    },
    stats: {
      entriesInNamespace: health.entriesInNamespace,
      globalEntries: health.globalEntries,
      autoCapture: health.autoCapture,
      totalEntries: health.totalEntries,
      averageImportance: health.averageImportance,
    },
    uptime: durationText(health.uptimeMs),
    uptimeMs: health.uptimeMs,
    maintenance: health.maintenance,
    ...(health.migration !== undefined && { migration: health.migration }),
    ...(health.relating !== undefined && { relating: health.relating }),
    degraded: [...health.degraded],
    rss: health.rss,
    key: server.key,
    embedder: health.embedder,
    storage: health.storage,
    requests: server.requests,
    ...lastBackupForm(health),
    ...lastCompactionForm(health),
  };
}
