import { mayBeDamage } from '../errors/store-error.ts';
import type { PlaceTables } from '../tables/backend-tables.ts';

const RETRY_MS = 5000;
/** Writers may wait for it: what has failed for hours is tried again about as soon as it may work again. */
const RETRY_AT_MOST_MS = 60_000;
const SPOILT_AFTER_FAILURES = 2;
/** Processes in a row that were lost at it: one may have been ended by someone. */
const SPOILT_AFTER_LOST = 2;

/** How the runs that look after the tables have ended so far, those of the processes before this one too. */
export class Attempts {
  readonly #tables: Pick<PlaceTables, 'areShared' | 'areManaged' | 'mark'>;
  #failures = 0;
  #failure: unknown;

  constructor(tables: Pick<PlaceTables, 'areShared' | 'areManaged' | 'mark'>) {
    this.#tables = tables;
  }

  /** How often in a row the last ones have failed. */
  get failures(): number {
    return this.#failures;
  }

  /** Until the next one, after those that failed. */
  get waitMs(): number {
    return Math.min(RETRY_MS * this.#failures, RETRY_AT_MOST_MS);
  }

  /** Whether indexes can be put aside: only where no other process reads them, and no service keeps them. */
  get mayRenew(): boolean {
    return !this.#tables.areShared && !this.#tables.areManaged;
  }

  /** Whether those before this process ended with their processes. That may have been anybody, or an index of which the files are damaged. */
  get wereLost(): boolean {
    return this.mayRenew && (this.#tables.mark?.lost ?? 0) >= SPOILT_AFTER_LOST;
  }

  /** Whether they end as they do where the files of an index are damaged, which a merge reads. */
  get isIndexSpoilt(): boolean {
    return this.mayRenew && this.#failures === SPOILT_AFTER_FAILURES && mayBeDamage(this.#failure);
  }

  /** Does the work of one. Rejects as that does, which is left to `failed`. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const { mark } = this.#tables;
    mark?.begin();
    try {
      return await work();
    } finally {
      mark?.end();
    }
  }

  succeeded(): void {
    this.#failures = 0;
    this.#failure = undefined;
  }

  failed(error: unknown): void {
    this.#failures += 1;
    this.#failure = error;
  }
}
