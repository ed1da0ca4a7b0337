import type { EntryFilter } from '../memory/entry.ts';
import { withRanges } from '../memory/operations/entry-conditions.ts';
import type { ListRequest, SearchRequest } from '../memory/operations/operations.ts';
import { filterOf } from './entry-conditions.ts';
import { withoutUndefined } from '../memory/without-undefined.ts';

/** A search leaves out superseded entries unless requested. */
function current({ includeSuperseded }: Pick<SearchRequest, 'includeSuperseded'>): EntryFilter {
  return includeSuperseded === true ? {} : { current: true };
}

/** The filter of a search. */
export function searchFilter(
  request: Pick<SearchRequest, 'namespace' | 'container' | 'tags' | 'filter' | 'includeSuperseded'>,
): EntryFilter {
  const { filter = {}, namespace, container } = request;
  const tags = [...new Set([...(request.tags ?? []), ...(filter.tags ?? [])])];
  return { ...filterOf({ ...filter, namespace, container, tags }), ...current(request) };
}

/** The filter of a list within its namespaces. */
export function listFilter(request: Omit<ListRequest, 'namespace' | 'allNamespaces'>): EntryFilter {
  const { pending, idPrefix, ...conditions } = withRanges(request);
  return { ...filterOf(conditions), ...(pending === true && { pending }), ...withoutUndefined({ idPrefix }) };
}
