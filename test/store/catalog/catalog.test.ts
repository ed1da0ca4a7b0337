import { describe, expect, it } from 'vitest';
import type { EntryFilter, ListSort } from '../../../src/memory/entry.ts';
import { Catalog } from '../../../src/store/catalog/catalog.ts';
import type { CatalogEntry } from '../../../src/store/catalog/catalog-entry.ts';
import { passes } from '../../../src/store/format/predicates.ts';
import { random } from '../../bench/corpus.mjs';

function someCatalogEntry(next: () => number, nth: number): CatalogEntry {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(next() * values.length)] as T;
  return {
    id: `id-${String(Math.floor(next() * 1e6)).padStart(6, '0')}-${nth}`,
    namespace: pick(['a', 'b', 'c']),
    container: pick(['x', 'y']),
    tags: pick([[], ['red'], ['red', 'blue'], ['blue']]),
    priority: pick(['low', 'normal', 'high']),
    importance: pick([0.1, 0.5, 0.9]),
    source: pick(['api', 'mcp']),
    contentHash: String(nth % 40),
    createdAt: Math.floor(next() * 50),
    updatedAt: 0,
    superseded: false,
    embedder: '',
    passages: 0,
    writtenAt: nth,
  };
}

const FILTERS: EntryFilter[] = [
  {},
  { namespaces: ['a'] },
  { namespaces: ['a', 'c'] },
  { namespaces: ['nowhere'] },
  { namespaces: ['b'], tags: ['red'] },
  { tags: [] },
  { container: 'x', importance: { min: 0.5 } },
  { createdAfter: 10, createdBefore: 40 },
  { priority: 'high' },
  { namespaces: ['a'], priority: 'low', source: 'mcp' },
];
const SORTS: ListSort[] = ['createdAt', '-createdAt', 'importance', '-importance'];

/** The same by a look at everything. */
function expected(all: readonly CatalogEntry[], filter: EntryFilter, sort: ListSort): string[] {
  const older = (a: CatalogEntry, b: CatalogEntry): number => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1);
  const order = sort.endsWith('importance') ? (a: CatalogEntry, b: CatalogEntry) => a.importance - b.importance || older(a, b) : older;
  const sorted = all.filter((known) => passes(filter, known)).toSorted(order);
  return (sort.startsWith('-') ? sorted.toReversed() : sorted).map(({ id }) => id);
}

describe('the catalog', () => {
  it('returns every page of every list like a full scan, during changes', () => {
    const next = random(11);
    const catalog = new Catalog();
    const model = new Map<string, CatalogEntry>();
    const first = Array.from({ length: 100 }, (_, nth) => someCatalogEntry(next, nth));
    catalog.load(first);
    for (const known of first) model.set(known.id, known);
    for (let nth = 100; nth < 400; nth += 1) {
      const ids = [...model.keys()];
      const old = ids[Math.floor(next() * ids.length)] as string;
      const known = next() < 0.3 ? { ...someCatalogEntry(next, nth), id: old } : someCatalogEntry(next, nth);
      if (next() < 0.3) {
        catalog.delete(old);
        model.delete(old);
      } else {
        catalog.set(known);
        model.set(known.id, known);
      }
      const filter = FILTERS[nth % FILTERS.length] as EntryFilter;
      const sort = SORTS[nth % SORTS.length] as ListSort;
      const ordered = expected([...model.values()], filter, sort);
      const offset = Math.floor(next() * (ordered.length + 5));
      expect(catalog.page(filter, { limit: 7, offset, sort })).toEqual({ ids: ordered.slice(offset, offset + 7), total: ordered.length });
      expect(catalog.page(filter, { limit: 9, offset: 0, sort })).toEqual({ ids: ordered.slice(0, 9), total: ordered.length });
      expect(catalog.count(filter)).toBe(ordered.length);
    }
    expect(catalog.size).toBe(model.size);
    expect(catalog.namespaces().reduce((sum, { entries }) => sum + entries, 0)).toBe(model.size);
  });
});
