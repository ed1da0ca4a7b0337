/** What is worth knowing about one entry besides itself: its neighbours, and the passages that it is found by. */
import { z } from 'zod';
import { Content, MAX_RESULTS, Namespace, type ScoredEntry } from '../entry.ts';
import type { CallOptions, NearEntry } from './operations.ts';

export const SimilarRequest = z
  .strictObject({
    namespace: Namespace.optional().meta({ description: 'Only this namespace. Default: the namespace of the entry and the global one.' }),
    allNamespaces: z.boolean().optional().meta({ description: 'Every namespace. Default false.' }),
    limit: z.int().min(1).max(MAX_RESULTS).optional().meta({ description: 'Default 5.' }),
  })
  .meta({ id: 'SimilarRequest' });
export type SimilarRequest = z.output<typeof SimilarRequest>;

export interface SimilarEntries {
  /** `pending`: the entry has no vector yet, so nothing could be compared. */
  readonly vector: 'stored' | 'pending';
  /** Nearest first, without the entry itself and without what a newer entry takes the place of. Scores are those of a search by vector. */
  readonly results: readonly ScoredEntry[];
}

export const NearRequest = z
  .strictObject({
    content: Content,
    namespace: Namespace.optional(),
    global: z.boolean().optional().meta({ description: 'Compare with the global namespace.' }),
  })
  .meta({ id: 'NearRequest' });
export type NearRequest = z.output<typeof NearRequest>;

/** See `NearEntry`. */
export type NearResult = ScoredEntry & Pick<NearEntry, 'differs' | 'repeats'>;

export interface NearEntries {
  /** `memory.deduplicationThreshold`: results are at least so much alike. */
  readonly threshold: number;
  /** Most alike first. Scores are similarities of the words, 0..1; see `Likeness`. */
  readonly results: readonly NearResult[];
}

/** A stretch of a text that has a vector of its own: `content.slice(start, end)`, in UTF-16 units. */
export interface EntryPassage {
  readonly start: number;
  readonly end: number;
  readonly chars: number;
  /** Its beginning, one line. */
  readonly preview: string;
}

/** All methods reject with LoreError; an unknown id is `not_found`. */
export interface DetailOperations {
  /** The entries nearest to one by its stored vector, of a long text that of its first passage; nothing is embedded. */
  similar(id: string, request: SimilarRequest, options?: CallOptions): Promise<SimilarEntries>;
  /**
   * The entries of one namespace that say nearly the same as a text, or something else of the same subject, at most five: those that a
   * receipt would name if it were saved. Words decide: nothing is embedded. Stores nothing, and counts as no recall.
   */
  near(request: NearRequest, options?: CallOptions): Promise<NearEntries>;
  /** In the order of the text; at least one. */
  passages(id: string, options?: CallOptions): Promise<readonly EntryPassage[]>;
}
