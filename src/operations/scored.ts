/** A result of a search. */
import { z } from 'zod';
import { ARCHIVE_REASONS, MAX_PAGED_RESULTS } from '../memory/entry.ts';
import { Explanation } from '../memory/operations/explanation.ts';
import { EntryResult } from './entry.ts';
import { Time } from './wire.ts';

const count = z.int().min(0);
const ratio = z.number().min(0).max(1);

const Passage = z
  .object({ text: z.string(), start: count, end: count })
  .meta({ id: 'Passage', description: 'A part of the content: `content.slice(start, end)`, in UTF-16 units.' });

/** Fields of a result besides entry and score. */
export const resultFields = {
  archived: z
    .object({ at: Time, reason: z.enum(ARCHIVE_REASONS) })
    .exactOptional()
    .meta({
      description: 'Only for an archived entry (`includeArchived`): when and why it was archived. `POST /api/restore` restores it.',
    }),
  passage: Passage.exactOptional().meta({ description: 'The best matching passage of a long text; absent for a short text.' }),
  explanation: Explanation.exactOptional().meta({ description: 'The parts of the rank; only with `explain`.' }),
};

/** Fields of a response besides the results. */
export const foundFields = {
  archivedMatches: z.int().min(1).max(100).exactOptional().meta({
    description: 'How many archived entries match well, at most 100; only if no result scores 0.3 or more. `includeArchived` finds them.',
  }),
};

/** Counts of a search with `offset`. */
export const pageFields = {
  total: z.int().min(0).max(MAX_PAGED_RESULTS).exactOptional().meta({
    description: 'How many results all pages hold, at most 1,000; only where `offset` was given.',
  }),
  matches: z.int().min(0).exactOptional().meta({
    description:
      'How many entries hold a word of the query, in any form; may be more than `total`. Only where `offset` was given, and not in a search by vectors alone.',
  }),
};

/** A result with its score, in the reference form. */
export const ScoredResult = z
  .object({
    entry: EntryResult,
    score: ratio,
    scores: z
      .object({ vector: ratio.exactOptional(), keyword: ratio.exactOptional() })
      .meta({ description: 'The scores of the vector and the keyword search.' }),
    ...resultFields,
    collapsed: z
      .array(z.uuid())
      .readonly()
      .exactOptional()
      .meta({ description: 'Near-identical entries that `collapse` folded into this one, best first.' }),
  })
  .meta({ id: 'ScoredResult' });
