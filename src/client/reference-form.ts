/** Reads the reference form of the server's answers back into the types of the product. */
import { statusOf } from '../memory/health-status.ts';
import type { CompactionSummary } from '../memory/lifecycle.ts';
import type { EmbedderReport, Health } from '../memory/operations/operations.ts';

interface CompactionAnswer {
  readonly lastCompaction?: (Omit<CompactionSummary, 'at'> & { readonly at: string }) | undefined;
}

function lastCompactionFrom({ lastCompaction }: CompactionAnswer): { lastCompaction?: CompactionSummary } {
  return lastCompaction === undefined ? {} : { lastCompaction: { ...lastCompaction, at: Date.parse(lastCompaction.at) } };
}

export interface HealthAnswer extends CompactionAnswer {
  readonly status: 'healthy';
  readonly version: string;
  readonly config: { readonly namespace: string };
  readonly stats: Pick<Health, 'entriesInNamespace' | 'globalEntries' | 'autoCapture' | 'totalEntries' | 'averageImportance'>;
  readonly uptimeMs: number;
  readonly maintenance: string;
  readonly migration?: Health['migration'];
  readonly relating?: number;
  readonly degraded: readonly string[];
  readonly rss: number;
  readonly embedder: EmbedderReport;
  readonly storage: Health['storage'];
  readonly lastBackup?: { readonly name: string; readonly createdAt: string };
}

export function healthFrom(answer: HealthAnswer): Health {
  const { version, uptimeMs, maintenance, migration, relating, degraded, rss, embedder, storage, stats, lastBackup } = answer;
  const compaction = lastCompactionFrom(answer);
  const backup = lastBackup && { lastBackup: { ...lastBackup, createdAt: Date.parse(lastBackup.createdAt) } };
  return {
    status: statusOf(degraded),
    version,
    uptimeMs,
    maintenance,
    ...(migration !== undefined && { migration }),
    ...(relating !== undefined && { relating }),
    degraded,
    rss,
    namespace: answer.config.namespace,
    ...stats,
    storage,
    embedder,
    ...backup,
    ...compaction,
  };
}
