/** Small enough for 1,000 entries in a millisecond, large enough not to be lost in a float64 of epoch milliseconds. */
const STEP_MS = 1 / 1024;

/**
 * Strictly increasing epoch milliseconds within this process, also within one millisecond and when the system clock steps back. Sorting by
 * time is therefore unambiguous.
 */
export class Clock {
  #last: number;

  /** All times are later than `after`. */
  constructor(after = 0) {
    this.#last = after;
  }

  /** Like `now`, and later than `than`. */
  later(than: number): number {
    this.#last = Math.max(this.#last, than);
    return this.now();
  }

  now(): number {
    this.#last = Math.max(Date.now(), this.#last + STEP_MS);
    return this.#last;
  }
}

/**
 * The next representable time after `time`, epoch milliseconds. The step grows for times so far ahead that a float64 cannot hold `STEP_MS`.
 */
export function nextTimeAfter(time: number): number {
  let step = STEP_MS;
  while (time + step === time) step *= 2;
  return time + step;
}
