import { randomUUID } from 'node:crypto';
import type { Clock } from '../../memory/clock.ts';
import type { Entry, Source } from '../../memory/entry.ts';
import { relationKey, type Relation } from '../../memory/relation.ts';
import type { CallOptions } from '../../memory/operations/operations.ts';
import type { SyncApplied, SyncApplyRequest, SyncEntry } from '../../memory/operations/sync-operations.ts';
import { actionOf, isLater, isLaterRelation } from '../../memory/sync-order.ts';
import { embeddedKey } from '../../store/format/content-hash.ts';
import { replacedVersion } from '../../store/write/decisions.ts';
import type { EntryRow, EntryVectors } from '../../store/format/rows.ts';
import type { Store } from '../../store/store.ts';
import { draftEntry, searchTextOf, type Drafting, type EntryFacts } from '../changes/drafting.ts';
import type { Secrets } from '../secrets.ts';
import { applyTombstones, forgetAll, unrelateAll } from './sync-deletions.ts';
import { wasApplied, isVisible, localStatesOf, ignoreConflict, type SyncOrigin, type LocalState, type Tally } from './sync-local-state.ts';
import { stampOf } from './sync-versions.ts';
import { EventLoopYielder } from '../event-loop-yielder.ts';
import type { WriteLimiter } from '../write-limiter.ts';

export interface ReceivingParts {
  readonly store: Store;
  readonly drafting: Drafting;
  readonly secrets: Secrets;
  readonly limiter: WriteLimiter;
  readonly clock: Clock;
  /** Of the active embedder: vectors of the same model are kept, others are computed again. */
  readonly space: () => { readonly fingerprint: string; readonly width: number };
  /** Called for every new entry. */
  readonly onStored: (id: string) => void;
  /** Called for every entry with a changed text or namespace. */
  readonly onEdited: (id: string) => void;
}

/** An entry that is newer than the local one. */
interface Arrival {
  readonly row: EntryRow;
  readonly own: LocalState;
}
type Outcome = 'stored' | 'changed' | 'restored' | 'kept' | 'duplicate';

/** Applies versions of another store, one by one, if they are newer than the local ones. */
export class SyncReceiving {
  readonly #parts: ReceivingParts;

  constructor(parts: ReceivingParts) {
    this.#parts = parts;
  }

