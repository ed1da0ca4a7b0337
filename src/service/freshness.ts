/** What brings a store up to date with what others wrote; at once where nobody else can. */
interface Followed {
  /** Resolves once all is seen that others wrote before the call. Rejects with `unavailable`. */
  catchUp(): Promise<void>;
}

/** One look at what others wrote. */
interface Look {
  /** By the monotonic clock. */
  readonly begunAt: number;
  readonly done: Promise<void>;
}

/** How old the view of a store is that others write to. Looks are shared: however many ask, one is under way. */
export class Freshness {
  readonly #store: Followed;
  readonly #now: () => number;
  #seenAt = -Infinity;
  #look: Look | undefined;

  constructor(store: Followed, now: () => number = () => performance.now()) {
    this.#store = store;
    this.#now = now;
  }

  /**
   * Resolves once all is seen that was written this long ago or earlier; 0 for all that was written before the call. Rejects with
   * `unavailable` where nobody can tell.
   */
  async within(maxAgeMs: number): Promise<void> {
    const wanted = this.#now() - maxAgeMs;
    while (this.#seenAt < wanted) {
      // One that began too early may have missed what counts here, and what it fails with is not ours either.
      if (this.#look !== undefined && this.#look.begunAt < wanted) await this.#look.done.catch(() => undefined);
      else await (this.#look ??= this.#begin()).done;
    }
  }

  #begin(): Look {
    const begunAt = this.#now();
    const look = async (): Promise<void> => {
      try {
        await this.#store.catchUp();
        this.#seenAt = begunAt;
      } finally {
        this.#look = undefined;
      }
    };
    return { begunAt, done: look() };
  }
}
