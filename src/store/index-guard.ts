import type { LoreError } from '../memory/errors.ts';
import { mayBeDamage } from './store-error.ts';

/** Indexes that were just renewed are not what is wrong. */
const NOT_AGAIN_MS = 10 * 60_000;

/**
 * Searches that outlive their index: where one fails and it is not the system that fails, all indexes are taken away, which leaves the rows
 * themselves to be searched, and it is tried again.
 */
export class IndexGuard {
  readonly #renew: () => Promise<void>;
  #renewing: Promise<void> | undefined;
  #renewedAt = -Infinity;

  /** `renew` puts empty indexes in the place of all. */
  constructor(renew: () => Promise<void>) {
    this.#renew = renew;
  }

  /** Rejects as the search does where that is of no use. `search` is called once or twice. */
  async run<T>(search: () => Promise<T>): Promise<T> {
    const began = performance.now();
    try {
      return await search();
    } catch (error) {
      if (!mayBeDamage(error)) throw error;
      await this.#renewOnce(began, error);
      return await search();
    }
  }

  async #renewOnce(began: number, error: LoreError): Promise<void> {
    if (this.#renewing === undefined) {
      // Renewed while this search was under way: it looked at the old ones.
      if (this.#renewedAt > began) return;
      if (performance.now() - this.#renewedAt < NOT_AGAIN_MS) throw error;
      this.#renewing = this.#renew().finally(() => {
        this.#renewedAt = performance.now();
        this.#renewing = undefined;
      });
    }
    await this.#renewing;
  }
}