  async apply(request: SyncApplyRequest, { namespace: only, source: by = 'api' }: CallOptions): Promise<SyncApplied> {
    const { namespace, entries = [], forgotten = [], tombstones = [], unrelated = [], relations = [], settle = false } = request;
    const origin: SyncOrigin = { by, run: randomUUID(), only };
    const tally: Tally = {
      stored: 0,
      changed: 0,
      restored: 0,
      forgotten: 0,
      removed: 0,
      tombstones: 0,
      related: 0,
      unrelated: 0,
      putAway: 0,
      kept: 0,
    };
    const chars = entries.reduce((sum, { content }) => sum + content.length, 0);
    const duplicates: string[] = [];
    const changes = entries.length + forgotten.length + tombstones.length + unrelated.length + relations.length;
    await this.#parts.limiter.many({ changes, chars }, async () => {
      // First, because an archived entry makes room for the same text under another id.
      await applyTombstones(this.#parts.store, { tombstones, namespace }, { origin, tally });
      await forgetAll(this.#parts.store, forgotten, { origin, tally });
      await unrelateAll(this.#parts.store, { unrelated, namespace }, { origin, tally });
      const arrivals = await this.#arrivals(entries, { namespace, origin, tally });
      const left = await this.#placeAll(arrivals, origin, tally);
      if (settle) await this.#settle(left, origin, tally);
      else duplicates.push(...left.map(({ row }) => row.entry.id));
      await this.#relateAll(relations, namespace, tally);
    });
    return { ...tally, twins: duplicates };
  }

  /** The newer versions as rows; the others are counted as kept. */
  async #arrivals(
    entries: readonly SyncEntry[],
    { namespace, origin, tally }: { namespace: string; origin: SyncOrigin; tally: Tally },
  ): Promise<Arrival[]> {
    const owns = await localStatesOf(
      this.#parts.store,
      entries.map(({ id }) => id),
    );
    const yielder = new EventLoopYielder();
    const later: { entry: Entry; own: LocalState; vectors: EntryVectors | undefined }[] = [];
    for (const given of entries) {
      const own = owns.get(given.id) ?? {};
      const { entry, vectors } = this.#draft(given, namespace, origin.by);
      await yielder.pause();
      if (isVisible(own, origin) && actionOf(stampOf(entry), own.standing) !== undefined) later.push({ entry, own, vectors });
      else tally.kept += 1;
    }
    // The vectors fit, because text and tags are unchanged.
    const isReady = ({ entry, own, vectors }: (typeof later)[number]): boolean =>
      vectors !== undefined || own.embedded === embeddedKey(entry);
    const made = (await this.#parts.drafting.rows(later.filter((one) => !isReady(one)).map(({ entry }) => entry))).values();
    return await Promise.all(
      later.map(async (one) => {
        const { entry, own, vectors } = one;
        const row = isReady(one) ? { entry, searchText: await searchTextOf(entry), vectors } : (made.next().value as EntryRow);
        return { row, own };
      }),
    );
  }

  #draft(given: SyncEntry, namespace: string, by: Source): { entry: Entry; vectors: EntryVectors | undefined } {
    const { secrets } = this.#parts;
    const { texts, kinds } = secrets.redacts(by, given.source) ? secrets.redacted(given) : { texts: given, kinds: [] };
    const { vectors, entities, ...facts } = texts;
    // Its vectors and names were derived from the text with the secrets.
    const isSame = kinds.length === 0;
    const entry = draftEntry({
      ...(facts as Omit<EntryFacts, 'namespace'>),
      namespace,
      arrivedAt: Date.now(),
      ...(isSame && entities !== undefined && { entities }),
    });
    return { entry, vectors: isSame ? this.#carried(entry.content, vectors) : undefined };
  }

  /** The received vectors, if they are of the model that would be used here. */
  #carried(content: string, vectors: SyncEntry['vectors']): EntryVectors | undefined {
    const { fingerprint, width } = this.#parts.space();
    if (vectors?.embedder !== fingerprint) return undefined;
    const [first, ...further] = [vectors.first, ...vectors.further].map(floatsOf) as [Float32Array, ...Float32Array[]];
    const isOfWidth = [first, ...further].every((vector) => vector.length === width && Math.abs(Math.hypot(...vector) - 1) < 0.01);
    if (!isOfWidth || this.#parts.drafting.countPassages(content) !== 1 + further.length) return undefined;
    return { embedder: fingerprint, first, further };
  }

  /** Entries whose text exists under another id. */
  async #placeAll(arrivals: readonly Arrival[], origin: SyncOrigin, tally: Tally): Promise<Arrival[]> {
    const left: Arrival[] = [];
    await Promise.all(
      arrivals.map(async (arrival) => {
        const outcome = await this.#place(arrival, origin);
        if (outcome === 'duplicate') left.push(arrival);
        else tally[outcome] += 1;
      }),
    );
    return left;
  }

  async #place({ row, own }: Arrival, { by }: SyncOrigin): Promise<Outcome> {
    const { store, onStored, onEdited } = this.#parts;
    const { entry } = row;
    if (this.#duplicateOf(entry) !== undefined) return 'duplicate';
    try {
      if (own.standing === undefined || own.standing.state === 'removed') {
        const { status } = await store.entries.insert(row);
        if (status === 'duplicate') return 'duplicate';
        onStored(entry.id);
        return 'stored';
      }
      if (own.archived !== undefined) {
        await this.#keepPast(own.archived.entry, entry, by);
        await store.entries.changes.restore(own.archived, row);
        onEdited(entry.id);
        return 'restored';
      }
      const isChanged = await this.#change(row, by);
      if (isChanged && (own.contentHash !== entry.contentHash || own.namespace !== entry.namespace)) onEdited(entry.id);
      return isChanged ? 'changed' : 'kept';
    } catch (error) {
      ignoreConflict(error);
      return this.#duplicateOf(entry) === undefined ? 'kept' : 'duplicate';
    }
  }

