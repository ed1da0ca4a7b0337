/** The parts of the HTTP API's reference representation that this page uses. */
import type { z } from 'zod';
import type { EntryForm } from '../../../src/memory/entry-form.ts';
import type { ArchiveReason } from '../../../src/memory/vocabulary.ts';
import type { Priority, ScoredEntry, SearchMode } from '../../../src/memory/entry.ts';
import type { checks } from '../../../src/operations/checks.ts';
import type { health } from '../../../src/operations/health.ts';
import type { Explanation, MatchedTerm } from '../../../src/memory/operations/explanation.ts';
import type { NearEntry, SaveOutcome } from '../../../src/memory/operations/operations.ts';

export type { Explanation, MatchedTerm, Priority, SearchMode, SaveOutcome };

/** On the wire: times are ISO 8601. */
export type Stats = z.input<(typeof checks)['stats']['result']>;
export type NamespaceSummary = Stats['namespaces'][number];
/** A backup, a compaction, an optimization or a migration. */
export type Run = NonNullable<Stats['runs']>[number];
export type Job = NonNullable<Stats['jobs']>[number];

export interface Memory extends Omit<EntryForm, 'metadata'> {
  readonly metadata: Omit<EntryForm['metadata'], 'contentHash'>;
}

/** A memory in a list; only search results have scores. */
export interface Hit
  extends Partial<Pick<ScoredEntry, 'score' | 'scores' | 'passage' | 'explanation'>>, Partial<Pick<NearEntry, 'differs' | 'repeats'>> {
  readonly entry: Memory;
  /** Only in the archive. */
  readonly archived?: { readonly at: string; readonly reason: ArchiveReason };
}

export interface SearchResponse {
  /** Number of matching archived memories, if the results are weak. */
  readonly archivedMatches?: number;
  /** Only for a page: the total number of results, and how many contain a word of the query. */
  readonly total?: number;
  readonly matches?: number;
  readonly results: readonly Hit[];
}

export interface ListResponse {
  readonly total: number;
  readonly entries: readonly Memory[];
}

export interface SaveResponse {
  readonly ids: readonly string[];
  readonly outcomes: readonly SaveOutcome[];
}

export type HealthResponse = z.input<(typeof health)['health']['form']['schema']>;
