/** The slots with the highest scores among many; of equal ones, the first. Without an object for each, which took longer than the scores. */
export class HighestPlaces {
  readonly #most: number;
  readonly #places: Int32Array;
  readonly #scores: Float64Array;
  #count = 0;
  #least = -Infinity;

  constructor(most: number) {
    this.#most = most;
    this.#places = new Int32Array(2 * most);
    this.#scores = new Float64Array(2 * most);
  }

  /** Scores up to this one are too low. */
  get least(): number {
    return this.#least;
  }

  /** For a score above `least`. */
  add(place: number, score: number): void {
    this.#places[this.#count] = place;
    this.#scores[this.#count] = score;
    this.#count += 1;
    if (this.#count === this.#places.length) this.#trim();
  }

  /** In the order in which they were added. */
  all(): number[] {
    if (this.#count > this.#most) this.#trim();
    return [...this.#places.subarray(0, this.#count)];
  }

  #trim(): void {
    const sorted = this.#scores.slice(0, this.#count).sort();
    const least = sorted[this.#count - this.#most]!;
    let equal = 0;
    for (let at = this.#count - this.#most; sorted[at] === least; at += 1) equal += 1;
    let kept = 0;
    for (let at = 0; at < this.#count; at += 1) {
      const score = this.#scores[at]!;
      if (score < least || (score === least && equal === 0)) continue;
      if (score === least) equal -= 1;
      this.#places[kept] = this.#places[at]!;
      this.#scores[kept] = score;
      kept += 1;
    }
    this.#count = kept;
    this.#least = least;
  }
}
