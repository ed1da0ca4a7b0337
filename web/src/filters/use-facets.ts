import type { Facets } from '../../../src/memory/operations/bulk-operations.ts';
import { MAX_FACET_VALUES } from '../../../src/memory/vocabulary.ts';
import { useAddress, type Filter } from '../address.ts';
import { lore } from '../api/client.ts';
import { listRequest } from '../api/conditions.ts';
import { ownTimeZone } from '../api/time-zone.ts';
import { useLoaded } from '../parts/use-loaded.ts';

type Facet = Exclude<keyof Facets, 'total'>;

/**
 * The number of memories per value under the given filter. Undefined before the response, and during a search, whose results are not the list.
 */
export function useFacets(filter: Filter): Facets | undefined {
  const isSearch = useAddress().q.trim() !== '';
  const timeZone = ownTimeZone();
  const load = async (signal: AbortSignal): Promise<Facets | undefined> =>
    isSearch ? undefined : await lore.bulk.facets({ ...listRequest(filter), ...(timeZone !== '' && { timeZone }) }, { signal });
  return useLoaded(load, { about: JSON.stringify([isSearch, filter]), follows: false }).last;
}

/** Number of memories with a value; undefined if unknown. */
export function countOf(facets: Facets | undefined, facet: Facet, value: string): number | undefined {
  const counts = facets?.[facet];
  return counts?.find((one) => one.value === value)?.entries ?? (counts !== undefined && counts.length < MAX_FACET_VALUES ? 0 : undefined);
}
