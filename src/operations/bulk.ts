/** Queries and changes of many entries at once. */
import {
  Facets,
  FacetsRequest,
  TagReport,
  TagRequest,
  Timeline,
  TimelineRequest,
  ValuesPage,
  ValuesRequest,
  type BulkOperations,
} from '../memory/operations/bulk-operations.ts';
import { namespaceAudit, type Definitions } from './operation.ts';

export const bulk = {
  facets: {
    route: 'GET /api/facets',
    id: 'facets',
    summary: 'How many entries each namespace, tag, source, kind, priority and year has',
    description:
      'Takes the conditions of a list. A field that can hold one value only (source, kind, priority, year) is counted without its own condition, to show what another choice would find.',
    answer: 'The counts.',
    request: FacetsRequest,
    result: Facets,
    access: 'read',
    reaches: { namespace: true, beyond: ({ allNamespaces }) => allNamespaces },
    audited: 'read',
    notes: namespaceAudit,
  },
  timeline: {
    route: 'GET /api/timeline',
    id: 'timeline',
    summary: 'Count entries by day of creation',
    answer: 'Days with entries, newest first.',
    request: TimelineRequest,
    result: Timeline,
    access: 'read',
    reaches: { namespace: true, beyond: ({ allNamespaces }) => allNamespaces },
    audited: 'read',
    notes: namespaceAudit,
  },
  values: {
    route: 'GET /api/values',
    id: 'values',
    summary: 'List every namespace, tag or name with its number of entries',
    answer: 'One page of the values.',
    request: ValuesRequest,
    result: ValuesPage,
    access: 'read',
    reaches: { namespace: true },
    audited: 'read',
    notes: namespaceAudit,
  },
  tag: {
    route: 'POST /api/tags',
    id: 'tag',
    summary: 'Tag many entries',
    description:
      'Select entries by `ids` or by at least one condition. The previous version of each entry is in its history. To undo the change, ' +
      'send the ids of the entries in `changed` that have the same `added` and `removed`, at most 1,000 at a time, with `added` as `remove` and `removed` as `add`.',
    answer: 'The entries that changed, or would change.',
    request: TagRequest,
    result: TagReport,
    access: 'write',
    reaches: { namespace: true },
    repeatable: true,
    unlimited: true,
    problems: ['404'],
    audited: 'write',
    notes: (request, report) => ({
      ...namespaceAudit(request),
      ids: [...(request.ids ?? []), ...(report?.changed.map(({ id }) => id) ?? [])],
      count: report?.changed.length,
    }),
  },
} as const satisfies Definitions<BulkOperations>;
