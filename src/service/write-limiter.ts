import { BusyError } from '../memory/errors.ts';

/** Limit of writes in progress. */
export interface WriteLimits {
  /** `storage.queueLimit`. */
  readonly changes: number;
  /** Characters of their texts; about two bytes each. */
  readonly bytes: number;
}

/** Characters of the texts of entries. */
export const charsOf = (archived: readonly { readonly entry: { readonly content: string } }[]): number =>
  archived.reduce((sum, { entry }) => sum + entry.content.length, 0);

const RETRY_SECONDS = 2;
const CHARACTER_BYTES = 2;

/** Changes and characters of one piece of work. */
export interface WriteSize {
  readonly changes: number;
  readonly chars: number;
}

/**
 * The accepted writes that are not finished: waiting for their vectors, the writer or the disk. Counted before anything is embedded, so
 * that a refused write costs nothing.
 */
export class WriteLimiter {
  readonly #limits: WriteLimits;
  #changes = 0;
  #bytes = 0;
  #freed: (() => void)[] = [];

  constructor(limits: WriteLimits) {
    this.#limits = limits;
  }

  /** Runs one write. Rejects with `unavailable` if too much is in progress; a single write is never too much. */
  async one<T>(chars: number, work: () => Promise<T>): Promise<T> {
    if (this.#isFull) {
      throw new BusyError(`Too many changes are waiting; try again in ${RETRY_SECONDS} s.`, RETRY_SECONDS);
    }
    return await this.#counted({ changes: 1, chars }, work);
  }

  /** Runs the writes of a bulk operation: waits until there is room. */
  async many<T>(size: WriteSize, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    while (this.#isFull) await new Promise<void>((resolve) => this.#freed.push(resolve));
    signal?.throwIfAborted();
    return await this.#counted(size, work);
  }

  get #isFull(): boolean {
    return this.#changes >= this.#limits.changes || this.#bytes >= this.#limits.bytes;
  }

  async #counted<T>({ changes, chars }: WriteSize, work: () => Promise<T>): Promise<T> {
    const bytes = chars * CHARACTER_BYTES;
    this.#changes += changes;
    this.#bytes += bytes;
    try {
      return await work();
    } finally {
      this.#changes -= changes;
      this.#bytes -= bytes;
      for (const wake of this.#freed.splice(0)) wake();
    }
  }
}
