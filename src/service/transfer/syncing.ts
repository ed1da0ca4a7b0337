import { carriedOf, type Carried } from '../../memory/entry-fields.ts';
import { LoreError } from '../../memory/errors.ts';
import type { ArchivedEntry } from '../../memory/lifecycle.ts';
import { isRelationKey, relationKey, relationOfKey, type Relation } from '../../memory/relation.ts';
import type { CallOptions } from '../../memory/operations/operations.ts';
import type {
  SyncApplied,
  SyncApplyRequest,
  SyncDigests,
  SyncDigestsRequest,
  SyncEntries,
  SyncEntriesRequest,
  SyncEntry,
  SyncOperations,
  SyncStamp,
  SyncStamps,
  SyncStampsRequest,
} from '../../memory/operations/sync-operations.ts';
import type { Tombstone } from '../../memory/tombstone.ts';
import type { EntryRow, EntryVectors } from '../../store/format/rows.ts';
import { SyncReceiving, type ReceivingParts } from './sync-receiving.ts';
import {
  archivedStamp,
  BucketDigests,
  bucketOf,
  isSynced,
  relationBytes,
  stampOf,
  tombstoneBytes,
  tombstoneStamp,
  versionBytes,
} from './sync-versions.ts';
import { EventLoopYielder } from '../event-loop-yielder.ts';

/** Approximate size of the texts and vectors in one response. */
const ANSWER_CHARS = 8 * 1024 * 1024;
const READ_ROWS = 200;

interface Parts extends ReceivingParts {
  /** Longest request body, bytes. */
  readonly maxLineBytes: number;
}

