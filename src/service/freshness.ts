/** Brings a store up to date with changes of other processes; immediate if there are none. */
interface Followed {
  /** Resolves once all changes of others from before the call are visible. Rejects with `unavailable`. */
  catchUp(): Promise<void>;
}

/** Looks once for changes of others. */
interface Check {
  /** On the monotonic clock. */
  readonly begunAt: number;
  readonly done: Promise<void>;
}

/** Tracks the age of the view of a shared store. Concurrent checks share one request. */
export class Freshness {
  readonly #store: Followed;
  readonly #now: () => number;
  #seenAt = -Infinity;
  #look: Check | undefined;

  constructor(store: Followed, now: () => number = () => performance.now()) {
    this.#store = store;
    this.#now = now;
  }

  /**
   * Resolves when all changes at least this old are visible; 0 means all changes before the call. Rejects with `unavailable` if unknown.
   */
  async within(maxAgeMs: number): Promise<void> {
    const wanted = this.#now() - maxAgeMs;
    while (this.#seenAt < wanted) {
      // A check that began too early may miss relevant changes, and its failure does not concern this call.
      if (this.#look !== undefined && this.#look.begunAt < wanted) await this.#look.done.catch(() => undefined);
      else await (this.#look ??= this.#begin()).done;
    }
  }

  #begin(): Check {
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
