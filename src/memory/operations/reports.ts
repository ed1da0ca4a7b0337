/** Reports on Lore and its store. */
import type { JobReport } from '../jobs.ts';
import type { CompactionSummary } from '../lifecycle.ts';
import type { UpkeepRun } from '../upkeep.ts';

export interface NamespaceSummary {
  readonly namespace: string;
  readonly entries: number;
  readonly containers: readonly string[];
  /** Epoch milliseconds of the newest entry. */
  readonly newest: number;
}

export interface EmbedderReport {
  /** The active provider. */
  readonly provider: string;
  readonly model: string;
  readonly dimensions: number;
  readonly state: 'ready' | 'idle' | 'loading' | 'downloading' | 'failed';
  /** Download or load progress of the configured model, 0..1, while it runs. */
  readonly progress?: number;
  /** The configured provider, if the active one is its fallback. */
  readonly standsInFor?: string;
  /** Fingerprint of the model that becomes active once every entry has its vectors; absent if none is pending. */
  readonly next?: string;
}

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
  /** `path` is absent for a key that is bound to a namespace. */
  readonly storage: { readonly type: string; readonly path?: string; readonly bytes: number };
  readonly embedder: EmbedderReport;
  readonly autoCapture: boolean;
  /** The last compaction of all namespaces; absent before the first. */
  readonly lastCompaction?: CompactionSummary;
  /** The newest complete backup; `createdAt` is epoch milliseconds. Absent if there is none. */
  readonly lastBackup?: { readonly name: string; readonly createdAt: number };
}

/** Figures of the table of entries. */
export interface StorageFigures {
  readonly bytes: number;
  readonly fragments: number;
  readonly indexedRows: number;
  readonly unindexedRows: number;
  readonly tableVersion: number;
}

/** Statistics of the whole store or of one namespace. For a namespace, figures known only for the whole store are absent. */
export interface Stats {
  readonly total: number;
  readonly namespaces: readonly NamespaceSummary[];
  readonly byPriority: Readonly<Record<string, number>>;
  readonly bySource: Readonly<Record<string, number>>;
  /** Number of distinct tags. */
  readonly tags: number;
  /** The 50 most frequent tags, most frequent first. */
  readonly topTags: readonly { readonly tag: string; readonly entries: number }[];
  /** Entries created per UTC day in the last 30 days, oldest first, without gaps. */
  readonly perDay: readonly { readonly day: string; readonly entries: number }[];
  readonly vectors: readonly { readonly embedder: string; readonly entries: number }[];
  /** Entries without a vector of any model: found by keyword only. */
  readonly pendingVectors: number;
  readonly storage?: StorageFigures;
  /**
   * The latest ten backups, compactions, optimizations and migrations each, latest first: those since the start, and earlier ones as far as
   * the store recorded them.
   */
  readonly runs?: readonly UpkeepRun[];
  /** Background jobs of the process that has the store open. */
  readonly jobs?: readonly JobReport[];
  readonly embedder: EmbedderReport;
  /** Whether events of hooks are captured. */
  readonly autoCapture: boolean;
  /** The last compaction of all namespaces; absent before the first. */
  readonly lastCompaction?: CompactionSummary;
}

export interface MigrationReport {
  readonly dryRun: boolean;
  readonly status: 'nothing to do' | 'planned' | 'running' | 'done';
  readonly target: string;
  /** Number of entries examined. */
  readonly total: number;
  /** Entries whose vector is missing or of another model (before this run). */
  readonly stale: number;
  readonly migrated: number;
  readonly from: readonly { readonly embedder: string; readonly entries: number }[];
}
