/** The state of a store and its model. The response groups the figures as the specification does. */
import { z } from 'zod';
import type { Grant } from '../memory/grant.ts';
import type { Health, MemoryOperations } from '../memory/operations/operations.ts';
import { CompactionSummary } from '../memory/lifecycle.ts';
import { EmbedderReport } from '../memory/operations/reports.ts';
import { NoRequest, type Definitions } from './operation.ts';
import { Time } from './wire.ts';

const count = z.int().min(0);

const Requests = z
  .object({
    total: count.meta({ description: 'Since the server started.' }),
    lastHour: count,
    averageLatency: z.number().min(0).meta({ description: 'Milliseconds, over the last hour.' }),
  })
  .meta({ id: 'Requests' });

/** Health facts that only the server knows. */
export interface ServerFacts {
  /** Access of the key of the request. */
  readonly key: Pick<Grant, 'access' | 'namespace'>;
  readonly storageType: string;
  readonly requests: z.output<typeof Requests>;
}

const last = {
  lastBackup: z
    .object({ name: z.string(), createdAt: Time })
    .exactOptional()
    .meta({ description: 'The newest backup; absent if there is none.' }),
  lastCompaction: CompactionSummary.exactOptional(),
};
const state = {
  maintenance: z.string().meta({ description: '`idle`, or the work that is running.' }),
  migration: z
    .object({ done: count, total: count, target: z.string() })
    .exactOptional()
    .meta({ description: 'Progress of the migration: entries with new vectors, all entries, and the model; absent if none is running.' }),
  relating: count.exactOptional().meta({ description: 'Entries waiting for automatic relations; absent if none.' }),
  degraded: z.array(z.string()).readonly().meta({ description: 'Current problems, one sentence each; empty if there are none.' }),
  rss: count.meta({ description: 'Resident memory of the server, bytes.' }),
  key: z.object({ access: z.enum(['full', 'read']), namespace: z.string().optional() }).meta({
    description: 'Access of the key of this request; `namespace` if it is bound to one. If no key is configured, everyone has `full`.',
  }),
};
/** Members of both response forms beyond the specification. */
export const stateMembers = { requests: Requests, ...state, ...last };

const HealthForm = z.object({
  success: z.literal(true),
  // The specification knows no other value; `degraded` names the problems.
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
  ...state,
  embedder: EmbedderReport,
  storage: z
    .object({
      type: z.string(),
      path: z.string().optional(),
      bytes: count,
      servers: count.exactOptional().meta({
        description: 'Servers that use a store on object storage, as this one knows; absent for other stores.',
      }),
    })
    .meta({ id: 'Storage' }),
  requests: Requests,
  ...last,
});

function formOf(health: Health, { storageType, ...server }: ServerFacts): z.output<typeof HealthForm> {
  return {
    ...health,
    ...server,
    success: true,
    status: 'healthy',
    config: {
      storageType,
      embeddingProvider: health.embedder.provider,
      embeddingModel: health.embedder.model,
      namespace: health.namespace,
    },
    stats: health,
    uptime: durationText(health.uptimeMs),
  };
}

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const;

/** Such as `2d 3h 4m 5s`; `0s` below one second. */
export function durationText(ms: number): string {
  let left = Math.max(0, ms);
  const parts = UNITS.map(([unit, size]) => {
    const whole = Math.floor(left / size);
    left -= whole * size;
    return whole > 0 ? `${whole}${unit}` : '';
  });
  return parts.filter((part) => part !== '').join(' ') || '0s';
}

export const health = {
  health: {
    route: 'GET /api/health',
    id: 'health',
    summary: 'Get the health of the store and its model',
    description: '`key` shows the access of the key of this request.',
    answer: 'Always `healthy`; problems are in `degraded`.',
    request: NoRequest,
    result: z.custom<Health>(),
    form: { schema: HealthForm, of: formOf },
    view: 'none',
    access: 'read',
    reaches: {
      hidden: true,
      shown: ({ lastCompaction: _ofAll, migration: _ofAllToo, relating: _ofAllAsWell, lastBackup: _backup, ...all }) => {
        const { path: _place, ...storage } = all.storage;
        return { ...all, storage };
      },
    },
  },
} as const satisfies Definitions<Pick<MemoryOperations, 'health'>>;
