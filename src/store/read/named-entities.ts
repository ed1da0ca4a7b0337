import type { EntryFilter } from '../../memory/entry.ts';
import { NameReader } from '../format/columns.ts';
import type { Database } from '../tables/database.ts';
import { isHidden, newestRows, type Memtables } from '../memtable/memtable.ts';
import { ENTRY_COLUMNS } from '../format/field-columns.ts';
import { rowsOf, textOf } from '../format/rows.ts';
import type { Snapshot } from '../tables/snapshot.ts';
import { asStoreError } from '../errors/store-error.ts';
import { hasAnyEntity, passes, predicate } from '../format/predicates.ts';

/** Names in one predicate. */
const BATCH_NAMES = 200;

/** Name -> number of entries with it. */
type Counts = ReadonlyMap<string, number>;

/** Finds entries by entity: with the index of the table, and by scanning the memtable. */
export class NamedEntities {
  readonly #parts: { readonly database: Database; readonly memtables: Memtables };
  /** Cached for versions of tables, by namespace. */
  readonly #stored = new WeakMap<Snapshot, Promise<ReadonlyMap<string, Counts>>>();

  constructor(parts: { readonly database: Database; readonly memtables: Memtables }) {
    this.#parts = parts;
  }

  /**
   * Ids of matching entries with any of these exact names, unordered. If there are more than `limit`, at least that many.
   */
  async entries(names: readonly string[], filter: EntryFilter = {}, limit?: number): Promise<string[]> {
    // In this order: see `Memtables.all`.
    const memtables = this.#parts.memtables.all;
    const { view } = this.#parts.database;
    const ids = new Set<string>();
    // Outdated rows in the table take places among its results.
    const most = limit === undefined ? undefined : limit + memtables.reduce((sum, { outdatedIds }) => sum + outdatedIds.size, 0);
    for (let start = 0; start < names.length; start += BATCH_NAMES) {
      const where = predicate(filter, [hasAnyEntity(names.slice(start, start + BATCH_NAMES))]);
      const found = await Promise.all(view.partsFor(filter.namespaces).map((part) => idsWhere(part, where, most)));
      for (const id of found.flat()) if (!isHidden(memtables, id)) ids.add(id);
    }
    const wanted = new Set(names);
    for (const { entry } of newestRows(memtables)) {
      if (entry.entities?.some((name) => wanted.has(name)) === true && passes(filter, entry)) ids.add(entry.id);
    }
    return [...ids];
  }

  /**
   * Exact name -> ids of entries of a namespace; for each name all, or at least `limit`. Queries many names at once, and again for fewer
   * if very frequent ones may have hidden others.
   */
  async holders(names: readonly string[], namespace: string, limit: number): Promise<Map<string, string[]>> {
    const memtables = this.#parts.memtables.all;
    const { view } = this.#parts.database;
    const holders = new Map(names.map((name) => [name, [] as string[]]));
    const note = (id: string, entities: readonly string[] | undefined): void => {
      for (const name of new Set(entities)) holders.get(name)?.push(id);
    };
    const spare = memtables.reduce((sum, { outdatedIds }) => sum + outdatedIds.size, 0);
    const ask = async (some: readonly string[]): Promise<void> => {
      const most = some.length * limit + spare;
      const where = predicate({ namespaces: [namespace] }, [hasAnyEntity(some)]);
      const found = await Promise.all(view.partsFor([namespace]).map((part) => namedWhere(part, where, most)));
      if (some.length > 1 && found.some(({ length }) => length >= most)) {
        const middle = Math.ceil(some.length / 2);
        await ask(some.slice(0, middle));
        await ask(some.slice(middle));
        return;
      }
      const asked = new Set(some);
      for (const { id, entities } of found.flat()) {
        if (!isHidden(memtables, id))
          note(
            id,
            entities.filter((name) => asked.has(name)),
          );
      }
    };
    const different = [...holders.keys()];
    for (let start = 0; start < different.length; start += BATCH_NAMES) await ask(different.slice(start, start + BATCH_NAMES));
    for (const { entry } of newestRows(memtables)) if (entry.namespace === namespace) note(entry.id, entry.entities);
    return holders;
  }

