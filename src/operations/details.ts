/** Neighbours and passages of an entry. */
import { z } from 'zod';
import { EntryPassage, NearRequest, SimilarRequest, type DetailOperations } from '../memory/operations/detail-operations.ts';
import { nearMarks } from '../memory/operations/entry-operations.ts';
import type { ScoredEntry } from '../memory/entry.ts';
import { NoRequest, namespaceAudit, type Definitions, type AuditFields } from './operation.ts';
import { ScoredResult } from './scored.ts';

const noted = (
  request: { namespace?: string | undefined },
  found: { readonly results: readonly ScoredEntry[] } | undefined,
): AuditFields => ({
  ...namespaceAudit(request),
  ids: found?.results.map(({ entry }) => entry.id) ?? [],
  count: found?.results.length,
});

export const details = {
  similar: {
    route: 'GET /api/:id/similar',
    id: 'similar',
    summary: 'Find entries similar to an entry',
    description: 'Compares the stored vector; for a long text, the vector of its first passage. Superseded entries are left out.',
    answer: 'Nearest first.',
    request: SimilarRequest,
    result: z.object({
      vector: z.enum(['stored', 'pending']).meta({ description: '`pending`: the entry has no vector yet, so nothing was compared.' }),
      results: z.array(ScoredResult).meta({ description: 'Nearest first, without the entry itself.' }),
    }),
    counts: 'results',
    access: 'read',
    reaches: { namespace: true, beyond: ({ allNamespaces }) => allNamespaces },
    problems: ['404'],
    audited: 'read',
    notes: noted,
  },
  near: {
    route: 'POST /api/near',
    id: 'near',
    summary: 'Find near duplicates of a text',
    description:
      'Returns the entries that a receipt would list if the text were saved in this namespace. Compares words; embeds and stores nothing.',
    answer: 'Most similar first.',
    request: NearRequest,
    result: z.object({
      threshold: z.number().min(0).max(1).meta({ description: '`memory.deduplicationThreshold`: the minimum similarity of a result.' }),
      results: z
        .array(ScoredResult.extend(nearMarks).meta({ id: 'NearResult' }))
        .meta({ description: 'Most similar first; the score is the similarity of the words, 0 to 1.' }),
    }),
    counts: 'results',
    access: 'read',
    reaches: { namespace: true, beyond: ({ global }) => global },
    audited: 'read',
    notes: noted,
  },
  passages: {
    route: 'GET /api/:id/passages',
    id: 'passages',
    summary: 'Get the passages of an entry',
    answer: 'In the order of the text.',
    request: NoRequest,
    result: z.array(EntryPassage).readonly().meta({ description: 'In the order of the text.' }),
    as: 'passages',
    counts: 'passages',
    access: 'read',
    reaches: {},
    problems: ['404'],
    audited: 'read',
  },
} as const satisfies Definitions<DetailOperations>;
