import type { ListRequest, SearchFilter } from '../../../src/memory/operations/operations.ts';
import type { Filter } from '../address.ts';

/** Conditions of bulk requests, in addition to their other fields. */
interface EntryConditions extends SearchFilter {
  readonly namespace?: string;
  readonly container?: string;
}

function midnight(day: string, daysLater = 0): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + daysLater);
}

/** Both ends are exclusive: a millisecond before the first day and the midnight after the last. */
function period({ from, to }: Pick<Filter, 'from' | 'to'>): Pick<SearchFilter, 'createdAfter' | 'createdBefore'> {
  return {
    ...(from !== '' && { createdAfter: new Date(midnight(from).getTime() - 1).toISOString() }),
    ...(to !== '' && { createdBefore: midnight(to, 1).toISOString() }),
  };
}

function facts({ tags, priority, source, kind, min, max, from, to }: Filter): SearchFilter {
  const importance = { ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
  return {
    ...(tags.length > 0 && { tags: [...tags] }),
    ...(priority !== '' && { priority }),
    ...(source !== '' && { source }),
    ...(kind !== '' && { kind }),
    ...(Object.keys(importance).length > 0 && { importance }),
    ...period({ from, to }),
  };
}

const place = ({ ns, container }: Filter): Pick<EntryConditions, 'namespace' | 'container'> => ({
  ...(ns !== '' && { namespace: ns }),
  ...(container !== '' && { container }),
});

export function listRequest(filter: Filter): ListRequest {
  const { importance, ...others } = facts(filter);
  return {
    ...(filter.ns === '' && { allNamespaces: true }),
    ...place(filter),
    ...others,
    ...(importance?.min !== undefined && { minImportance: importance.min }),
    ...(importance?.max !== undefined && { maxImportance: importance.max }),
  };
}

/** The filter as body fields of `/api/search`. */
export function searchFilter(filter: Filter): { readonly namespace?: string; readonly container?: string; readonly filter?: SearchFilter } {
  const within = facts(filter);
  return { ...place(filter), ...(Object.keys(within).length > 0 && { filter: within }) };
}

/** The filter as body fields of bulk requests such as `/api/forget`. */
export const entryConditions = (filter: Filter): EntryConditions => ({ ...place(filter), ...facts(filter) });
