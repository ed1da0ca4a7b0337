import { isOfFile, type Entry, type EntryFilter, type ListSort } from '../../memory/entry.ts';
import type { NamespaceSummary } from '../../memory/operations/operations.ts';
import { OrderedList } from './ordered-list.ts';
import type { CatalogEntry } from './catalog-entry.ts';
import { matching } from '../format/predicates.ts';

/** With more distinct values, sharing copies costs more than it saves. */
const MAX_SHARED = 50_000;
/** Number of filters whose results are cached for the next page. */
const KEPT_FILTERS = 3;
/** Entries of the same time that are considered on either side. */
const SAME_TIME = 50;

const older = (a: CatalogEntry, b: CatalogEntry): number => a.createdAt - b.createdAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
/** Ascending by the value of a field; entries without one come first. */
const byField =
  (field: keyof CatalogEntry) =>
  (a: CatalogEntry, b: CatalogEntry): number =>
    Number(a[field] ?? -Infinity) - Number(b[field] ?? -Infinity) || older(a, b);

/** The ids with one content hash, which are nearly always in one place. */
type Carriers = string | readonly string[];

/**
 * The catalog: metadata of every entry in memory (about 400 bytes each). Answers existence, exact duplicates, lists and counts without a
 * query. The writer, which alone changes the store, keeps it up to date.
 */
export class Catalog {
  readonly #byId = new Map<string, CatalogEntry>();
  /** Built on first use: a process that only reads does not need it. */
  #byHash: Map<string, Carriers> | undefined;
  readonly #byEmbedder = new Map<string, number>();
  /** Each name and each set of tags is stored once, however many rows have it. */
  readonly #names = new Map<string, string>();
  readonly #tagSets = new Map<string, readonly string[]>();
  readonly #all = new OrderedList<CatalogEntry>(older);
  readonly #inNamespace = new Map<string, OrderedList<CatalogEntry>>();
  /** Lists in another order, built on demand and cached until the next change. */
  readonly #sorted = new Map<string, readonly CatalogEntry[]>();
  /** Results of the last filters, because the next page usually follows. Cached until the next change. */
  readonly #passing = new Map<string, readonly CatalogEntry[]>();
  /** Passages of files, by namespace. */
  readonly #passages = new Map<string, number>();
  #longTexts = 0;
  #superseded = 0;
  #importanceSum = 0;
  #newestVersion = 0;

  get size(): number {
    return this.#byId.size;
  }

  /** Entries with more than one passage. */
  get longTexts(): number {
    return this.#longTexts;
  }

  get averageImportance(): number {
    return this.size === 0 ? 0 : this.#importanceSum / this.size;
  }

  /** The highest version of any row so far. */
  get newestVersion(): number {
    return this.#newestVersion;
  }

  ids(): IterableIterator<string> {
    return this.#byId.keys();
  }

  get(id: string): CatalogEntry | undefined {
    return this.#byId.get(id);
  }

  /** Loads many entries, much faster than one by one. Equal names and sets of tags must be the same objects. */
  load(rows: readonly CatalogEntry[]): void {
    const lists = new Map<string, CatalogEntry[]>();
    for (const row of rows) {
      this.#learn(row);
      const list = lists.get(row.namespace);
      if (list === undefined) lists.set(row.namespace, [row]);
      else list.push(row);
    }
    for (const [namespace, list] of lists) this.#listOf(namespace).addAll(list);
    this.#all.addAll(rows);
  }

  set(entry: CatalogEntry): void {
    this.delete(entry.id);
    const kept = this.#shared(entry);
    this.#learn(kept);
    this.#all.add(kept);
    this.#listOf(kept.namespace).add(kept);
  }

