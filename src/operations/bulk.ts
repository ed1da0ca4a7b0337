/** Queries and changes of many entries at once. */
import { z } from 'zod';
import {
  FACETS,
  FacetsRequest,
  TagRequest,
  TimelineRequest,
  ValuesRequest,
  type BulkOperations,
} from '../memory/operations/bulk-operations.ts';
import { ofNamespace, type Definitions } from './operation.ts';

const count = z.int().min(0);

const Values = z.array(z.object({ value: z.string(), entries: count })).readonly();
const FacetResult = Values.meta({ id: 'Facet', description: 'The 50 most frequent values, most entries first; years newest first.' });

/** The result for many entries; `what` is the verb. */
export const changesOf = (
  what: string,
): z.ZodObject<{
  dryRun: z.ZodBoolean;
  matches: z.ZodInt;
  changed: z.ZodArray<z.ZodObject<{ id: z.ZodUUID; added: z.ZodArray<z.ZodString>; removed: z.ZodArray<z.ZodString> }>>;
  left: z.ZodInt;
}> =>
  z.object({
    dryRun: z.boolean(),
    matches: count.meta({ description: 'Entries meant.' }),
    changed: z
      .array(z.object({ id: z.uuid(), added: z.array(z.string()), removed: z.array(z.string()) }))
      .meta({ description: `Entries whose ${what} changed, or would change; newest first.` }),
    left: count.meta({
      description: `Unchanged entries: they were changed or deleted in the meantime, or would have more than 64 ${what}.`,
    }),
  });

export const bulk = {
  facets: {
    route: 'GET /api/facets',
    id: 'facets',
    summary: 'How many entries each namespace, tag, source, kind, priority and year has',
    description:
      'Takes the conditions of a list. A field that can hold one value only (source, kind, priority, year) is counted without its own condition, to show what another choice would find.',
    answer: 'The counts.',
    request: FacetsRequest,
    result: z.object({
      total: count.meta({ description: 'Entries that meet all conditions.' }),
      ...(Object.fromEntries(FACETS.map((facet) => [facet, FacetResult])) as Record<(typeof FACETS)[number], typeof FacetResult>),
    }),
    access: 'read',
    reaches: { namespace: true, beyond: ({ allNamespaces }) => allNamespaces },
    audited: 'read',
    notes: ofNamespace,
  },
  timeline: {
    route: 'GET /api/timeline',
    id: 'timeline',
    summary: 'Count entries by day of creation',
    answer: 'Days with entries, newest first.',
    request: TimelineRequest,
    result: z.object({
      timeZone: z.string(),
      total: count,
      days: z
        .array(z.object({ day: z.iso.date(), entries: count }))
        .readonly()
        .meta({ description: 'Newest first; days without entries are left out.' }),
    }),
    access: 'read',
    reaches: { namespace: true, beyond: ({ allNamespaces }) => allNamespaces },
    audited: 'read',
    notes: ofNamespace,
  },
  values: {
    route: 'GET /api/values',
    id: 'values',
    summary: 'List every namespace, tag or name with its number of entries',
    answer: 'One page of the values.',
    request: ValuesRequest,
    result: z.object({ values: Values, total: count.meta({ description: 'Values on all pages.' }), offset: count, limit: count }),
    access: 'read',
    reaches: { namespace: true },
    audited: 'read',
    notes: ofNamespace,
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
    result: changesOf('tags'),
    access: 'write',
    reaches: { namespace: true },
    repeatable: true,
    unlimited: true,
    problems: ['404'],
    audited: 'write',
    notes: (request, report) => ({
      ...ofNamespace(request),
      ids: [...(request.ids ?? []), ...(report?.changed.map(({ id }) => id) ?? [])],
      count: report?.changed.length,
    }),
  },
} as const satisfies Definitions<BulkOperations>;
