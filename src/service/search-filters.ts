import type { EntryFilter } from '../memory/entry.ts';
import type { SearchRequest } from '../memory/operations.ts';
import { instant } from './instant.ts';

/** The part of a filter that every request for entries may carry. */
export function scope({ container, tags }: { container?: string | undefined; tags?: readonly string[] | undefined }): EntryFilter {
  return { ...(container === undefined ? {} : { container }), ...(tags === undefined ? {} : { tags }) };
}

/** A search leaves out what a newer entry takes the place of, unless asked. */
export function current({ includeSuperseded }: Pick<SearchRequest, 'includeSuperseded'>): EntryFilter {
  return includeSuperseded === true ? {} : { current: true };
}

/** What a search over all namespaces narrows down to. */
export function filterOf(request: Pick<SearchRequest, 'namespace' | 'container' | 'tags' | 'filter' | 'includeSuperseded'>): EntryFilter {
  const { filter = {}, namespace } = request;
  const tags = [...new Set([...(request.tags ?? []), ...(filter.tags ?? [])])];
  const { min, max } = filter.importance ?? {};
  return {
    ...scope({ ...request, tags }),
    ...current(request),
    ...(namespace === undefined ? {} : { namespaces: [namespace] }),
    importance: { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) },
    ...(filter.createdAfter === undefined ? {} : { createdAfter: instant(filter.createdAfter) }),
    ...(filter.createdBefore === undefined ? {} : { createdBefore: instant(filter.createdBefore) }),
  };
}
