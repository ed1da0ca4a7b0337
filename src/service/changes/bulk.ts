import {
  changeOf,
  isSame,
  retagged,
  type BulkOperations,
  type Facets,
  type FacetsRequest,
  type Retagging,
  type TagChange,
  type TagReport,
  type TagRequest,
  type Timeline,
  type TimelineRequest,
  type ValuesPage,
  type ValuesRequest,
} from '../../memory/operations/bulk-operations.ts';
import type { Clock } from '../../memory/clock.ts';
import type { Entry, Source } from '../../memory/entry.ts';
import { LoreError } from '../../memory/errors.ts';
import { updatedImportance } from '../../memory/importance.ts';
import type { CallOptions } from '../../memory/operations/operations.ts';
import type { ValueField } from '../../memory/vocabulary.ts';
import { DEFAULT_TIME_ZONE } from '../../memory/time-zone.ts';
import type { CatalogEntry } from '../../store/catalog/catalog-entry.ts';
import type { EntryRow } from '../../store/format/rows.ts';
import type { Store } from '../../store/store.ts';
import { matching } from '../../store/format/predicates.ts';
import { countPerDay } from '../reports/days.ts';
import { countsOf, countsOfTags, facetsOf, mostFirst } from '../reports/facets.ts';
import { idsWithWords } from '../word-matches.ts';
import type { Drafting } from './drafting.ts';
import { selectedIds, selectionOf } from './entry-selection.ts';
import { listFilter } from '../search-filters.ts';
import type { Secrets } from '../secrets.ts';
import { EventLoopYielder } from '../event-loop-yielder.ts';
import { requestedNamespace, type NamespaceChoice } from '../requested-namespace.ts';
import type { WriteLimiter } from '../write-limiter.ts';

/** Entries changed together: one commit. */
const BATCH = 200;
const DEFAULT_VALUES = 100;
/** `2` before `10`. */
const byName = new Intl.Collator('en', { numeric: true });

interface Parts {
  readonly store: Pick<Store, 'catalog' | 'entries' | 'named' | 'words' | 'whenCounted' | 'entriesWith'>;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly drafting: Drafting;
  readonly limiter: WriteLimiter;
  /** Used if a request names no namespace. */
  readonly namespace: string;
}

interface TagWork extends Retagging {
  readonly isMatch: ReturnType<typeof selectionOf>;
  readonly by: Source;
}

