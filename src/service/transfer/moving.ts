import type { Clock } from '../../memory/clock.ts';
import type { Entry, Source } from '../../memory/entry.ts';
import { LoreError } from '../../memory/errors.ts';
import type { ArchivedEntry } from '../../memory/lifecycle.ts';
import { relationKey } from '../../memory/relation.ts';
import type { CatalogEntry } from '../../store/catalog/catalog-entry.ts';
import type { Store } from '../../store/store.ts';
import type { ConditionFields } from '../entry-conditions.ts';
import { otherEnd, relationsOf } from '../relations/relation-walk.ts';
import type { EventLoopYielder } from '../event-loop-yielder.ts';
import { charsOf, type WriteLimiter } from '../write-limiter.ts';

/** Entries moved together: one commit. */
const BATCH = 200;

/** Which entries to move, and where. */
export interface Move {
  readonly applies: (entry: ConditionFields & Pick<CatalogEntry, 'id'>) => boolean;
  readonly to: string;
  readonly by: Source;
  /** Run id in the archive of entries whose text already existed. */
  readonly run: string;
}

/** An entry that moved, and its former namespace. */
export interface Moved {
  readonly id: string;
  readonly from: string;
}

/** The result for the entries. */
interface Tally {
  readonly matches: number;
  readonly moved: readonly Moved[];
  readonly duplicates: readonly { readonly id: string; readonly kept: string }[];
}

interface Parts {
  readonly store: Store;
  readonly clock: Clock;
  readonly limiter: WriteLimiter;
  readonly yielder: EventLoopYielder;
}

/** Moves entries between namespaces, batch by batch; completed batches stay if the process ends. */
export class Moving {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The result that `moveAll` would have now. */
  preview(move: Move): Tally {
    const { catalog } = this.#parts.store;
    const places = new Map<string, string>();
    const moved: Moved[] = [];
    const duplicates: { id: string; kept: string }[] = [];
    const ids = this.#matchingIds(move);
    for (const id of ids) {
      const known = catalog.get(id) as CatalogEntry;
      const place = placeOf(known, move.to);
      const key = JSON.stringify(place);
      const kept = catalog.same(place) ?? places.get(key);
      if (kept !== undefined) duplicates.push({ id, kept });
      else {
        places.set(key, id);
        moved.push({ id, from: known.namespace });
      }
    }
    return { matches: ids.length, moved, duplicates };
  }

  /** Moves all selected entries, including those that arrive meanwhile; each is tried once. */
  async moveAll(move: Move): Promise<Tally> {
    const tried = new Set<string>();
    const moved: Moved[] = [];
    const duplicates: { id: string; kept: string }[] = [];
    for (let ids = this.#matchingIds(move); ids.length > 0; ids = this.#matchingIds(move).filter((id) => !tried.has(id))) {
      for (let start = 0; start < ids.length; start += BATCH) {
        const batch = ids.slice(start, start + BATCH);
        for (const id of batch) tried.add(id);
        const went = await this.#parts.limiter.many({ changes: batch.length, chars: 0 }, () => this.#moveBatch(batch, move));
        moved.push(...went.moved);
        duplicates.push(...went.duplicates);
        await this.#parts.yielder.pause();
      }
    }
    return { matches: tried.size, moved, duplicates };
  }

