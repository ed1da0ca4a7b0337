import { catalogEntryOf, type CatalogEntry } from '../catalog/catalog-entry.ts';
import type { Memtable } from '../memtable/memtable.ts';
import type { EntryVectors } from '../format/rows.ts';

/** Vectors of one block of memory. */
const BLOCK_VECTORS = 1024;
const BYTES = 2;
/** Unit vectors have numbers of -1..1; 16 bits keep a cosine to about 1e-5. */
const SCALE = 32_767;

/**
 * Number of dimensions for the preselection; the selected vectors are compared completely. For hashed vectors, any part is about equally
 * informative.
 */
const SAMPLE = 128;
/** Size of the preselection relative to the result. */
const CHOSEN = 12;

/** Slot of a vector, and its similarity. */
interface Near {
  readonly place: number;
  readonly cosine: number;
}

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
  #blocks: Int16Array[] = [];
  /** Id -> slot of its first passage. */
  readonly #firsts = new Map<string, number>();
  /** Namespace -> id. */
  readonly #long = new Map<string, Map<string, LongEntry>>();
  /** Id of a long entry -> namespace, because an entry may return in another one. */
  readonly #longIn = new Map<string, string>();
  /** Slot of a first passage -> id; empty for others. */
  #ids: string[] = [];
  /** Slot of a first passage -> number of its namespace; 0 for others. */
  #spaces: number[] = [];
  readonly #numbers = new Map<string, number>();
  #free: number[] = [];
  #next = 0;
  #state: 'filling' | 'ready' | 'full' = 'filling';

  constructor({ fingerprint, width, maxBytes }: { fingerprint: string; width: number; maxBytes: number }) {
    this.fingerprint = fingerprint;
    this.#width = width;
    this.#maxBytes = maxBytes;
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
    const place = this.#write(first);
    this.#firsts.set(id, place);
    this.#ids[place] = id;
    this.#spaces[place] = this.#numberOf(namespace);
    if (further.length > 0) this.#setLong({ known: known(), places: further.map((vector) => this.#write(vector)) });
    if (this.#blocks.length * BLOCK_VECTORS * this.#width * BYTES > this.#maxBytes) this.#giveUp();
  }

  delete(id: string): void {
    const first = this.#firsts.get(id);
    if (first === undefined) return;
    this.#ids[first] = '';
    this.#spaces[first] = 0;
    this.#free.push(first, ...this.#dropLong(id));
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
    const wanted = this.#numbers.get(namespace);
    if (wanted === undefined) return [];
    const most = CHOSEN * limit;
    let chosen: Near[] = [];
    let least = -Infinity;
    for (let place = 0; place < this.#spaces.length; place += 1) {
      if (this.#spaces[place] !== wanted) continue;
      const cosine = this.#dot(place, query, Math.min(SAMPLE, this.#width));
      if (cosine <= least) continue;
      chosen.push({ place, cosine });
      if (chosen.length < 2 * most) continue;
      chosen = nearestOf(chosen, most);
      least = chosen.at(-1)!.cosine;
    }
    const exact = nearestOf(chosen, most).map(({ place }) => ({ place, cosine: this.#dot(place, query) }));
    return nearestOf(exact, limit).map(({ place, cosine }) => ({ id: this.#ids[place]!, cosine }));
  }

  /** Cosine of the first passage, or undefined if unknown. */
  first(id: string, query: Float32Array): number | undefined {
    const place = this.#firsts.get(id);
    return place === undefined ? undefined : this.#dot(place, query);
  }

  /** Best cosine of the further passages. */
  further({ places }: LongEntry, query: Float32Array): number {
    let best = -1;
    for (const place of places) best = Math.max(best, this.#dot(place, query));
    return best;
  }

  /** Cosine of every passage, in order, or undefined if unknown. */
  all(id: string, query: Float32Array): number[] | undefined {
    const first = this.first(id, query);
    if (first === undefined) return undefined;
    return [first, ...this.#placesOf(id).map((place) => this.#dot(place, query))];
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

  #numberOf(namespace: string): number {
    const known = this.#numbers.get(namespace);
    if (known !== undefined) return known;
    const number = this.#numbers.size + 1;
    this.#numbers.set(namespace, number);
    return number;
  }

  #write(vector: Float32Array): number {
    const place = this.#free.pop() ?? this.#next++;
    this.#ids[place] = '';
    this.#spaces[place] = 0;
    const block = (this.#blocks[Math.floor(place / BLOCK_VECTORS)] ??= new Int16Array(BLOCK_VECTORS * this.#width));
    const start = (place % BLOCK_VECTORS) * this.#width;
    for (let at = 0; at < this.#width; at += 1) block[start + at] = Math.round(vector[at]! * SCALE);
    return place;
  }

  /** Four independent sums, which the processor computes in parallel. */
  #dot(place: number, query: Float32Array, numbers = this.#width): number {
    const block = this.#blocks[Math.floor(place / BLOCK_VECTORS)]!;
    const start = (place % BLOCK_VECTORS) * this.#width;
    const end = numbers - (numbers % 4);
    let [a, b, c, d] = [0, 0, 0, 0];
    for (let at = 0; at < end; at += 4) {
      a += block[start + at]! * query[at]!;
      b += block[start + at + 1]! * query[at + 1]!;
      c += block[start + at + 2]! * query[at + 2]!;
      d += block[start + at + 3]! * query[at + 3]!;
    }
    for (let at = end; at < numbers; at += 1) a += block[start + at]! * query[at]!;
    return (a + b + c + d) / SCALE;
  }

  #giveUp(): void {
    this.#state = 'full';
    this.#blocks = [];
    this.#firsts.clear();
    this.#ids = [];
    this.#spaces = [];
    this.#numbers.clear();
    this.#long.clear();
    this.#longIn.clear();
    this.#free = [];
    this.#next = 0;
  }
}

const nearestOf = (some: readonly Near[], limit: number): Near[] => some.toSorted((a, b) => b.cosine - a.cosine).slice(0, limit);
