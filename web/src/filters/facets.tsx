import type { Facets } from '../../../src/memory/operations/bulk-operations.ts';
import { MAX_FACET_VALUES } from '../../../src/memory/vocabulary.ts';
import { useAddress, type Filter } from '../address.ts';
import { lore } from '../api/client.ts';
import { listRequest } from '../api/conditions.ts';
import { ownTimeZone } from '../api/time-zone.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { filterTexts } from './texts.ts';

type Facet = Exclude<keyof Facets, 'total'>;

/**
 * The number of memories per value under the given filter; during a search, of those with a word of the query. Undefined before the response,
 * and in a search by meaning alone, which leaves out no memory.
 */
export function useFacets(filter: Filter): Facets | undefined {
  const { q, mode } = useAddress();
  const query = q.trim();
  const isCounted = query === '' || mode !== 'vector';
  const load = async (signal: AbortSignal): Promise<Facets | undefined> => {
    if (!isCounted) return undefined;
    return await lore.bulk.facets({ ...listRequest(filter), ...(query !== '' && { query }), ...ownTimeZone() }, { signal });
  };
  return useLoaded(load, { about: JSON.stringify([isCounted, query, filter]), follows: false }).last;
}

/** Explains what the numbers of a filter count during a search. */
export function CountedNote() {
  const { q, mode } = useAddress();
  return q.trim() === '' ? null : <p class="hint">{mode === 'vector' ? filterTexts.uncounted : filterTexts.counted}</p>;
}

/** Number of memories with a value; undefined if unknown. */
export function countOf(facets: Facets | undefined, facet: Facet, value: string): number | undefined {
  const counts = facets?.[facet];
  return counts?.find((one) => one.value === value)?.entries ?? (counts !== undefined && counts.length < MAX_FACET_VALUES ? 0 : undefined);
}
