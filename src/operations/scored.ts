/** A result of a search. */
import { z } from 'zod';
import { ARCHIVE_REASONS } from '../memory/entry.ts';
import { MATCH_KINDS } from '../memory/operations/explanation.ts';
import { EntryResult } from './entry.ts';
import { Time } from './wire.ts';

const count = z.int().min(0);
const ratio = z.number().min(0).max(1);

const Passage = z
  .object({ text: z.string(), start: count, end: count })
  .meta({ id: 'Passage', description: 'A stretch of the content: `content.slice(start, end)`, in UTF-16 units.' });

const Term = z
  .object({
    term: z.string().meta({ description: 'The word of the query, folded and stemmed.' }),
    matched: z.string().meta({ description: 'The word of the entry that counted for it.' }),
    kind: z.enum(MATCH_KINDS),
    count: count.meta({ description: 'How often it stands in the entry.' }),
    idf: z.number().meta({ description: 'How telling the word is in this store.' }),
    bm25: z.number().meta({ description: 'Its part of `keyword.bm25`.' }),
  })
  .meta({ id: 'MatchedTerm' });

export const ExplanationResult = z
  .object({
    rankValue: z.number().meta({ description: 'What results are ordered by; comparable within one search only.' }),
    parts: z.record(z.string(), z.number()).meta({ description: 'What adds up to `rankValue`.' }),
    vector: z.object({ cosine: z.number() }).exactOptional(),
    keyword: z
      .object({
        bm25: z.number(),
        coverage: ratio.meta({ description: "Share of the query's weight that the entry holds." }),
        terms: z.array(Term).readonly(),
        missing: z.array(z.string()).readonly().meta({ description: 'Words of the query that the entry does not hold in any form.' }),
      })
      .exactOptional(),
    filters: z.array(z.string()).readonly().meta({ description: 'The filters that were in force, in plain words.' }),
  })
  .meta({ id: 'Explanation' });

/** What is said of a result besides its entry and score. */
export const resultFields = {
  archived: z
    .object({ at: Time, reason: z.enum(ARCHIVE_REASONS) })
    .exactOptional()
    .meta({
      description:
        'Only of an archived entry, which `includeArchived` asked for: when and why it went. `POST /api/restore` brings it back.',
    }),
  passage: Passage.exactOptional().meta({ description: 'The passage of a long text that answers best; absent for short text.' }),
  explanation: ExplanationResult.exactOptional().meta({ description: 'What counted; only where `explain` asked for it.' }),
};

/** What is said beside the results. */
export const foundFields = {
  archivedMatches: z.int().min(1).max(100).exactOptional().meta({
    description:
      'How many archived entries match well, at most 100; only where no result scores 0.3 or more. `includeArchived` finds them.',
  }),
};

/** In the reference form. */
export const ScoredResult = z
  .object({
    entry: EntryResult,
    score: ratio,
    scores: z
      .object({ vector: ratio.exactOptional(), keyword: ratio.exactOptional() })
      .meta({ description: 'What each leg of the search gave.' }),
    ...resultFields,
    collapsed: z
      .array(z.uuid())
      .readonly()
      .exactOptional()
      .meta({ description: 'Near-identical entries that `collapse` folded into this one, best first.' }),
  })
  .meta({ id: 'ScoredResult' });

/** What is said of an entry near to a text. */
export const nearMarks = {
  differs: z
    .array(z.object({ here: z.string(), there: z.string() }))
    .readonly()
    .exactOptional()
    .meta({
      description: 'The entry says something else of the same subject: what the text says, and what the entry says. One may be empty.',
    }),
  repeats: z.array(z.string()).readonly().exactOptional().meta({ description: 'Sentences of the text that stand in the entry already.' }),
};
