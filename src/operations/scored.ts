/** A result of a search. */
import { z } from 'zod';
import { ARCHIVE_REASONS, MAX_FOUND } from '../memory/entry.ts';
import { MATCH_KINDS } from '../memory/operations/explanation.ts';
import { EntryResult } from './entry.ts';
import { Time } from './wire.ts';

const count = z.int().min(0);
const ratio = z.number().min(0).max(1);

const Passage = z
  .object({ text: z.string(), start: count, end: count })
  .meta({ id: 'Passage', description: 'A part of the content: `content.slice(start, end)`, in UTF-16 units.' });

const Term = z
  .object({
    term: z.string().meta({ description: 'The word of the query, folded and stemmed.' }),
    matched: z.string().meta({ description: 'The matching word of the entry.' }),
    kind: z.enum(MATCH_KINDS),
    count: count.meta({ description: 'How often the entry contains it.' }),
    idf: z.number().meta({ description: 'Inverse document frequency: how rare the word is in this store.' }),
    bm25: z.number().meta({ description: 'Its part of `keyword.bm25`.' }),
  })
  .meta({ id: 'MatchedTerm' });

export const ExplanationResult = z
  .object({
    rankValue: z.number().meta({ description: 'The value that orders the results; comparable only within one search.' }),
    parts: z.record(z.string(), z.number()).meta({ description: 'The parts that add up to `rankValue`.' }),
    vector: z.object({ cosine: z.number() }).exactOptional(),
    keyword: z
      .object({
        bm25: z.number(),
        coverage: ratio.meta({ description: 'Share of the weight of the query that the entry contains.' }),
        terms: z.array(Term).readonly(),
        missing: z.array(z.string()).readonly().meta({ description: 'Words of the query that the entry does not contain in any form.' }),
      })
      .exactOptional(),
    filters: z.array(z.string()).readonly().meta({ description: 'The filters of the search, in words.' }),
  })
  .meta({ id: 'Explanation' });

/** Fields of a result besides entry and score. */
export const resultFields = {
  archived: z
    .object({ at: Time, reason: z.enum(ARCHIVE_REASONS) })
    .exactOptional()
    .meta({
      description: 'Only for an archived entry (`includeArchived`): when and why it was archived. `POST /api/restore` restores it.',
    }),
  passage: Passage.exactOptional().meta({ description: 'The best matching passage of a long text; absent for a short text.' }),
  explanation: ExplanationResult.exactOptional().meta({ description: 'The parts of the rank; only with `explain`.' }),
};

/** Fields of a response besides the results. */
export const foundFields = {
  archivedMatches: z.int().min(1).max(100).exactOptional().meta({
    description: 'How many archived entries match well, at most 100; only if no result scores 0.3 or more. `includeArchived` finds them.',
  }),
};

/** Counts of a search with `offset`. */
export const pageFields = {
  total: z.int().min(0).max(MAX_FOUND).exactOptional().meta({
    description: 'How many results all pages hold, at most 1,000; only where `offset` was given.',
  }),
  matches: z.int().min(0).max(MAX_FOUND).exactOptional().meta({
    description:
      'How many of these hold a word of the query, in any form; at 1,000 there may be more. Only where `offset` was given, and not in a search by vectors alone.',
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

/** Fields of an entry near to a text. */
export const nearMarks = {
  differs: z
    .array(z.object({ here: z.string(), there: z.string() }))
    .readonly()
    .exactOptional()
    .meta({
      description:
        'The entry gives another value for the same subject: the value in the text and the value in the entry. One may be empty.',
    }),
  repeats: z.array(z.string()).readonly().exactOptional().meta({ description: 'Sentences of the text that the entry already contains.' }),
};
