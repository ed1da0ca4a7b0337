/** A histogram with fixed buckets. */
export class Histogram {
  readonly #bounds: readonly number[];
  readonly #counts: Float64Array;
  #sum = 0;
  #count = 0;

  /** `bounds`: ascending upper bounds; the last bucket is unbounded. */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = new Float64Array(bounds.length);
  }

  add(value: number): void {
    this.#sum += value;
    this.#count += 1;
    const place = this.#bounds.findIndex((bound) => value <= bound);
    if (place !== -1) this.#counts[place]! += 1;
  }

  get sum(): number {
    return this.#sum;
  }

  get count(): number {
    return this.#count;
  }

  /** For each bound, the number of values up to it. */
  cumulative(): readonly { readonly bound: number; readonly count: number }[] {
    let below = 0;
    return this.#bounds.map((bound, place) => ({ bound, count: (below += this.#counts[place]!) }));
  }
}
