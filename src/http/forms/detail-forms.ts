/** Neighbours and passages of an entry in both response forms: these differ in how they write results. */
import { z } from 'zod';
import type { EntryPassage, NearEntries, NearResult, SimilarEntries } from '../../memory/operations/detail-operations.ts';
import type { ScoredEntry } from '../../memory/entry.ts';
import { nearMarks } from './shared-schemas.ts';

export const DETAIL_ANSWERS = ['similar', 'near', 'passages'] as const;

const count = z.int().min(0);

const EntryPassageSchema = z
  .object({
    start: count,
    end: count,
    chars: count,
    preview: z.string().meta({ description: 'Its beginning, one line.' }),
  })
  .meta({ id: 'EntryPassage', description: 'A stretch of the content: `content.slice(start, end)`, in UTF-16 units.' });

/** Of a form in which results look like this. */
export function detailSchemas<S extends z.ZodRawShape>(result: z.ZodObject<S>, nearName: 'NearResult' | 'GuideNearResult') {
  return {
    similar: z.object({
      count,
      vector: z.enum(['stored', 'pending']).meta({ description: '`pending`: the entry has no vector yet, so nothing was compared.' }),
      results: z.array(result).meta({ description: 'Nearest first, without the entry itself.' }),
    }),
    near: z.object({
      count,
      threshold: z.number().min(0).max(1).meta({ description: '`memory.deduplicationThreshold`: results are at least so much alike.' }),
      results: z
        .array(result.extend(nearMarks).meta({ id: nearName }))
        .meta({ description: 'Most alike first; the score is the similarity of the words, 0 to 1.' }),
    }),
    passages: z.object({ count, passages: z.array(EntryPassageSchema).meta({ description: 'In the order of the text.' }) }),
  };
}

/** What a form makes of the results, by its way to write them. */
export function detailForms<R>(resultForm: (result: ScoredEntry) => R) {
  const nearForm = ({ differs, repeats, ...result }: NearResult) => ({
    ...resultForm(result),
    ...(differs && { differs }),
    ...(repeats && { repeats }),
  });
  return {
    similar: ({ vector, results }: SimilarEntries) => ({ count: results.length, vector, results: results.map(resultForm) }),
    near: ({ threshold, results }: NearEntries) => ({ count: results.length, threshold, results: results.map(nearForm) }),
    passages: (passages: readonly EntryPassage[]) => ({ count: passages.length, passages: [...passages] }),
  };
}
