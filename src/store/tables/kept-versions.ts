import type { Table } from '@lancedb/lancedb';
import { LoreError } from '../../memory/errors.ts';

/** The clocks of this machine and of the storage may differ so much, and work that removes files may take so long. */
const MARGIN_MS = 60_000;

/** How long anyone who is behind finds what others have replaced, milliseconds. */
export const RETAIN_MS = 600_000;

/** A maintainer that was replaced still wrote something: what this one has written is not what it means. */
export function lateWrite(table: string): LoreError {
  return new LoreError('unavailable', `Another server wrote to the table ${table} at the same time; it is written again.`, {
    retryAfterSeconds: 5,
  });
}

/** Versions of one table that others may still read: each from when it came until so long after the next one came. */
export class KeptVersions {
  readonly #keepMs: number;
  /** Oldest first. */
  #seen: readonly { readonly version: number; readonly at: number }[] = [];

  constructor(keepMs: number) {
    this.#keepMs = keepMs;
  }

  /** This is the one that reads begin with from now on. */
  note(version: number): void {
    if (this.#seen.at(-1)?.version === version) return;
    this.#seen = [...this.#seen, { version, at: performance.now() }];
    this.#forget();
  }

  /**
   * What was committed before this moment, epoch milliseconds, nobody reads any more; undefined where that is not known. `inUse`: a version that a read of this
   * process is still at.
   */
  async oldest(table: Table, inUse = Infinity): Promise<number | undefined> {
    const oldest = this.#forget();
    if (oldest === undefined || inUse < oldest.version) return undefined;
    const committed = (await table.listVersions()).find(({ version }) => version === oldest.version)?.timestamp;
    return committed === undefined ? undefined : committed.getTime() - MARGIN_MS;
  }

  /** Lets those go that nobody can be at any more. Returns the oldest that someone may be at, where older ones are gone. */
  #forget(): { readonly version: number; readonly at: number } | undefined {
    const oldest = this.#seen.findLast(({ at }) => performance.now() - at >= this.#keepMs);
    if (oldest !== undefined) this.#seen = this.#seen.filter(({ at }) => at >= oldest.at);
    return oldest;
  }
}
