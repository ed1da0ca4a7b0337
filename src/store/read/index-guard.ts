import { LoreError } from '../../memory/errors.ts';
import { mayBeDamage } from '../errors/store-error.ts';

/** Indexes that were just renewed are not the cause, and neither are those that were renewed before without effect. */
const NOT_AGAIN_MS = 10 * 60_000;

/**
 * The engine never finishes some searches of a damaged index. A search of 10⁶ entries takes 30 ms of CPU (docs/scale.md), so this is enough
 * for a slow disk.
 */
const PATIENCE_MS = 60_000;
/** After the machine slept, this time has not really passed: all timers fire at once when it wakes, before other events. */
const PATIENCE_STEPS = 6;

/**
 * Retries searches without indexes: if a search fails for another reason than the system, or hangs, replaces all indexes with empty ones,
 * so that rows are scanned, and tries again.
 */
export class IndexGuard {
  readonly #renew: () => Promise<void>;
  readonly #patienceMs: number;
  #renewing: Promise<void> | undefined;
  #renewedAt = -Infinity;

  /** `renew` replaces all indexes with empty ones. A search fails after `patienceMs`. */
  constructor(renew: () => Promise<void>, { patienceMs = PATIENCE_MS }: { readonly patienceMs?: number } = {}) {
    this.#renew = renew;
    this.#patienceMs = patienceMs;
  }

  /** Runs a search once or twice. Rejects with the error of the search, or of the renewal. */
  async run<T>(search: () => Promise<T>): Promise<T> {
    const began = performance.now();
    try {
      return await this.#inTime(search());
    } catch (error) {
      if (!mayBeDamage(error)) throw error;
      await this.#renewOnce(began, error);
      return await this.#inTime(search()).catch((again: unknown) => this.#giveUp(again));
    }
  }

  async #inTime<T>(answer: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const overdue = new Promise<never>((_, reject) => {
      const wait = (steps: number): void => {
        if (steps === 0) reject(new LoreError('internal', 'The store did not answer a search.'));
        else timer = setTimeout(() => wait(steps - 1), this.#patienceMs / PATIENCE_STEPS).unref();
      };
      wait(PATIENCE_STEPS);
    });
    try {
      return await Promise.race([answer, overdue]);
    } finally {
      clearTimeout(timer);
    }
  }

  #giveUp(error: unknown): never {
    if (mayBeDamage(error)) this.#renewedAt = Infinity;
    throw error;
  }

  async #renewOnce(began: number, error: LoreError): Promise<void> {
    if (this.#renewing === undefined) {
      if (this.#renewedAt === Infinity) throw error;
      // The indexes were renewed while this search ran: it used the old ones.
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
