import { catalogEntryOf, type CatalogEntry } from '../catalog/catalog-entry.ts';
import type { Memtable } from '../memtable/memtable.ts';
import type { EntryVectors } from '../format/rows.ts';
import { HighestPlaces } from './highest-places.ts';
import { BLOCK_VECTORS, newGroup, VectorBlocks, type VectorGroup } from './vector-blocks.ts';

/** Size of the preselection relative to the result. */
const CHOSEN = 12;

/** An entry with further passages, and their slots. */
interface LongEntry {
  readonly known: CatalogEntry;
  readonly places: readonly number[];
}

/**
 * The vectors of one space in memory, 16 bits a number: 77 MB for 100,000 short entries of 384 numbers. An index gives candidates; fetching
 * their vectors from the table to compare them exactly costs as much as the search itself, and the further passages of long texts cost
 * several times that.
 */
export class VectorCache {
  readonly fingerprint: string;
  readonly #width: number;
  readonly #maxBytes: number;
  #blocks: VectorBlocks;
  /** Id -> slot of its first passage. */
  readonly #firsts = new Map<string, number>();
  /** Namespace -> id. */
  readonly #long = new Map<string, Map<string, LongEntry>>();
  /** Id of a long entry -> namespace, because an entry may return in another one. */
  readonly #longIn = new Map<string, string>();
  /** Slot of a first passage -> id; empty for others. */
  #ids: string[] = [];
  /** Namespace -> first passages. */
  readonly #groups = new Map<string, VectorGroup>();
  #further = newGroup();
  #state: 'filling' | 'ready' | 'full' = 'filling';

  constructor({ fingerprint, width, maxBytes }: { fingerprint: string; width: number; maxBytes: number }) {
    this.fingerprint = fingerprint;
    this.#width = width;
    this.#maxBytes = maxBytes;
    this.#blocks = new VectorBlocks(width);
  }

  /** Whether it has every vector of its space in the table. */
  get isReady(): boolean {
    return this.#state === 'ready';
  }

  /** Whether the space exceeds the memory limit; then it is empty. */
  get isFull(): boolean {
    return this.#state === 'full';
  }

  /** Entries with further passages, as in the table; only of the given namespaces, if any. */
  *long(namespaces?: readonly string[]): Iterable<LongEntry> {
    for (const namespace of namespaces ?? this.#long.keys()) yield* this.#long.get(namespace)?.values() ?? [];
  }

  finish(): void {
    if (this.#state === 'filling') this.#state = 'ready';
  }

  set(known: CatalogEntry, vectors: Pick<EntryVectors, 'first' | 'further'>): void {
    this.#set(known, vectors, () => known);
  }

  /** Few entries are long enough to need this. */
  #set(
    { id, namespace }: Pick<CatalogEntry, 'id' | 'namespace'>,
    { first, further }: Pick<EntryVectors, 'first' | 'further'>,
    known: () => CatalogEntry,
  ): void {
    this.delete(id);
    if (this.isFull) return;
    const place = this.#write(first, this.#groupOf(namespace), id);
    this.#firsts.set(id, place);
    if (further.length > 0) this.#setLong({ known: known(), places: further.map((vector) => this.#write(vector, this.#further, '')) });
    if (this.#blocks.bytes > this.#maxBytes) this.#giveUp();
  }

  delete(id: string): void {
    const first = this.#firsts.get(id);
    if (first === undefined) return;
    for (const place of [first, ...this.#dropLong(id)]) {
      this.#ids[place] = '';
      this.#blocks.release(place);
    }
    this.#firsts.delete(id);
  }

  /** Applies a flushed memtable. */
  take({ rows, outdatedIds }: Memtable): void {
    for (const id of outdatedIds) this.delete(id);
    for (const [id, row] of rows) {
      if (row.vectors?.embedder === this.fingerprint) this.#set(row.entry, row.vectors, () => catalogEntryOf(row));
      else this.delete(id);
    }
  }

  /**
   * Entries of one namespace with the nearest first passages, best first. A preselection uses a part of the dimensions, so one of the last
   * may be missing: only for hashed vectors.
   */
  nearest(
    query: Float32Array,
    { namespace, limit }: { readonly namespace: string; readonly limit: number },
  ): { id: string; cosine: number }[] {
    const group = this.#groups.get(namespace);
    if (group === undefined) return [];
    const chosen = new HighestPlaces(CHOSEN * limit);
    const dots = new Float64Array(BLOCK_VECTORS);
    for (const block of group.blocks) {
      this.#blocks.beginnings(block, query, dots);
      for (let nth = 0; nth < BLOCK_VECTORS; nth += 1) {
        const place = block * BLOCK_VECTORS + nth;
        // Most are not near: reading their ids takes as long as comparing them.
        if (dots[nth]! > chosen.least && (this.#ids[place] ?? '') !== '') chosen.add(place, dots[nth]!);
      }
    }
    const places = chosen.all();
    const nearest = new HighestPlaces(limit);
    for (const place of places) {
      const cosine = this.#blocks.dot(place, query);
      if (cosine > nearest.least) nearest.add(place, cosine);
    }
    return nearest
      .all()
      .map((place) => ({ id: this.#ids[place]!, cosine: this.#blocks.dot(place, query) }))
      .toSorted((a, b) => b.cosine - a.cosine);
  }

  /** Cosine of the first passage, or undefined if unknown. */
  first(id: string, query: Float32Array): number | undefined {
    const place = this.#firsts.get(id);
    return place === undefined ? undefined : this.#blocks.dot(place, query);
  }

  /** Best cosine of the further passages. */
  further({ places }: LongEntry, query: Float32Array): number {
    let best = -1;
    for (const place of places) best = Math.max(best, this.#blocks.dot(place, query));
    return best;
  }

  /** Cosine of every passage, in order, or undefined if unknown. */
  all(id: string, query: Float32Array): number[] | undefined {
    const first = this.first(id, query);
    if (first === undefined) return undefined;
    return [first, ...this.#placesOf(id).map((place) => this.#blocks.dot(place, query))];
  }

  #placesOf(id: string): readonly number[] {
    const namespace = this.#longIn.get(id);
    return (namespace === undefined ? undefined : this.#long.get(namespace)?.get(id)?.places) ?? [];
  }

  #setLong(entry: LongEntry): void {
    const { id, namespace } = entry.known;
    const others = this.#long.get(namespace);
    if (others === undefined) this.#long.set(namespace, new Map([[id, entry]]));
    else others.set(id, entry);
    this.#longIn.set(id, namespace);
  }

  /** The freed slots. */
  #dropLong(id: string): readonly number[] {
    const places = this.#placesOf(id);
    const namespace = this.#longIn.get(id);
    if (namespace === undefined) return [];
    const others = this.#long.get(namespace);
    others?.delete(id);
    if (others?.size === 0) this.#long.delete(namespace);
    this.#longIn.delete(id);
    return places;
  }

  #groupOf(namespace: string): VectorGroup {
    const known = this.#groups.get(namespace);
    if (known !== undefined) return known;
    const group = newGroup();
    this.#groups.set(namespace, group);
    return group;
  }

  #write(vector: Float32Array, group: VectorGroup, id: string): number {
    const place = this.#blocks.write(vector, group);
    this.#ids[place] = id;
    return place;
  }

  #giveUp(): void {
    this.#state = 'full';
    this.#blocks = new VectorBlocks(this.#width);
    this.#firsts.clear();
    this.#ids = [];
    this.#groups.clear();
    this.#further = newGroup();
    this.#long.clear();
    this.#longIn.clear();
  }
}
