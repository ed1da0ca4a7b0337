/** Search operations. */
import { z } from 'zod';
import { SEARCH_MODES } from '../memory/entry.ts';
import {
  ExplainReport,
  ExplainRequest,
  ListRequest,
  RecallRequest,
  SearchFilter,
  SearchRequest,
  type MemoryOperations,
  type SearchResults,
} from '../memory/operations/operations.ts';
import { EntryResult } from './entry.ts';
import { namespaceAudit, type Definitions, type AuditFields } from './operation.ts';
import { foundFields, pageFields, ScoredResult } from './scored.ts';

const count = z.int().min(0);

const Found = z.object({ mode: z.enum(SEARCH_MODES), results: z.array(ScoredResult), ...foundFields, query: z.string() });

const noted = (request: { readonly namespace?: string | undefined }, found: SearchResults | undefined): AuditFields => ({
  ...namespaceAudit(request),
  ids: found?.results.map(({ entry }) => entry.id) ?? [],
  count: found?.results.length,
});

export const finding = {
  recall: {
    route: 'POST /api/recall',
    id: 'recall',
    summary: 'Find entries by a query, in one namespace',
    answer: 'Best first.',
    request: RecallRequest,
    result: Found,
    echoes: ['query'],
    counts: 'results',
    access: 'read',
    reaches: { namespace: true, beyond: ({ includeGlobal }) => includeGlobal },
    audited: 'read',
    notes: noted,
  },
  search: {
    route: 'POST /api/search',
    id: 'search',
    summary: 'Find entries by a query, in all namespaces',
    description:
      'The filter of a recall or a search takes `tags`, `priority`, `source`, `kind` (`memory`, `file`), `importance` (`min`, `max`), `createdAfter` and `createdBefore`.',
    answer: 'Best first.',
    request: SearchRequest,
    result: Found.extend({ ...pageFields, filter: SearchFilter.exactOptional() }),
    echoes: ['query', 'filter'],
    counts: 'results',
    access: 'read',
    reaches: { namespace: true },
    audited: 'read',
    notes: noted,
  },
  list: {
    route: 'GET /api/list',
    id: 'list',
    summary: 'List entries, page by page',
    answer: 'One page.',
    request: ListRequest,
    result: z.object({ total: count, offset: count, limit: count, entries: z.array(EntryResult) }),
    counts: 'entries',
    access: 'read',
    reaches: { namespace: true, beyond: ({ allNamespaces }) => allNamespaces },
    audited: 'read',
    notes: (request, page) => ({
      ...namespaceAudit(request),
      ids: page?.entries.map(({ id }) => id) ?? [],
      count: page?.entries.length,
    }),
  },
  explain: {
    route: 'POST /api/explain',
    id: 'explain',
    summary: 'Explain why a query finds an entry or not',
    description: 'Takes the fields of the search and the id of one entry.',
    answer: 'Whether the search returns the entry, its rank, and the reasons.',
    request: ExplainRequest,
    result: ExplainReport,
    access: 'read',
    reaches: { namespace: true, entries: ({ id }) => [id] },
    problems: ['404'],
    audited: 'read',
    notes: (request, report) => ({ ...namespaceAudit(request), ids: [request.id], count: report && 1 }),
  },
} as const satisfies Definitions<Pick<MemoryOperations, 'recall' | 'search' | 'list' | 'explain'>>;
