import type { Memtables } from '../memtable/memtable.ts';

/** Delay after the last run, when its replaced files are no longer read and can be removed. */
const AFTER_MS = 6_000;

interface Parts {
  readonly memtables: Memtables;
  /** Whether new rows may postpone it: then no files are removed while entries arrive. */
  readonly mayWait: () => boolean;
  readonly tidy: () => Promise<void>;
}

/**
 * Files replaced by a merge can only be removed once nobody reads them, so another run follows when the store is quiet. While entries
 * arrive, every few flushes remove files instead.
 */
export class CleanupTimer {
  readonly #parts: Parts;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  start(): void {
    this.stop();
    const { memtables, mayWait, tidy } = this.#parts;
    const { active } = memtables;
    const { bytes } = active;
    const run = (): void => {
      const hasGrown = active === memtables.active && bytes !== active.bytes;
      if (hasGrown && mayWait()) this.start();
      else void tidy();
    };
    this.#timer = setTimeout(run, AFTER_MS).unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