  /** The entry with its exact text in the same place. */
  #duplicateOf(entry: Entry): string | undefined {
    const duplicate = this.#parts.store.catalog.same(entry);
    return duplicate === entry.id ? undefined : duplicate;
  }

  async #change({ entry, searchText, vectors }: EntryRow, by: Source): Promise<boolean> {
    let isChanged = false;
    await this.#parts.store.entries.changes.updateAsGiven(
      entry.id,
      (now) => {
        if (!isLater(stampOf(entry), stampOf(now.entry))) return now;
        isChanged = true;
        // Supersession follows from the relations of this store.
        const { superseded } = now.entry;
        const isSame = embeddedKey(now.entry) === embeddedKey(entry);
        return {
          entry: { ...entry, ...(superseded === true && { superseded }) },
          searchText,
          vectors: isSame ? (now.vectors ?? vectors) : vectors,
        };
      },
      by,
    );
    return isChanged;
  }

  /** Stores a replaced version in the history. */
  async #keepPast(before: Entry, after: Entry, by: Source): Promise<void> {
    const record = replacedVersion({ before, after, by });
    if (record !== undefined) await this.#parts.store.entries.changes.adopt(record);
  }

  /**
   * The texts of the remaining entries exist under other ids. Some conflicts resolve themselves if texts were swapped; the rest are
   * archived one by one, because each makes room for others.
   */
  async #settle(duplicates: readonly Arrival[], origin: SyncOrigin, tally: Tally): Promise<void> {
    let left = duplicates;
    const archived: Arrival[] = [];
    while (left.length > 0) {
      const still: Arrival[] = [];
      for (const arrival of left) still.push(...(await this.#placeAll([arrival], origin, tally)));
      const [first, ...others] = still;
      if (still.length < left.length || first === undefined) left = still;
      else {
        if (await this.#archiveDuplicate(first, origin)) archived.push(first);
        else tally.kept += 1;
        left = others;
      }
    }
    for (const { row, own } of archived) {
      const note = await this.#parts.store.auxiliary.archive.get(row.entry.id);
      const isFree = note !== undefined && this.#duplicateOf(row.entry) === undefined;
      if (!isFree) tally.putAway += 1;
      else tally[own.standing === undefined || own.standing.state === 'removed' ? 'stored' : 'changed'] += 1;
      if (isFree) await this.#parts.store.entries.changes.restore(note, row).catch(ignoreConflict);
    }
  }

  /** Archives an entry that was never visible here, or its local version. False if another process was faster. */
  async #archiveDuplicate({ row: { entry }, own }: Arrival, { by, run }: SyncOrigin): Promise<boolean> {
    const { store, clock } = this.#parts;
    const { changes } = store.entries;
    const survivor = this.#duplicateOf(entry);
    const note = { at: clock.now(), reason: 'near duplicate', run } as const;
    const isLive = store.catalog.get(entry.id) !== undefined;
    if (isLive && !(await wasApplied(changes.archive(entry.id, note, { by, holds: (now) => isLater(stampOf(entry), stampOf(now)) })))) {
      return false;
    }
    const before = isLive ? await store.auxiliary.archive.get(entry.id) : own.archived;
    if (before !== undefined) await this.#keepPast(before.entry, entry, by);
    const value = { ...note, ...(survivor !== undefined && { survivor, similarity: 1 }), entry, relations: before?.relations ?? [] };
    return await wasApplied(changes.adopt({ op: 'side', table: 'archive', key: entry.id, value }));
  }

  async #relateAll(relations: readonly Relation[], namespace: string, tally: Tally): Promise<void> {
    const { catalog, auxiliary, entries } = this.#parts.store;
    const isThere = (id: string): boolean => catalog.get(id)?.namespace === namespace;
    await Promise.all(
      relations.map(async (relation) => {
        const own = auxiliary.graph.get(relationKey(relation));
        const isNew = own === undefined || (relation.origin === 'manual' && (own.origin === 'auto' || isLaterRelation(relation, own)));
        const tombstone = relation.origin === 'manual' ? auxiliary.tombstones.get(relationKey(relation)) : undefined;
        const isOver = tombstone !== undefined && tombstone.at >= relation.createdAt;
        const applies = isNew && !isOver && isThere(relation.sourceId) && isThere(relation.targetId);
        const isRelated = applies && (await wasApplied(entries.changes.relate(relation)));
        // Relations found automatically follow their entries; only manual ones are changes of their own.
        if (relation.origin === 'manual') tally[isRelated ? 'related' : 'kept'] += 1;
      }),
    );
  }
}

function floatsOf(text: string): Float32Array {
  const bytes = Buffer.from(text, 'base64');
  // A copy, because floats must be aligned.
  return new Float32Array(new Uint8Array(bytes.subarray(0, bytes.length - (bytes.length % 4))).buffer);
}
