/** Details of one entry: its nearest neighbours and its passages. */
import { z } from 'zod';
import { Content, MAX_RESULTS, Namespace, type ScoredEntry } from '../entry.ts';
import type { Result } from '../result.ts';
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
  /** Nearest first, without the entry itself and superseded entries. Scores are those of a vector search. */
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

/** An entry near to a text, with what differs and what repeats. */
export type NearResult = ScoredEntry & Pick<NearEntry, 'differs' | 'repeats'>;

export interface NearEntries {
  /** Minimum similarity of the results: `memory.deduplicationThreshold`. */
  readonly threshold: number;
  /** Most similar first. Scores are word similarities, 0..1; see `Likeness`. */
  readonly results: readonly NearResult[];
}

const count = z.int().min(0);

export const EntryPassage = z
  .object({
    start: count,
    end: count,
    chars: count,
    preview: z.string().meta({ description: 'The beginning of the passage, one line.' }),
  })
  .meta({ id: 'EntryPassage', description: 'A part of the content: `content.slice(start, end)`, in UTF-16 units.' });
export type EntryPassage = Result<typeof EntryPassage>;

/** All methods reject with LoreError; an unknown id is `not_found`. */
export interface DetailOperations {
  /** The entries nearest to the stored vector of an entry; for a long text, to the vector of its first passage. Embeds nothing. */
  similar(id: string, request: SimilarRequest, options?: CallOptions): Promise<SimilarEntries>;
  /**
   * At most five entries of one namespace that nearly repeat a text or give another value for the same subject, as the receipt of a save
   * would list them. Compares words; embeds and stores nothing, and does not count as a recall.
   */
  near(request: NearRequest, options?: CallOptions): Promise<NearEntries>;
  /** The passages in text order; at least one. */
  passages(id: string, options?: CallOptions): Promise<readonly EntryPassage[]>;
}
