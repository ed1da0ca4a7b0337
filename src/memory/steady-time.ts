const TOLERANCE_MS = 3_600_000;
/** So long a new time must have stood before it is believed. */
const PROVEN_MS = 24 * 3_600_000;

/**
 * The time by which things grow old. A clock that was set far ahead while the process ran makes nothing old at once: until it has stood for a day, the time
 * goes on from what it was before. A machine that slept looks the same, and what it keeps grows old a little later.
 */
export class SteadyTime {
  #believed = Date.now();
  #at = performance.now();
  /** When the clock was first found ahead. */
  #doubtedAt: number | undefined;

  /** Epoch milliseconds. */
  now(): number {
    const [wall, ran] = [Date.now(), performance.now()];
    const expected = this.#believed + (ran - this.#at);
    if (wall - expected > TOLERANCE_MS) {
      this.#doubtedAt ??= ran;
      if (ran - this.#doubtedAt < PROVEN_MS) return expected;
    }
    this.#doubtedAt = undefined;
    [this.#believed, this.#at] = [wall, ran];
    return wall;
  }
}