/** One side of a sync of two stores: reports its state, sends entries, and applies newer ones. Stores nothing about the other side. */
export class Syncing implements SyncOperations {
  readonly #parts: Parts;
  readonly #receiving: SyncReceiving;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#receiving = new SyncReceiving(parts);
  }

  async digests({ namespace, buckets }: SyncDigestsRequest): Promise<SyncDigests> {
    const { store, space, maxLineBytes } = this.#parts;
    const yielder = new EventLoopYielder();
    const digests = new BucketDigests(buckets);
    let [entries, oldest] = [0, Infinity];
    // A copy, because others may write during a pause.
    for (const known of store.catalog.entries(namespace).slice()) {
      if (!isSynced(known)) continue;
      entries += 1;
      oldest = Math.min(oldest, known.arrivedAt ?? known.createdAt);
      digests.put(bucketOf(known.id, buckets), versionBytes(known));
      await yielder.pause();
    }
    for (const relation of this.#manual(namespace)) digests.put(bucketOf(relation.sourceId, buckets), relationBytes(relation));
    return {
      entries,
      digests: digests.texts(),
      embedder: space().fingerprint,
      maxBytes: maxLineBytes,
      tombstones: this.#tombstoneDigests(namespace, buckets),
      tombstonesSince: store.auxiliary.tombstones.horizon,
      ...(entries > 0 && { oldest }),
    };
  }

  /** Undefined if there are no tombstones. */
  #tombstoneDigests(namespace: string, buckets: number): string[] {
    const all = [...this.#parts.store.auxiliary.tombstones.of(namespace)];
    const digests = new BucketDigests(buckets);
    for (const tombstone of all) digests.put(bucketOf(ownerOf(tombstone), buckets), tombstoneBytes(tombstone));
    return all.length === 0 ? [] : digests.texts();
  }

  /** Unordered. Rejects with `invalid_input` if the request names buckets without their number. */
  async stamps(request: SyncStampsRequest, { namespace: only }: CallOptions = {}): Promise<SyncStamps> {
    const { namespace, buckets, of, ids } = request;
    if (of !== undefined && buckets === undefined) throw new LoreError('invalid_input', 'buckets is required where `of` is given');
    const { store } = this.#parts;
    const wanted = new Set(of);
    const isOpened = (id: string): boolean => buckets !== undefined && wanted.has(bucketOf(id, buckets));
    const named = new Set(ids);
    const isVisible = (place: string): boolean => only === undefined || place === only;
    const live = store.catalog.entries(namespace).filter(({ id }) => isOpened(id));
    for (const id of named) {
      const known = store.catalog.get(id);
      if (known !== undefined && isVisible(known.namespace) && !(known.namespace === namespace && isOpened(id))) live.push(known);
    }
    const cells = (await store.auxiliary.archive.cells()).filter(
      ({ key, namespace: place }) => named.has(key) || (place === namespace && isOpened(key)),
    );
    const archived = (await store.auxiliary.archive.getMany(cells.map(({ key }) => key))).filter(
      ({ entry }) => isVisible(entry.namespace) && store.catalog.get(entry.id) === undefined,
    );
    const opened = [...store.auxiliary.tombstones.of(namespace)].filter((tombstone) => isOpened(ownerOf(tombstone)));
    const found = opened.filter(({ id }) => !isRelationKey(id) && !named.has(id));
    const unrelated = opened.flatMap(({ id, at }) => (isRelationKey(id) ? [{ ...relationOfKey(id), at }] : []));
    for (const id of named) {
      const tombstone = store.auxiliary.tombstones.get(id);
      if (tombstone !== undefined && isVisible(tombstone.namespace)) found.push(tombstone);
    }
    const entries = [...live.filter(isSynced).map(stampOf), ...archived.filter(({ entry }) => isSynced(entry)).map(archivedStamp)];
    return {
      stamps: [...(await this.#withPast(entries, request)), ...found.map((tombstone) => stampOfTombstone(tombstone, request))],
      relations: [...this.#manual(namespace)].filter(({ sourceId }) => isOpened(sourceId)),
      ...(request.tombstones === true && { unrelated }),
    };
  }

  /** Every version but the first replaced one in the history, unless that one came from another store. */
  async #withPast(stamps: readonly SyncStamp[], { past, ids }: SyncStampsRequest): Promise<readonly SyncStamp[]> {
    if (past !== true || ids === undefined) return stamps;
    const { catalog, auxiliary } = this.#parts.store;
    return await Promise.all(
      stamps.map(async (stamp) => {
        const versions = await auxiliary.history.find('entry_id', stamp.id);
        const createdAt = catalog.get(stamp.id)?.createdAt ?? stamp.at;
        const times = [createdAt, ...versions.map(({ writtenAt }) => writtenAt)].filter((at) => at < stamp.at);
        return { ...stamp, past: [...new Set(times)] };
      }),
    );
  }

  async entries({ namespace, ids, vectorsOf }: SyncEntriesRequest): Promise<SyncEntries> {
    const { store } = this.#parts;
    const entries: SyncEntry[] = [];
    const relations = new Map<string, Relation>();
    let charsLeft = ANSWER_CHARS;
    let taken = 0;
    while (taken < ids.length && charsLeft > 0) {
      const batch = ids.slice(taken, taken + READ_ROWS);
      const rows = await store.entries.rows(batch);
      const archive = new Map(
        (await store.auxiliary.archive.getMany(batch.filter((id) => !rows.has(id)))).map((one) => [one.entry.id, one]),
      );
      for (const id of batch) {
        if (charsLeft <= 0) break;
        taken += 1;
        const row = rows.get(id) ?? awayRow(archive.get(id));
        if (row === undefined || row.entry.namespace !== namespace || !isSynced(row.entry)) continue;
        const sent = sentEntry(row, vectorsOf);
        entries.push(sent);
        charsLeft -= sizeOf(sent);
        for (const relation of this.#found(id, namespace)) relations.set(relationKey(relation), relation);
      }
    }
    return { entries, relations: [...relations.values()], rest: ids.slice(taken) };
  }

  apply(request: SyncApplyRequest, options: CallOptions = {}): Promise<SyncApplied> {
    return this.#receiving.apply(request, options);
  }

  /** Manual relations within the namespace. */
  *#manual(namespace: string): Generator<Relation> {
    for (const relation of this.#parts.store.auxiliary.graph.all()) {
      if (relation.origin === 'manual' && this.#isWithin(relation, namespace)) yield relation;
    }
  }

  /** Relations that Lore found for this entry. */
  #found(id: string, namespace: string): Relation[] {
    const { graph } = this.#parts.store.auxiliary;
    return [...graph.from(id), ...graph.to(id)].filter((relation) => relation.origin === 'auto' && this.#isWithin(relation, namespace));
  }

  #isWithin({ sourceId, targetId }: Relation, namespace: string): boolean {
    const { catalog } = this.#parts.store;
    return [sourceId, targetId].every((id) => {
      const known = catalog.get(id);
      return known !== undefined && known.namespace === namespace && isSynced(known);
    });
  }
}

/** The entry that determines the bucket: for a relation its source. */
const ownerOf = ({ id }: Tombstone): string => (isRelationKey(id) ? relationOfKey(id).sourceId : id);

/** The stamp of a permanent deletion. An earlier version of Lore receives it as `forgotten`. */
function stampOfTombstone(tombstone: Tombstone, { tombstones = false }: SyncStampsRequest): SyncStamp {
  return { ...tombstoneStamp(tombstone), ...(!tombstones && { state: 'forgotten' }) };
}

/** Entries that maintenance archived are sent unchanged; forgotten ones are not sent. */
function awayRow(archived: ArchivedEntry | undefined): EntryRow | undefined {
  if (archived === undefined || archived.reason === 'forgotten') return undefined;
  return { entry: archived.entry, searchText: '', vectors: undefined };
}

function sentEntry({ entry, vectors }: EntryRow, vectorsOf: string | undefined): SyncEntry {
  const { id, content, container, tags, priority, importance, source, createdAt, updatedAt } = entry;
  return {
    id,
    content,
    container,
    tags: [...tags],
    priority,
    importance,
    source,
    ...(carriedOf(entry) as Partial<Pick<SyncEntry, Carried>>),
    createdAt,
    updatedAt,
    ...(vectors !== undefined && vectors.embedder === vectorsOf && { vectors: sentVectors(vectors) }),
  };
}

function sentVectors({ embedder, first, further }: EntryVectors): NonNullable<SyncEntry['vectors']> {
  return { embedder, first: base64(first), further: further.map(base64) };
}

const base64 = ({ buffer, byteOffset, byteLength }: Float32Array): string => Buffer.from(buffer, byteOffset, byteLength).toString('base64');

function sizeOf({ content, vectors }: SyncEntry): number {
  return content.length + (vectors === undefined ? 0 : vectors.first.length * (1 + vectors.further.length));
}
