import type { EntryFilter } from '../../memory/entry.ts';
import { isOfFile, MAX_FACET_VALUES } from '../../memory/vocabulary.ts';
import type { FacetCount, Facets } from '../../memory/operations/bulk-operations.ts';
import type { CatalogEntry } from '../../store/catalog/catalog-entry.ts';
import { matching } from '../../store/format/predicates.ts';
import { countPerYear } from './days.ts';

type Counts = Map<string, number>;

/**
 * Counts entries, given oldest first, by the values of their fields. A field with one value is counted without its own condition: with a
 * filter for `high`, the other priorities are counted too. Namespaces are counted within the condition, because a key may see no others.
 */
export function facetsOf(entries: readonly CatalogEntry[], filter: EntryFilter, timeZone: string): Facets {
  const passing = entries.filter(matching(filter));
  const without = (...names: (keyof EntryFilter)[]): readonly CatalogEntry[] => {
    if (names.every((name) => filter[name] === undefined)) return passing;
    const rest: EntryFilter = { ...filter, ...Object.fromEntries(names.map((name) => [name, undefined])) };
    return entries.filter(matching(rest));
  };
  const years = countPerYear(
    without('createdAfter', 'createdBefore').map(({ createdAt }) => createdAt),
    timeZone,
  );
  return {
    total: passing.length,
    namespaces: most(countsOf(passing, ({ namespace }) => namespace)),
    tags: most(countsOfTags(passing)),
    sources: most(countsOf(without('source'), ({ source }) => source)),
    kinds: most(countsOf(without('kind'), (known) => (isOfFile(known) ? 'file' : 'memory'))),
    priorities: most(countsOf(without('priority'), ({ priority }) => priority)),
    years: years.slice(0, MAX_FACET_VALUES),
  };
}

const add = (counts: Counts, value: string, amount = 1): void => void counts.set(value, (counts.get(value) ?? 0) + amount);

export const mostFirst = (counts: ReadonlyMap<string, number>): FacetCount[] =>
  [...counts].map(([value, entries]) => ({ value, entries })).toSorted((a, b) => b.entries - a.entries || (a.value < b.value ? -1 : 1));
const most = (counts: Counts): FacetCount[] => mostFirst(counts).slice(0, MAX_FACET_VALUES);

export function countsOf(entries: readonly CatalogEntry[], valueOf: (known: CatalogEntry) => string): Counts {
  const counts: Counts = new Map();
  for (const known of entries) add(counts, valueOf(known));
  return counts;
}

/** Entries share their lists of tags, so each list is processed once. */
export function countsOfTags(entries: readonly CatalogEntry[]): Counts {
  const lists = new Map<readonly string[], number>();
  for (const { tags } of entries) lists.set(tags, (lists.get(tags) ?? 0) + 1);
  const counts: Counts = new Map();
  for (const [tags, amount] of lists) for (const tag of tags) add(counts, tag, amount);
  return counts;
}
