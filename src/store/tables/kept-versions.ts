import type { Table } from '@lancedb/lancedb';
import { LoreError } from '../../memory/errors.ts';

/** Allowance for different clocks of this machine and the storage, and for the duration of a removal. */
const MARGIN_MS = 60_000;

/** How long replaced versions are kept for other servers, milliseconds. */
export const RETAIN_MS = 600_000;

/** The error after a write by a replaced maintainer: this server's version is not what it expects. */
export function staleVersionError(table: string): LoreError {
  return new LoreError('unavailable', `Another server wrote to the table ${table} at the same time; it is written again.`, {
    retryAfterSeconds: 5,
  });
}

/** Versions of one table that other servers may still read, until some time after their replacement. */
export class KeptVersions {
  readonly #keepMs: number;
  /** Oldest first. */
  #seen: readonly { readonly version: number; readonly at: number }[] = [];

  constructor(keepMs: number) {
    this.#keepMs = keepMs;
  }

  /** Records the version that reads use from now on. */
  note(version: number): void {
    if (this.#seen.at(-1)?.version === version) return;
    this.#seen = [...this.#seen, { version, at: performance.now() }];
    this.#forget();
  }

  /**
   * Time before which committed versions are no longer read, epoch milliseconds; undefined if unknown. `inUse`: the oldest version that
   * this process reads.
   */
  async oldest(table: Table, inUse = Infinity): Promise<number | undefined> {
    const oldest = this.#forget();
    if (oldest === undefined || inUse < oldest.version) return undefined;
    const committed = (await table.listVersions()).find(({ version }) => version === oldest.version)?.timestamp;
    return committed === undefined ? undefined : committed.getTime() - MARGIN_MS;
  }

  /** Drops versions that are no longer read. Returns the oldest remaining one, if older ones were dropped. */
  #forget(): { readonly version: number; readonly at: number } | undefined {
    const oldest = this.#seen.findLast(({ at }) => performance.now() - at >= this.#keepMs);
    if (oldest !== undefined) this.#seen = this.#seen.filter(({ at }) => at >= oldest.at);
    return oldest;
  }
}
