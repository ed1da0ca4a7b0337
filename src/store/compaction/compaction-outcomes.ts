import { mayBeDamage } from '../errors/store-error.ts';
import type { BackendTables } from '../tables/backend-tables.ts';

const RETRY_MS = 5000;
/** Longest delay: writers may wait for a run, so it is retried soon after the cause may be gone. */
const RETRY_AT_MOST_MS = 60_000;
const SPOILT_AFTER_FAILURES = 2;
/** Number of consecutive crashed processes that indicates a cause; a single one may have been killed. */
const SPOILT_AFTER_LOST = 2;

/** Outcomes of past maintenance runs, including those of earlier processes. */
export class CompactionOutcomes {
  readonly #tables: Pick<BackendTables, 'abilities' | 'mark'>;
  #failures = 0;
  #failure: unknown;

  constructor(tables: Pick<BackendTables, 'abilities' | 'mark'>) {
    this.#tables = tables;
  }

  /** Number of consecutive failures. */
  get failures(): number {
    return this.#failures;
  }

  /** Wait before the next run after failures. */
  get waitMs(): number {
    return Math.min(RETRY_MS * this.#failures, RETRY_AT_MOST_MS);
  }

  /** Whether indexes can be quarantined: only if no other process reads them and no service manages them. */
  get mayRenew(): boolean {
    return this.#tables.abilities.ownFiles;
  }

  /** Whether earlier runs ended with their processes: by a kill, or by a damaged index file. */
  get wereLost(): boolean {
    return this.mayRenew && (this.#tables.mark?.lost ?? 0) >= SPOILT_AFTER_LOST;
  }

  /** Whether the outcomes indicate a damaged index file, which a merge reads. */
  get isIndexSpoilt(): boolean {
    return this.mayRenew && this.#failures === SPOILT_AFTER_FAILURES && mayBeDamage(this.#failure);
  }

  /** Runs one maintenance run. Rejects as it does; `failed` records that. */
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
