/** A search page by page. */
import { z } from 'zod';
import { MAX_FOUND } from '../entry.ts';

export const ResultsOffset = z
  .int()
  .min(0)
  .optional()
  .meta({
    description: `Results to leave out at the beginning, for the next page; 0 for the first. The pages hold ${MAX_FOUND.toLocaleString('en')} results at most. Costs a deeper search.`,
  });

/** Only where an offset was given. */
export interface PageCounts {
  /** How many results all pages hold, at most `MAX_FOUND`. */
  readonly total?: number;
  /** How many of these hold a word of the query in any form. Not of a search by vectors alone. */
  readonly matches?: number;
}
