import { setTimeout as sleep } from 'node:timers/promises';

interface Settings {
  /** A value older than this is read again in the background, milliseconds. */
  readonly maxAgeMs: number;
  /** How long a look waits for the first value, milliseconds. */
  readonly patienceMs: number;
  readonly now?: () => number;
}

/** Caches a slow value. Callers get the last known value and never wait for the storage. */
export class LastKnown<Value> {
  readonly #read: () => Promise<Value>;
  readonly #maxAgeMs: number;
  readonly #patienceMs: number;
  readonly #now: () => number;
  #value: Value | undefined;
  #readAt = -Infinity;
  #reading: Promise<void> | undefined;

  constructor(read: () => Promise<Value>, { maxAgeMs, patienceMs, now = () => performance.now() }: Settings) {
    this.#read = read;
    this.#maxAgeMs = maxAgeMs;
    this.#patienceMs = patienceMs;
    this.#now = now;
  }

  /** The last known value; undefined before the first read. Does not reject. */
  async soon(): Promise<Value | undefined> {
    if (this.#now() - this.#readAt > this.#maxAgeMs) this.#reading ??= this.#renew();
    if (this.#reading !== undefined) await Promise.race([this.#reading, sleep(this.#patienceMs, undefined, { ref: false })]);
    return this.#value;
  }

  async #renew(): Promise<void> {
    try {
      this.#value = await this.#read();
      this.#readAt = this.#now();
    } catch {
      // The storage state reports the reason; the value is read again on the next request.
    } finally {
      this.#reading = undefined;
    }
  }
}
