/** Small enough for a thousand entries in a millisecond, large enough to survive as a 64-bit epoch time. */
const STEP_MS = 1 / 1024;

/**
 * Epoch milliseconds that rise with every call in this process, also within one millisecond and when the system clock steps back:
 * "newest first" is then one order and not several.
 */
export class Clock {
  #last: number;

  /** Everything it says is later than `after`. */
  constructor(after = 0) {
    this.#last = after;
  }

  /** The same, and later than this too. */
  later(than: number): number {
    this.#last = Math.max(this.#last, than);
    return this.now();
  }

  now(): number {
    this.#last = Math.max(Date.now(), this.#last + STEP_MS);
    return this.#last;
  }
}

/** A moment after this one, as near as a number of its size can tell: what is centuries ahead has no fractions as small as a step. */
export function laterThan(time: number): number {
  let step = STEP_MS;
  while (time + step === time) step *= 2;
  return time + step;
}
