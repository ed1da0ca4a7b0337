/** How entries are found. */
import { z } from 'zod';
import { SEARCH_MODES } from '../memory/entry.ts';
import { ExplainRequest, type MemoryOperations } from '../memory/operations/operations.ts';
import { ofNamespace, type Definitions } from './operation.ts';
import { ExplanationResult } from './scored.ts';

const ratio = z.number().min(0).max(1);

export const finding = {
  explain: {
    route: 'POST /api/explain',
    id: 'explain',
    summary: 'Why an entry is or is not found by a query',
    description: 'Takes the fields of the search that is asked about, and the id of one entry.',
    answer: 'Whether it is returned, its place, and what counted for it.',
    request: ExplainRequest,
    result: z.object({
      id: z.uuid(),
      score: ratio.exactOptional(),
      query: z.string(),
      mode: z.enum(SEARCH_MODES),
      returned: z.boolean().meta({ description: 'Whether a search with this limit returns it.' }),
      rank: z.int().min(1).exactOptional().meta({ description: 'Its place among everything that matches; absent where it does not.' }),
      reason: z.string().meta({ description: 'One sentence in plain words.' }),
      filters: z.array(z.object({ filter: z.string(), passed: z.boolean() })).readonly(),
      explanation: ExplanationResult.exactOptional().meta({ description: 'What counted for it; also where it was not returned.' }),
    }),
    access: 'read',
    reaches: { namespace: true, entries: ({ id }) => [id] },
    problems: ['404'],
    audited: 'read',
    notes: (request, report) => ({ ...ofNamespace(request), ids: [request.id], count: report && 1 }),
  },
} as const satisfies Definitions<Pick<MemoryOperations, 'explain'>>;