/** Counts entries by day, and tags many entries. */
export class Bulk implements BulkOperations {
  readonly #parts: Parts;
  readonly #yielder = new EventLoopYielder();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async timeline({ timeZone = DEFAULT_TIME_ZONE, allNamespaces, namespace, ...conditions }: TimelineRequest): Promise<Timeline> {
    const isMatch = matching(listFilter(conditions));
    const moments = this.#within({ allNamespaces, namespace }).flatMap((known) => (isMatch(known) ? [known.createdAt] : []));
    return await Promise.resolve({ timeZone, total: moments.length, days: countPerDay(moments, timeZone) });
  }

  async tag({ add = [], remove = [], dryRun = false, ...selection }: TagRequest, { source = 'api' }: CallOptions = {}): Promise<TagReport> {
    if (add.length === 0 && remove.length === 0) throw new LoreError('invalid_input', 'Name the tags to `add` or to `remove`.');
    const both = add.find((tag) => remove.includes(tag));
    if (both !== undefined) throw new LoreError('invalid_input', `add and remove must not both hold ${JSON.stringify(both)}.`);
    const ids = selectedIds(this.#parts.store.catalog, selection, 'tag');
    const work = { add: this.#kept(add, source), remove, isMatch: selectionOf(selection, 'tag'), by: source };
    const { changes, tooMany } = this.#preview(ids, work);
    if (dryRun) return { dryRun, matches: ids.length, changed: changes, left: tooMany };
    const changed = await this.#tagAll(changes, work);
    return { dryRun, matches: ids.length, changed, left: tooMany + changes.length - changed.length };
  }

  async facets({ timeZone = DEFAULT_TIME_ZONE, allNamespaces, namespace, query, ...conditions }: FacetsRequest): Promise<Facets> {
    const entries = this.#within({ allNamespaces, namespace });
    const filter = listFilter(conditions);
    if (query === undefined) return facetsOf(entries, filter, timeZone);
    const { store } = this.#parts;
    const one = requestedNamespace({ allNamespaces, namespace }, this.#parts.namespace);
    const ids = await idsWithWords(store, query, one === undefined ? undefined : [one]);
    return facetsOf(
      entries.filter(({ id }) => ids.has(id)),
      { ...filter, current: true },
      timeZone,
    );
  }

  async values({
    field = 'namespaces',
    contains = '',
    namespace,
    sort,
    limit = DEFAULT_VALUES,
    offset = 0,
  }: ValuesRequest): Promise<ValuesPage> {
    const wanted = contains.trim().toLowerCase();
    const all = mostFirst(await this.#countsOf(field, namespace)).filter(({ value }) => value.toLowerCase().includes(wanted));
    if (sort === 'value') all.sort((a, b) => byName.compare(a.value, b.value));
    return { values: all.slice(offset, offset + limit), total: all.length, offset, limit };
  }

  async #countsOf(field: ValueField, namespace: string | undefined): Promise<ReadonlyMap<string, number>> {
    if (field === 'entities') return await this.#parts.store.named.counts(namespace);
    const entries = this.#within({ allNamespaces: namespace === undefined, namespace });
    return field === 'tags' ? countsOfTags(entries) : countsOf(entries, (known) => known.namespace);
  }

  /** Every entry that a request may read, oldest first. */
  #within(from: NamespaceChoice): readonly CatalogEntry[] {
    return this.#parts.store.catalog.entries(requestedNamespace(from, this.#parts.namespace));
  }

  /** Stops after the current batch. */
  close(): void {
    this.#yielder.stop();
  }

  #kept(add: readonly string[], source: Source): readonly string[] {
    const { secrets } = this.#parts;
    return secrets.redacts(source) ? secrets.redacted({ tags: add }).texts.tags : add;
  }

  #preview(ids: readonly string[], work: TagWork): { changes: TagChange[]; tooMany: number } {
    const changes: TagChange[] = [];
    let tooMany = 0;
    for (const id of ids) {
      const tags = this.#parts.store.catalog.get(id)?.tags ?? [];
      const then = retagged(tags, work);
      if (then === undefined) tooMany += 1;
      else if (!isSame(tags, then)) changes.push(changeOf(id, tags, then));
    }
    return { changes, tooMany };
  }

  /** The result; entries changed or deleted in the meantime are skipped. */
  async #tagAll(changes: readonly TagChange[], work: TagWork): Promise<TagChange[]> {
    const done: TagChange[] = [];
    for (let start = 0; start < changes.length; start += BATCH) {
      const batch = changes.slice(start, start + BATCH).map(({ id }) => id);
      const went = await this.#parts.limiter.many({ changes: batch.length, chars: 0 }, () => this.#tagBatch(batch, work));
      done.push(...went.flatMap((change) => change ?? []));
      await this.#yielder.pause();
    }
    return done;
  }

  async #tagBatch(ids: readonly string[], work: TagWork): Promise<(TagChange | undefined)[]> {
    const { store, drafting } = this.#parts;
    const meant = (await store.entries.getMany(ids)).flatMap((entry) => {
      const tags = retagged(entry.tags, work);
      return tags === undefined || isSame(entry.tags, tags) ? [] : [{ entry, tags }];
    });
    const rows = await drafting.rows(meant.map(({ entry, tags }) => ({ ...entry, tags })));
    return await Promise.all(meant.map(({ entry }, nth) => this.#tagOne(entry, rows[nth]!, work)));
  }

  /** The change of the entry, unless it was changed in the meantime; undefined if nothing changes. */
  async #tagOne(entry: Entry, next: EntryRow, { isMatch, by }: TagWork): Promise<TagChange | undefined> {
    const { clock, store } = this.#parts;
    const { tags } = next.entry;
    let went = false;
    const change = store.entries.update(
      entry.id,
      (row) => {
        const now = row.entry;
        went = now.content === entry.content && isSame(now.tags, entry.tags) && isMatch(now);
        if (!went) return row;
        const importance = updatedImportance(now, { priority: now.priority, tags });
        return { ...next, entry: { ...now, tags, importance, updatedAt: clock.now() } };
      },
      by,
    );
    return await change.then(
      () => (went ? changeOf(entry.id, entry.tags, tags) : undefined),
      (error: unknown) => {
        if (error instanceof LoreError && error.code === 'not_found') return undefined;
        throw error;
      },
    );
  }
}
