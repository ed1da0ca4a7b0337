import type { LoreError } from '../../memory/errors.ts';
import { mayBeDamage } from '../store-error.ts';

/** Indexes that were just renewed are not what is wrong; those that were renewed in vain are not either, however long ago. */
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

  /** Rejects as the search does where that is of no use, or as the renewal does. `search` is called once or twice. */
  async run<T>(search: () => Promise<T>): Promise<T> {
    const began = performance.now();
    try {
      return await search();
    } catch (error) {
      if (!mayBeDamage(error)) throw error;
      await this.#renewOnce(began, error);
      return await search().catch((again: unknown) => this.#giveUp(again));
    }
  }

  #giveUp(error: unknown): never {
    if (mayBeDamage(error)) this.#renewedAt = Infinity;
    throw error;
  }

  async #renewOnce(began: number, error: LoreError): Promise<void> {
    if (this.#renewing === undefined) {
      if (this.#renewedAt === Infinity) throw error;
      // Renewed while this search was under way: it looked at the old ones.
      if (this.#renewedAt > began) return;
      if (performance.now() - this.#renewedAt < NOT_AGAIN_MS) throw error;
      this.#renewing = this.#renew().finally(() => {
        this.#renewedAt = Math.max(this.#renewedAt, performance.now());
        this.#renewing = undefined;
      });
    }
    await this.#renewing;
  }
}
