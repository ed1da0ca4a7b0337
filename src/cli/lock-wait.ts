/**
 * Limits the wait for one holder of the store. The clock starts again when the store changes hands, because then a queue of commands is
 * moving.
 */
export class LockWait {
  readonly #waitMs: number;
  readonly #now: () => number;
  #token: string | undefined;
  #since: number;

  constructor(waitMs: number, now: () => number = () => performance.now()) {
    this.#waitMs = waitMs;
    this.#now = now;
    this.#since = now();
  }

  /** True once the current holder, or the absence of a visible one, has lasted `waitMs`. */
  isOver(holder: { readonly token: string } | undefined): boolean {
    if (holder !== undefined && holder.token !== this.#token) {
      this.#token = holder.token;
      this.#since = this.#now();
    }
    return this.#now() - this.#since >= this.#waitMs;
  }
}