  /** Number of entries per name, in one namespace or all. Reads each version of a table once. */
  async counts(namespace?: string): Promise<Counts> {
    const memtables = this.#parts.memtables.all;
    const { view } = this.#parts.database;
    const isWanted = (of: string): boolean => namespace === undefined || of === namespace;
    const counts = new Map<string, number>();
    const parts = namespace === undefined ? view.parts : view.partsFor([namespace]);
    for (const stored of await Promise.all(parts.map((part) => this.#countsOf(part)))) {
      for (const [of, names] of stored) if (isWanted(of)) for (const [name, count] of names) add(counts, name, count);
    }
    const outdated = new Set(memtables.flatMap(({ rows, outdatedIds }) => [...rows.keys(), ...outdatedIds]));
    for (const row of await view.rows([...outdated], ['namespace', 'entities'])) {
      if (isWanted(textOf(row, 'namespace'))) for (const name of ENTRY_COLUMNS.text(row, 'entities') ?? []) add(counts, name, -1);
    }
    for (const { entry } of newestRows(memtables)) {
      if (isWanted(entry.namespace)) for (const name of entry.entities ?? []) add(counts, name, 1);
    }
    return counts;
  }

  #countsOf(part: Snapshot): Promise<ReadonlyMap<string, Counts>> {
    const known = this.#stored.get(part);
    if (known !== undefined) return known;
    const counts = countNames(part).finally(part.hold());
    this.#stored.set(part, counts);
    counts.catch(() => this.#stored.delete(part));
    return counts;
  }
}

async function idsWhere(snapshot: Snapshot, where: string | undefined, limit: number | undefined): Promise<string[]> {
  let query = snapshot.table.query().select(['id']);
  if (where !== undefined) query = query.where(where);
  if (limit !== undefined) query = query.limit(limit);
  const ids: string[] = [];
  try {
    for await (const batch of query) for (const row of rowsOf(batch, ['id'])) ids.push(textOf(row, 'id'));
  } catch (error) {
    asStoreError('search by name')(error);
  }
  return ids;
}

async function namedWhere(
  snapshot: Snapshot,
  where: string | undefined,
  limit: number,
): Promise<{ id: string; entities: readonly string[] }[]> {
  const found: { id: string; entities: readonly string[] }[] = [];
  let query = snapshot.table.query().select(['id', 'entities']).limit(limit);
  if (where !== undefined) query = query.where(where);
  try {
    for await (const batch of query) {
      for (const row of rowsOf(batch, ['id', 'entities'])) {
        found.push({ id: textOf(row, 'id'), entities: ENTRY_COLUMNS.text(row, 'entities') ?? [] });
      }
    }
  } catch (error) {
    asStoreError('search by name')(error);
  }
  return found;
}

async function countNames(snapshot: Snapshot): Promise<Map<string, Counts>> {
  const counts = new Map<string, Map<string, number>>();
  const reader = new NameReader();
  try {
    for await (const batch of snapshot.table.query().select(['namespace', 'entities'])) {
      const names = reader.lists(batch, 'entities');
      for (const [row, namespace] of reader.column(batch, 'namespace').entries()) {
        const inside = counts.get(namespace) ?? new Map<string, number>();
        counts.set(namespace, inside);
        for (const name of names[row] ?? []) add(inside, name, 1);
      }
    }
  } catch (error) {
    asStoreError('read the store')(error);
  }
  return counts;
}

/** Removes names without entries. */
function add(counts: Map<string, number>, name: string, more: number): void {
  const sum = (counts.get(name) ?? 0) + more;
  if (sum > 0) counts.set(name, sum);
  else counts.delete(name);
}