  async #moveBatch(ids: readonly string[], move: Move): Promise<Omit<Tally, 'matches'>> {
    const from = await Promise.all(ids.map((id) => this.#move(id, move)));
    const moved = ids.flatMap((id, nth) => (from[nth] === undefined ? [] : [{ id, from: from[nth] }]));
    const duplicates: { id: string; kept: string }[] = [];
    // Sequential, because two of them may be related to each other.
    for (const id of ids.filter((_, nth) => from[nth] === undefined)) {
      const kept = await this.#unite(id, move);
      if (kept !== undefined) duplicates.push({ id, kept });
    }
    return { moved, duplicates };
  }

  /** Moves archived entries to another namespace, without those of this run. Resolves with their number. */
  async moveArchived(from: ReadonlySet<string>, { to, run }: Pick<Move, 'to' | 'run'>): Promise<number> {
    const { store, limiter, yielder } = this.#parts;
    const cells = await store.auxiliary.archive.cells();
    const keys = cells.flatMap((row) => (from.has(String(row['namespace'])) ? [row.key] : []));
    let count = 0;
    for (let start = 0; start < keys.length; start += BATCH) {
      const batch = await store.auxiliary.archive.getMany(keys.slice(start, start + BATCH));
      await limiter.many({ changes: batch.length, chars: charsOf(batch) }, () => this.#moveInArchive(batch, to));
      count += batch.filter((archived) => archived.run !== run).length;
      await yielder.pause();
    }
    return count;
  }

  async #moveInArchive(batch: readonly ArchivedEntry[], to: string): Promise<void> {
    const { changes } = this.#parts.store.entries;
    await Promise.all(
      batch.map(async (archived) => {
        const value = { ...archived, entry: { ...archived.entry, ...placeOf(archived.entry, to) } };
        await changes.adopt({ op: 'side', table: 'archive', key: archived.entry.id, value }).catch(ignoreMissing);
      }),
    );
  }

  /** Oldest first: of two with the same text, the older one stays. */
  #matchingIds({ applies, to }: Move): string[] {
    return this.#parts.store.catalog.entries().flatMap((known) => (known.namespace !== to && applies(known) ? [known.id] : []));
  }

  /** Its former namespace; undefined if it did not move: it no longer exists, is no longer selected, or its exact text exists there. */
  async #move(id: string, { applies, to, by }: Move): Promise<string | undefined> {
    const { store, clock } = this.#parts;
    const known = store.catalog.get(id);
    if (known === undefined || store.catalog.same(placeOf(known, to)) !== undefined) return undefined;
    let from: string | undefined;
    const change = store.entries.update(
      id,
      (row) => {
        if (row.entry.namespace === to || !applies(row.entry)) return row;
        from = row.entry.namespace;
        return { ...row, entry: { ...row.entry, ...placeOf(row.entry, to), updatedAt: clock.now() } };
      },
      by,
    );
    return await change.then(
      () => from,
      (error: unknown) => {
        ignoreMissing(error);
        return undefined;
      },
    );
  }

  /** Merges into the existing entry the tags and relations of the other one, which is archived. Undefined if that is not possible. */
  async #unite(id: string, { applies, to, by, run }: Move): Promise<string | undefined> {
    const { store, clock } = this.#parts;
    const known = store.catalog.get(id);
    const kept = known && store.catalog.same(placeOf(known, to));
    if (known === undefined || kept === undefined || kept === id) return undefined;
    const isTwin = (entry: Entry, stays: Entry | undefined): boolean => {
      const place = placeOf(entry, to);
      return applies(entry) && stays?.contentHash === place.contentHash && stays.namespace === to && stays.container === place.container;
    };
    await this.#handOver(id, kept);
    try {
      const note = { at: clock.now(), reason: 'near duplicate', run, survivor: kept, similarity: 1 } as const;
      await store.entries.changes.archive(id, note, { by, holds: isTwin });
      return kept;
    } catch (error) {
      ignoreMissing(error);
      return undefined;
    }
  }

  async #handOver(id: string, kept: string): Promise<void> {
    const { store } = this.#parts;
    for (const relation of relationsOf(store, id)) {
      if (otherEnd(relation, id) === kept) continue;
      const handed = relation.sourceId === id ? { ...relation, sourceId: kept } : { ...relation, targetId: kept };
      if (store.auxiliary.graph.get(relationKey(handed)) !== undefined) continue;
      await store.entries.changes.relate(handed).catch(ignoreMissing);
    }
  }
}

type Placed = Pick<Entry, 'namespace' | 'container' | 'contentHash'>;

/** Its new location: a custom container stays; one named after the namespace is renamed. */
function placeOf({ namespace, container, contentHash }: Placed, to: string): Placed {
  return { namespace: to, container: container === namespace ? to : container, contentHash };
}

/** An entry that was deleted or changed in the meantime stays as it is. */
function ignoreMissing(error: unknown): void {
  if (!(error instanceof LoreError && ['not_found', 'invalid_input'].includes(error.code))) throw error;
}
