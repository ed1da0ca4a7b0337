import type { FreshRows } from './fresh-rows.ts';
import type { EntryVectors } from './rows.ts';

/** Vectors of one block of memory. */
const BLOCK_VECTORS = 1024;
const BYTES = 2;
/** Unit vectors hold numbers of -1..1; 16 bits keep a cosine to about 1e-5. */
const SCALE = 32_767;

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
  /** Id -> places of its first passage and of the further ones. */
  readonly #places = new Map<string, readonly number[]>();
  readonly #long = new Set<string>();
  #free: number[] = [];
  #next = 0;
  #state: 'filling' | 'ready' | 'full' = 'filling';

  constructor({ fingerprint, width, maxBytes }: { fingerprint: string; width: number; maxBytes: number }) {
    this.fingerprint = fingerprint;
    this.#width = width;
    this.#maxBytes = maxBytes;
  }

  /** Whether it holds every vector of its space that is in the table. */
  get isReady(): boolean {
    return this.#state === 'ready';
  }

  /** Whether the space needs more memory than it may take; it holds nothing then. */
  get isFull(): boolean {
    return this.#state === 'full';
  }

  /** Entries with further passages. */
  get longIds(): Iterable<string> {
    return this.#long;
  }

  finish(): void {
    if (this.#state === 'filling') this.#state = 'ready';
  }

  set(id: string, { first, further }: Pick<EntryVectors, 'first' | 'further'>): void {
    this.delete(id);
    if (this.isFull) return;
    const places = [first, ...further].map((vector) => this.#write(vector));
    this.#places.set(id, places);
    if (further.length > 0) this.#long.add(id);
    if (this.#blocks.length * BLOCK_VECTORS * this.#width * BYTES > this.#maxBytes) this.#giveUp();
  }

  delete(id: string): void {
    const places = this.#places.get(id);
    if (places === undefined) return;
    for (const place of places) this.#free.push(place);
    this.#places.delete(id);
    this.#long.delete(id);
  }

  /** Follows a generation of fresh rows into the table. */
  take({ rows, shadows }: FreshRows): void {
    for (const id of shadows) this.delete(id);
    for (const [id, { vectors }] of rows) {
      if (vectors?.embedder === this.fingerprint) this.set(id, vectors);
      else this.delete(id);
    }
  }

  /** Cosine of the first passage, or undefined where it is not known. */
  first(id: string, query: Float32Array): number | undefined {
    const place = this.#places.get(id)?.[0];
    return place === undefined ? undefined : this.#dot(place, query);
  }

  /** Best cosine of the further passages, or undefined where there are none. */
  further(id: string, query: Float32Array): number | undefined {
    const places = this.#places.get(id) ?? [];
    let best: number | undefined;
    for (let nth = 1; nth < places.length; nth += 1) best = Math.max(best ?? -1, this.#dot(places[nth]!, query));
    return best;
  }

  #write(vector: Float32Array): number {
    const place = this.#free.pop() ?? this.#next++;
    const block = (this.#blocks[Math.floor(place / BLOCK_VECTORS)] ??= new Int16Array(BLOCK_VECTORS * this.#width));
    const start = (place % BLOCK_VECTORS) * this.#width;
    for (let at = 0; at < this.#width; at += 1) block[start + at] = Math.round(vector[at]! * SCALE);
    return place;
  }

  /** Four sums side by side, which the processor works on at once. */
  #dot(place: number, query: Float32Array): number {
    const block = this.#blocks[Math.floor(place / BLOCK_VECTORS)]!;
    const start = (place % BLOCK_VECTORS) * this.#width;
    const end = this.#width - (this.#width % 4);
    let [a, b, c, d] = [0, 0, 0, 0];
    for (let at = 0; at < end; at += 4) {
      a += block[start + at]! * query[at]!;
      b += block[start + at + 1]! * query[at + 1]!;
      c += block[start + at + 2]! * query[at + 2]!;
      d += block[start + at + 3]! * query[at + 3]!;
    }
    for (let at = end; at < this.#width; at += 1) a += block[start + at]! * query[at]!;
    return (a + b + c + d) / SCALE;
  }

  #giveUp(): void {
    this.#state = 'full';
    this.#blocks = [];
    this.#places.clear();
    this.#long.clear();
    this.#free = [];
    this.#next = 0;
  }
}