  /** Records that another model made the vectors of this entry; list positions do not change. */
  restamp(id: string, { embedder, passages }: Pick<CatalogEntry, 'embedder' | 'passages'>): void {
    const entry = this.#byId.get(id);
    if (entry === undefined) return;
    this.#count(entry, -1);
    Object.assign(entry, { embedder: this.#name(embedder), passages });
    this.#count(entry, 1);
  }

  delete(id: string): void {
    const entry = this.#byId.get(id);
    if (entry === undefined) return;
    this.#byId.delete(id);
    this.#forgetLists();
    this.#all.remove(entry);
    const list = this.#listOf(entry.namespace);
    list.remove(entry);
    if (list.items.length === 0) this.#inNamespace.delete(entry.namespace);
    if (this.#byHash !== undefined) forget(this.#byHash, entry);
    this.#count(entry, -1);
    if (entry.superseded) this.#superseded -= 1;
    this.#importanceSum -= entry.importance;
  }

  /** Below 0 if the first of two ids belongs to the newer entry; an unknown id counts as the oldest. */
  readonly newer = (id: string, other: string): number => {
    const [a, b] = [this.#byId.get(id), this.#byId.get(other)];
    return a !== undefined && b !== undefined ? older(b, a) : Number(a === undefined) - Number(b === undefined);
  };

  /** The entries created directly before and after this one in its namespace; at equal times, in order of saving. */
  neighbours(id: string): readonly [CatalogEntry | undefined, CatalogEntry | undefined] {
    const entry = this.#byId.get(id);
    return entry === undefined ? [undefined, undefined] : neighbours(entry, this.#listOf(entry.namespace));
  }

  /** The entries with exactly this content. */
  holding(contentHash: string): CatalogEntry[] {
    this.#byHash ??= hashesOf(this.#all.items);
    const ids = this.#byHash.get(contentHash) ?? [];
    return (typeof ids === 'string' ? [ids] : ids).flatMap((id) => this.#byId.get(id) ?? []);
  }

  /** The entry with exactly this content in this namespace and container, if there is one. */
  same({ contentHash, namespace, container }: Pick<Entry, 'contentHash' | 'namespace' | 'container'>): string | undefined {
    return this.holding(contentHash).find((entry) => entry.namespace === namespace && entry.container === container)?.id;
  }

  /** Rows by embedder fingerprint; '' is pending. */
  embedders(): ReadonlyMap<string, number> {
    return this.#byEmbedder;
  }

  /** Ids of one page in order, and the number of all matches. Ties are broken by age, then id, so pages never overlap. */
  page(filter: EntryFilter, { limit, offset, sort }: { limit: number; offset: number; sort: ListSort }): { ids: string[]; total: number } {
    const passing = this.#pass(filter, sort.replace('-', '') as keyof CatalogEntry);
    const total = passing.length;
    const page = sort.startsWith('-')
      ? passing.slice(Math.max(0, total - offset - limit), Math.max(0, total - offset)).toReversed()
      : passing.slice(offset, offset + limit);
    return { ids: page.map(({ id }) => id), total };
  }

  count(filter: EntryFilter): number {
    const { rows, exact } = this.#candidates(filter);
    if (exact) return rows.length;
    const isMatch = matching(filter);
    return rows.reduce((count, entry) => count + (isMatch(entry) ? 1 : 0), 0);
  }

  /** Whether these namespaces, or all, have both memories and passages of files. */
  mixes(namespaces: Iterable<string> = this.#inNamespace.keys()): boolean {
    let [entries, passages] = [0, 0];
    for (const namespace of namespaces) {
      entries += this.#inNamespace.get(namespace)?.items.length ?? 0;
      passages += this.#passages.get(namespace) ?? 0;
    }
    return passages > 0 && passages < entries;
  }

  /** Whether these namespaces, or all, hold passages of files. */
  holdsFiles(namespaces: Iterable<string> = this.#inNamespace.keys()): boolean {
    for (const namespace of namespaces) if ((this.#passages.get(namespace) ?? 0) > 0) return true;
    return false;
  }

  /** The filter without conditions that every entry passes: even a predicate that passes all slows a search down. */
  simplify({ current, ...filter }: EntryFilter): EntryFilter {
    if (current === true && this.#superseded > 0) return { ...this.#withoutNamespaces(filter), current };
    return this.#withoutNamespaces(filter);
  }

  #withoutNamespaces(filter: EntryFilter): EntryFilter {
    const { namespaces, ...others } = filter;
    if (namespaces === undefined) return filter;
    const inside = [...new Set(namespaces)].reduce((sum, namespace) => sum + (this.#inNamespace.get(namespace)?.items.length ?? 0), 0);
    return inside === this.size ? others : filter;
  }

  /** All namespaces, largest first; or only this one, if it has entries. */
  namespaces(only?: string): NamespaceSummary[] {
    return [...this.#inNamespace]
      .filter(([namespace, { items }]) => items.length > 0 && (only === undefined || namespace === only))
      .map(([namespace, { items }]) => ({
        namespace,
        entries: items.length,
        containers: containersOf(items),
        newest: items.at(-1)?.createdAt ?? 0,
      }))
      .toSorted((a, b) => b.entries - a.entries || a.namespace.localeCompare(b.namespace));
  }

  /** Oldest first; of one namespace, or all. */
  entries(namespace?: string): readonly CatalogEntry[] {
    return namespace === undefined ? this.#all.items : (this.#inNamespace.get(namespace)?.items ?? []);
  }

  /** The smallest sorted list that contains all matches; `exact` if all of it matches. */
  #candidates(filter: EntryFilter, order: keyof CatalogEntry = 'createdAt'): { rows: readonly CatalogEntry[]; exact: boolean } {
    const { namespaces, ...others } = filter;
    const exact = Object.values(others).every((value) => value === undefined || (Array.isArray(value) && value.length === 0));
    const [only] = namespaces ?? [];
    if (namespaces?.length === 1 && only !== undefined) {
      const rows = this.#inNamespace.get(only)?.items ?? [];
      return { rows: this.#inOrder(rows, order, only), exact };
    }
    const rows = this.#all.items;
    return { rows: this.#inOrder(rows, order), exact: exact && namespaces === undefined };
  }

  /** The matches, in ascending order. */
  #pass(filter: EntryFilter, order: keyof CatalogEntry): readonly CatalogEntry[] {
    const { rows, exact } = this.#candidates(filter, order);
    if (exact) return rows;
    const key = JSON.stringify([filter, order]);
    const passing = this.#passing.get(key) ?? rows.filter(matching(filter));
    // Moves a repeated filter to the end, as the most recently used.
    this.#passing.delete(key);
    const [oldest] = this.#passing.keys();
    if (oldest !== undefined && this.#passing.size >= KEPT_FILTERS) this.#passing.delete(oldest);
    this.#passing.set(key, passing);
    return passing;
  }

  #forgetLists(): void {
    this.#sorted.clear();
    this.#passing.clear();
  }

  #inOrder(rows: readonly CatalogEntry[], order: keyof CatalogEntry, namespace = ''): readonly CatalogEntry[] {
    if (order === 'createdAt') return rows;
    const key = `${order} ${namespace}`;
    const kept = this.#sorted.get(key);
    if (kept !== undefined) return kept;
    const sorted = rows.toSorted(byField(order));
    this.#sorted.set(key, sorted);
    return sorted;
  }

  #learn(entry: CatalogEntry): void {
    this.#byId.set(entry.id, entry);
    this.#forgetLists();
    if (this.#byHash !== undefined) carry(this.#byHash, entry);
    this.#count(entry, 1);
    if (entry.superseded) this.#superseded += 1;
    this.#importanceSum += entry.importance;
    this.#newestVersion = Math.max(this.#newestVersion, entry.writtenAt);
  }

  #count(entry: CatalogEntry, by: 1 | -1): void {
    const { embedder, passages, namespace } = entry;
    if (isOfFile(entry)) this.#passages.set(namespace, (this.#passages.get(namespace) ?? 0) + by);
    const count = (this.#byEmbedder.get(embedder) ?? 0) + by;
    if (count === 0) this.#byEmbedder.delete(embedder);
    else this.#byEmbedder.set(embedder, count);
    if (passages > 0) this.#longTexts += by;
  }

  #shared(entry: CatalogEntry): CatalogEntry {
    const [namespace, container, embedder] = [entry.namespace, entry.container, entry.embedder].map((name) => this.#name(name)) as [
      string,
      string,
      string,
    ];
    return { ...entry, namespace, container, embedder, tags: this.#tagSet(entry.tags) };
  }

  #listOf(namespace: string): OrderedList<CatalogEntry> {
    const list = this.#inNamespace.get(namespace) ?? new OrderedList<CatalogEntry>(older);
    this.#inNamespace.set(namespace, list);
    return list;
  }

  #name(name: string): string {
    const kept = this.#names.get(name);
    if (kept !== undefined) return kept;
    if (this.#names.size > MAX_SHARED) this.#names.clear();
    this.#names.set(name, name);
    return name;
  }

  #tagSet(tags: readonly string[]): readonly string[] {
    const key = tags.join('\n');
    const kept = this.#tagSets.get(key);
    if (kept !== undefined) return kept;
    const own = tags.map((tag) => this.#name(tag));
    if (this.#tagSets.size > MAX_SHARED) this.#tagSets.clear();
    this.#tagSets.set(key, own);
    return own;
  }
}

/** Every file has its own container, which does not count as one of a namespace. */
function containersOf(items: readonly CatalogEntry[]): string[] {
  const containers = new Set<string>();
  for (const item of items) if (!isOfFile(item)) containers.add(item.container);
  return [...containers].toSorted();
}

function hashesOf(rows: readonly CatalogEntry[]): Map<string, Carriers> {
  const carriers = new Map<string, Carriers>();
  for (const row of rows) carry(carriers, row);
  return carriers;
}

function carry(carriers: Map<string, Carriers>, { contentHash, id }: CatalogEntry): void {
  const others = carriers.get(contentHash);
  if (others === undefined) carriers.set(contentHash, id);
  else carriers.set(contentHash, [...(typeof others === 'string' ? [others] : others), id]);
}

function forget(carriers: Map<string, Carriers>, { contentHash, id }: CatalogEntry): void {
  const others = carriers.get(contentHash);
  const rest = typeof others === 'object' ? others.filter((other) => other !== id) : [];
  const [first, ...more] = rest;
  if (first === undefined) carriers.delete(contentHash);
  else carriers.set(contentHash, more.length === 0 ? first : rest);
}

function neighbours(entry: CatalogEntry, list: OrderedList<CatalogEntry>): readonly [CatalogEntry | undefined, CatalogEntry | undefined] {
  const { items } = list;
  const place = list.indexOf(entry);
  let [before, after]: [CatalogEntry | undefined, CatalogEntry | undefined] = [undefined, undefined];
  const take = (other: CatalogEntry): void => {
    if (other.writtenAt < entry.writtenAt) {
      if (before === undefined || other.writtenAt > before.writtenAt) before = other;
    } else if (after === undefined || other.writtenAt < after.writtenAt) after = other;
  };
  const isSameTime = (at: number): boolean => Math.abs(at - place) <= SAME_TIME && items[at]?.createdAt === entry.createdAt;
  let [low, high] = [place - 1, place + 1];
  while (isSameTime(low)) take(items[low--]!);
  while (isSameTime(high)) take(items[high++]!);
  return [before ?? items[low], after ?? items[high]];
}
