/** The reference form of the HTTP API, as far as this page reads it. */
import type { EntryForm } from '../../../src/memory/entry-form.ts';
import type { ArchiveReason } from '../../../src/memory/vocabulary.ts';
import type { Priority, ScoredEntry, SearchMode } from '../../../src/memory/entry.ts';
import type { UpkeepRun } from '../../../src/memory/upkeep.ts';
import type { Explanation, MatchedTerm } from '../../../src/memory/operations/explanation.ts';
import type {
  EmbedderReport,
  NamespaceSummary as Namespace,
  NearEntry,
  SaveOutcome,
  Stats as AllStats,
} from '../../../src/memory/operations/operations.ts';

export type { Explanation, MatchedTerm, Priority, SearchMode, SaveOutcome };

/** Times are ISO 8601 on the wire. */
export interface NamespaceSummary extends Omit<Namespace, 'newest'> {
  readonly newest: string;
}

/** A backup, a compaction, an optimization or a migration. */
export interface Run extends Omit<UpkeepRun, 'at'> {
  readonly at: string;
}

export interface Stats extends Omit<AllStats, 'namespaces' | 'runs' | 'lastCompaction'> {
  readonly namespaces: readonly NamespaceSummary[];
  /** Absent where the figures are of one namespace. */
  readonly runs?: readonly Run[];
}

export interface Memory extends Omit<EntryForm, 'metadata'> {
  readonly metadata: Omit<EntryForm['metadata'], 'contentHash'>;
}

/** A memory in a list: one that was searched for has scores, one that was only listed has none. */
export interface Hit
  extends Partial<Pick<ScoredEntry, 'score' | 'scores' | 'passage' | 'explanation'>>, Partial<Pick<NearEntry, 'differs' | 'repeats'>> {
  readonly entry: Memory;
  /** Only of one in the archive. */
  readonly archived?: { readonly at: string; readonly reason: ArchiveReason };
}

export interface SearchAnswer {
  readonly count: number;
  /** How many archived memories match, where the results are weak and any does. */
  readonly archivedMatches?: number;
  readonly results: readonly Hit[];
}

export interface ListAnswer {
  readonly count: number;
  readonly total: number;
  readonly offset: number;
  readonly entries: readonly Memory[];
}

export interface SaveAnswer {
  readonly ids: readonly string[];
  readonly message: string;
  readonly outcomes: readonly SaveOutcome[];
}

export interface NamespacesAnswer {
  readonly namespaces: readonly NamespaceSummary[];
}

export interface HealthAnswer {
  readonly status: string;
  readonly version: string;
  readonly config: {
    readonly storageType: string;
    readonly embeddingProvider: string;
    readonly embeddingModel: string;
    readonly namespace: string;
  };
  readonly stats: {
    readonly entriesInNamespace: number;
    readonly globalEntries: number;
    readonly totalEntries: number;
    /** 0..1 */
    readonly averageImportance: number;
    readonly autoCapture: boolean;
  };
  readonly uptimeMs: number;
  /** `idle`, or what is running. */
  readonly maintenance: string;
  /** Absent where no migration is under way. */
  readonly migration?: { readonly done: number; readonly total: number; readonly target: string };
  readonly lastCompaction?: { readonly at: string; readonly run: string; readonly archived: number; readonly purged: number };
  readonly lastBackup?: { readonly name: string; readonly createdAt: string };
  /** What is not as it should be, in plain words. */
  readonly degraded: readonly string[];
  /** Bytes of resident memory. */
  readonly rss: number;
  /** What the key that asked may do; `namespace` where it is bound to one. */
  readonly key: { readonly access: 'full' | 'read'; readonly namespace?: string };
  readonly embedder: EmbedderReport;
  readonly storage: { readonly type: string; readonly path: string; readonly bytes: number };
  /** Since the server started; latency in milliseconds over the last hour. */
  readonly requests: { readonly total: number; readonly lastHour: number; readonly averageLatency: number };
}
