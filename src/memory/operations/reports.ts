/** What Lore says about itself and its store. */
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
  /** What serves now. */
  readonly provider: string;
  readonly model: string;
  readonly dimensions: number;
  readonly state: 'ready' | 'idle' | 'loading' | 'downloading' | 'failed';
  /** Download or load progress of the configured model, 0..1, while it is under way. */
  readonly progress?: number;
  /** The configured provider, where another one stands in for it. */
  readonly standsInFor?: string;
  /** Fingerprint of the model that takes over once every entry has its vectors; absent where none is to. */
  readonly next?: string;
}

export interface MigrationProgress {
  readonly done: number;
  readonly total: number;
  readonly target: string;
}

export interface Health {
  /** `degraded` while `degraded` holds a reason. The HTTP API answers `healthy` in any case, as its specification says. */
  readonly status: 'healthy' | 'degraded';
  readonly version: string;
  readonly uptimeMs: number;
  /** `idle`, or what is running (`optimizing`, `re-embedding 120 of 4,000` …). */
  readonly maintenance: string;
  /** How many entries have new vectors, of how many, and the fingerprint of the model; absent where no migration is under way. */
  readonly migration?: MigrationProgress;
  /** Entries whose relations are found in the background; absent if none. */
  readonly relating?: number;
  /** What is not as it should be, in plain words; empty when all is well. */
  readonly degraded: readonly string[];
  /** Resident memory of the process, bytes. */
  readonly rss: number;
  readonly namespace: string;
  readonly entriesInNamespace: number;
  readonly globalEntries: number;
  readonly totalEntries: number;
  /** Mean importance 0..1 over all entries; 0 when there are none. */
  readonly averageImportance: number;
  /** `path` is absent for a key that is bound to a namespace. */
  readonly storage: { readonly type: string; readonly path?: string; readonly bytes: number };
  readonly embedder: EmbedderReport;
  readonly autoCapture: boolean;
  /** Of all namespaces; absent before the first. */
  readonly lastCompaction?: CompactionSummary;
  /** The newest that is whole; `createdAt` is epoch milliseconds. Absent where there is none. */
  readonly lastBackup?: { readonly name: string; readonly createdAt: number };
}

/** The table of a store. */
export interface StorageFigures {
  readonly bytes: number;
  readonly fragments: number;
  readonly indexedRows: number;
  readonly unindexedRows: number;
  readonly tableVersion: number;
}

/** Of the whole store, or of one namespace; then what is only known of the whole is absent. */
export interface Stats {
  readonly total: number;
  readonly namespaces: readonly NamespaceSummary[];
  readonly byPriority: Readonly<Record<string, number>>;
  readonly bySource: Readonly<Record<string, number>>;
  /** How many different tags there are. */
  readonly tags: number;
  /** The 50 most used, most used first. */
  readonly topTags: readonly { readonly tag: string; readonly entries: number }[];
  /** Entries created per UTC day of the last 30 days, oldest first; every day is present. */
  readonly perDay: readonly { readonly day: string; readonly entries: number }[];
  readonly vectors: readonly { readonly embedder: string; readonly entries: number }[];
  /** Entries that have no vector of any model yet: found by keyword only. */
  readonly pendingVectors: number;
  readonly storage?: StorageFigures;
  /** The latest ten backups, compactions, optimizations and migrations each, latest first; those since the start, and what the store keeps of earlier ones. */
  readonly runs?: readonly UpkeepRun[];
  /** Work in the background of the process that has the store open. */
  readonly jobs?: readonly JobReport[];
  readonly embedder: EmbedderReport;
  /** Whether what hooks tell of is captured. */
  readonly autoCapture: boolean;
  /** Of all namespaces; absent before the first. */
  readonly lastCompaction?: CompactionSummary;
}

export interface MigrationReport {
  readonly dryRun: boolean;
  readonly status: 'nothing to do' | 'planned' | 'running' | 'done';
  readonly target: string;
  /** Entries looked at. */
  readonly total: number;
  /** Entries whose vector is missing or of another model (before this run). */
  readonly stale: number;
  readonly migrated: number;
  readonly from: readonly { readonly embedder: string; readonly entries: number }[];
}
