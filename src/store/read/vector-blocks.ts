/** Vectors of one block of memory: their beginnings fill one page, and a small namespace wastes little. */
export const BLOCK_VECTORS = 16;
const BYTES = 2;
/** Unit vectors have numbers of -1..1; 16 bits keep a cosine to about 1e-5. */
const SCALE = 32_767;
/** Number of dimensions for a preselection. For hashed vectors, any part is about equally informative. */
const SAMPLE = 128;

/** Vectors that are read one after another, in blocks of their own. */
export interface VectorGroup {
  readonly blocks: number[];
  readonly free: number[];
  /** Number of slots that were ever used. */
  used: number;
}

export const newGroup = (): VectorGroup => ({ blocks: [], free: [], used: 0 });

/**
 * Vectors of one width in memory, by slot, 16 bits a number. A block first holds the beginnings of its vectors, then the rest of each:
 * memory that is read in order takes a third of the time.
 */
export class VectorBlocks {
  readonly #width: number;
  readonly #sample: number;
  readonly #blocks: Int16Array[] = [];
  /** Group of each block. */
  readonly #groups: VectorGroup[] = [];
  /** Blocks of groups that are empty now. */
  readonly #spare: number[] = [];
  #count = 0;

  constructor(width: number) {
    this.#width = width;
    this.#sample = Math.min(SAMPLE, width);
  }

  /** Of the vectors, without slots that are free. */
  get bytes(): number {
    return this.#count * this.#width * BYTES;
  }

  /** Stores a vector in a free slot. */
  write(vector: Float32Array, group: VectorGroup): number {
    const place = group.free.pop() ?? this.#next(group);
    const block = this.#blocks[Math.floor(place / BLOCK_VECTORS)]!;
    const nth = place % BLOCK_VECTORS;
    const [first, rest] = [nth * this.#sample, this.#restOf(nth)];
    for (let at = 0; at < this.#sample; at += 1) block[first + at] = Math.round(vector[at]! * SCALE);
    for (let at = this.#sample; at < this.#width; at += 1) block[rest + at] = Math.round(vector[at]! * SCALE);
    this.#count += 1;
    return place;
  }

  /** Dot product of a vector and a query. */
  dot(place: number, query: Float32Array): number {
    const block = this.#blocks[Math.floor(place / BLOCK_VECTORS)]!;
    const nth = place % BLOCK_VECTORS;
    const first = sumOf(block, { start: nth * this.#sample, from: 0, to: this.#sample }, query);
    return (first + sumOf(block, { start: this.#restOf(nth), from: this.#sample, to: this.#width }, query)) / SCALE;
  }

  /** Dot products of the beginnings of a query and of the vectors of one block. In place, because this runs for thousands of vectors. */
  beginnings(number: number, query: Float32Array, dots: Float64Array): void {
    const block = this.#blocks[number]!;
    const sample = this.#sample;
    const end = sample - (sample % 4);
    for (let nth = 0; nth < BLOCK_VECTORS; nth += 1) {
      const start = nth * sample;
      let [a, b, c, d] = [0, 0, 0, 0];
      for (let at = 0; at < end; at += 4) {
        a += block[start + at]! * query[at]!;
        b += block[start + at + 1]! * query[at + 1]!;
        c += block[start + at + 2]! * query[at + 2]!;
        d += block[start + at + 3]! * query[at + 3]!;
      }
      for (let at = end; at < sample; at += 1) a += block[start + at]! * query[at]!;
      dots[nth] = (a + b + c + d) / SCALE;
    }
  }

  /** Frees a slot. */
  release(place: number): void {
    const group = this.#groups[Math.floor(place / BLOCK_VECTORS)]!;
    this.#count -= 1;
    group.free.push(place);
    if (group.free.length < group.used) return;
    this.#spare.push(...group.blocks);
    group.blocks.length = 0;
    group.free.length = 0;
    group.used = 0;
  }

  #next(group: VectorGroup): number {
    const nth = group.used % BLOCK_VECTORS;
    if (nth === 0) {
      const block = this.#spare.pop() ?? this.#blocks.push(new Int16Array(BLOCK_VECTORS * this.#width)) - 1;
      this.#groups[block] = group;
      group.blocks.push(block);
    }
    group.used += 1;
    return group.blocks.at(-1)! * BLOCK_VECTORS + nth;
  }

  /** Where number 0 of a vector would be if its rest had all numbers. */
  #restOf(nth: number): number {
    return BLOCK_VECTORS * this.#sample + nth * (this.#width - this.#sample) - this.#sample;
  }
}

interface Part {
  /** Place of number 0 in the block. */
  readonly start: number;
  readonly from: number;
  readonly to: number;
}

/** Dot product of some numbers: four independent sums, which the processor computes in parallel. */
function sumOf(block: Int16Array, { start, from, to }: Part, query: Float32Array): number {
  const end = to - ((to - from) % 4);
  let [a, b, c, d] = [0, 0, 0, 0];
  for (let at = from; at < end; at += 4) {
    a += block[start + at]! * query[at]!;
    b += block[start + at + 1]! * query[at + 1]!;
    c += block[start + at + 2]! * query[at + 2]!;
    d += block[start + at + 3]! * query[at + 3]!;
  }
  for (let at = end; at < to; at += 1) a += block[start + at]! * query[at]!;
  return a + b + c + d;
}
