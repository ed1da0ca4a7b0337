/** Pagination of search results. */
import { z } from 'zod';
import { MAX_PAGED_RESULTS } from '../entry.ts';

export const ResultsOffset = z
  .int()
  .min(0)
  .optional()
  .meta({
    description: `Results to leave out at the beginning, for the next page; 0 for the first. The pages hold ${MAX_PAGED_RESULTS.toLocaleString('en')} results at most. Costs a deeper search.`,
  });

/** Present only if an offset was given. */
export interface PageCounts {
  /** Number of results over all pages, at most `MAX_PAGED_RESULTS`. */
  readonly total?: number;
  /** Number of entries that contain a query word in any form, whatever their score; may be above `total`. Absent for vector-only search. */
  readonly matches?: number;
}
