/** How long one and the same process may keep others from the store: while they take turns, each of them comes to its own. */
export class HolderPatience {
  readonly #waitMs: number;
  readonly #now: () => number;
  #token: string | undefined;
  #since: number;

  constructor(waitMs: number, now: () => number = () => performance.now()) {
    this.#waitMs = waitMs;
    this.#now = now;
    this.#since = now();
  }

  /** Whether it is over with this holder, or with nobody to be seen. */
  isOver(holder: { readonly token: string } | undefined): boolean {
    if (holder !== undefined && holder.token !== this.#token) {
      this.#token = holder.token;
      this.#since = this.#now();
    }
    return this.#now() - this.#since >= this.#waitMs;
  }
}
