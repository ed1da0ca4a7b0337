/** Reports on Lore and its store. */
import { z } from 'zod';
import { JobReport } from '../jobs.ts';
import { CompactionSummary } from '../lifecycle.ts';
import type { Result } from '../result.ts';
import { Time } from '../timestamp.ts';
import { MaintenanceRun } from '../maintenance-runs.ts';

const count = z.int().min(0);
const ratio = z.number().min(0).max(1);

export const NamespaceSummary = z
  .object({ namespace: z.string(), entries: count, containers: z.array(z.string()).readonly(), newest: Time })
  .meta({ id: 'NamespaceSummary' });
export type NamespaceSummary = Result<typeof NamespaceSummary>;

export const EmbedderReport = z
  .object({
    provider: z.string(),
    model: z.string(),
    dimensions: z.int(),
    state: z.enum(['ready', 'idle', 'loading', 'downloading', 'failed']),
    progress: ratio.exactOptional().meta({ description: 'Progress of the download of the configured model.' }),
    standsInFor: z.string().exactOptional().meta({ description: 'The configured provider, if the builtin embedder replaces it for now.' }),
    next: z.string().exactOptional().meta({ description: 'The model that becomes active once every entry has its vectors.' }),
  })
  .meta({ id: 'Embedder' });
export type EmbedderReport = Result<typeof EmbedderReport>;

export interface MigrationProgress {
  readonly done: number;
  readonly total: number;
  readonly target: string;
}

export interface Health {
  /** `degraded` if `degraded` is not empty. The HTTP API always responds `healthy`, as its specification says. */
  readonly status: 'healthy' | 'degraded';
  readonly version: string;
  readonly uptimeMs: number;
  /** `idle`, or the running work (`optimizing`, `re-embedding 120 of 4,000` …). */
  readonly maintenance: string;
  /** Progress of the running migration and the fingerprint of its model; absent if none is running. */
  readonly migration?: MigrationProgress;
  /** Entries whose relations are found in the background; absent if none. */
  readonly relating?: number;
  /** Problems in plain words; empty if there are none. */
  readonly degraded: readonly string[];
  /** Resident memory of the process, bytes. */
  readonly rss: number;
  readonly namespace: string;
  readonly entriesInNamespace: number;
  readonly globalEntries: number;
  readonly totalEntries: number;
  /** Mean importance 0..1 over all entries; 0 if there are none. */
  readonly averageImportance: number;
  /** `path` is absent for a key that is bound to a namespace; `servers` for a store that only one process can open. */
  readonly storage: { readonly type: string; readonly path?: string; readonly bytes: number; readonly servers?: number };
  readonly embedder: EmbedderReport;
  readonly autoCapture: boolean;
  /** The last compaction of all namespaces; absent before the first. */
  readonly lastCompaction?: CompactionSummary;
  /** The newest complete backup; `createdAt` is epoch milliseconds. Absent if there is none. */
  readonly lastBackup?: { readonly name: string; readonly createdAt: number };
}

/** Figures of the table of entries. */
const StorageFigures = z.object({ bytes: count, fragments: count, indexedRows: count, unindexedRows: count, tableVersion: count });
export type StorageFigures = Result<typeof StorageFigures>;

/** Statistics of the whole store or of one namespace. */
export const Stats = z.object({
  total: count,
  namespaces: z.array(NamespaceSummary).readonly(),
  byPriority: z.record(z.string(), count),
  bySource: z.record(z.string(), count),
  tags: count.meta({ description: 'Number of different tags.' }),
  topTags: z.array(z.object({ tag: z.string(), entries: count })).readonly(),
  perDay: z.array(z.object({ day: z.string(), entries: count })).readonly(),
  vectors: z.array(z.object({ embedder: z.string(), entries: count })).readonly(),
  pendingVectors: count.meta({ description: 'Entries without a vector, found by keyword only.' }),
  storage: StorageFigures.exactOptional().meta({
    description: 'For the whole store; absent if the statistics are for one namespace.',
  }),
  runs: z.array(MaintenanceRun).readonly().exactOptional().meta({
    description:
      'The latest ten backups, compactions, optimizations and migrations each, latest first; absent if the statistics are for one namespace.',
  }),
  jobs: z
    .array(JobReport)
    .readonly()
    .exactOptional()
    .meta({ description: 'Background work of the process that has the store open. Only for the whole store.' }),
  embedder: EmbedderReport,
  autoCapture: z.boolean().meta({ description: 'Whether automatic capture is on.' }),
  lastCompaction: CompactionSummary.exactOptional(),
});
export type Stats = Result<typeof Stats>;

export const MigrationReport = z.object({
  dryRun: z.boolean(),
  status: z.enum(['nothing to do', 'planned', 'running', 'done']),
  target: z.string(),
  total: count,
  stale: count.meta({ description: 'Entries with a missing vector or a vector of another model.' }),
  migrated: count,
  from: z.array(z.object({ embedder: z.string(), entries: count })).readonly(),
});
export type MigrationReport = Result<typeof MigrationReport>;
