import { DAY_MS, HOUR_MS } from './durations.ts';

const TOLERANCE_MS = HOUR_MS;
/** How long a clock jump must last before it is accepted. */
const PROVEN_MS = DAY_MS;

/**
 * The clock for retention. If the system clock jumps ahead by more than an hour while the process runs, the previous time continues for a
 * day, so that nothing expires at once. A machine that slept looks the same: its retention is delayed by that day.
 */
export class SteadyTime {
  #believed = Date.now();
  #at = performance.now();
  /** When the jump was first seen, in `performance.now()` milliseconds. */
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
