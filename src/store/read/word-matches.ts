import { MatchQuery, Operator } from '@lancedb/lancedb';
import { asStoreError } from '../errors/store-error.ts';
import { isHidden } from '../memtable/memtable.ts';
import type { Snapshot } from '../tables/snapshot.ts';
import { hitsOf, type Searchable } from './search.ts';

/** Lists of tokens. An entry matches if it contains every token of one of them. */
export type TokenLists = readonly (readonly string[])[];

/** Ids of all matching entries, unranked. Asks only the tables of these namespaces, which may hold others too. */
export async function entriesWith(
  { view, memtables }: Searchable,
  lists: TokenLists,
  namespaces: readonly string[] | undefined,
): Promise<ReadonlySet<string>> {
  // Single tokens are one query together.
  const single = lists.flatMap((tokens) => (tokens.length === 1 ? tokens : []));
  const several = lists.filter(({ length }) => length > 1);
  const queries = [
    ...(single.length === 0 ? [] : [new MatchQuery(single.join(' '), 'search_text', { operator: Operator.Or })]),
    ...several.map((tokens) => new MatchQuery(tokens.join(' '), 'search_text', { operator: Operator.And })),
  ];
  const asked = view.partsFor(namespaces).flatMap((part) => queries.map((query) => idsOf(part, query)));
  const ids = new Set<string>();
  for (const id of (await Promise.all(asked)).flat()) if (!isHidden(memtables, id)) ids.add(id);
  for (const [nth, memtable] of memtables.entries()) {
    const newer = memtables.slice(0, nth);
    for (const [first, ...others] of lists) {
      if (first === undefined) continue;
      for (const [{ entry, searchText }] of memtable.holding(first)) {
        if (!isHidden(newer, entry.id) && others.every((token) => ` ${searchText} `.includes(` ${token} `))) ids.add(entry.id);
      }
    }
  }
  return ids;
}

async function idsOf(part: Snapshot, match: MatchQuery): Promise<string[]> {
  const query = part.table.query().fullTextSearch(match).select([part.key, '_score']).limit(Math.max(1, part.size));
  return (await hitsOf(part, query, '_score', (score) => score).catch(asStoreError('search by keyword'))).map(({ id }) => id);
}
