import type { Fresh } from '../memtable/memtable.ts';

/** After the last run its predecessor's files are merged and removed once its handles are let go. */
const AFTER_MS = 6_000;

interface Parts {
  readonly fresh: Fresh;
  /** Whether what comes may wait: then files are not removed while entries keep coming. */
  readonly mayWait: () => boolean;
  readonly tidy: () => Promise<void>;
}

/**
 * What a merge replaced can only be removed once nobody reads it, so another run follows when all is quiet. While entries come that is left to the runs that
 * write them: every few of those clean up, too.
 */
export class TidyTimer {
  readonly #parts: Parts;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  start(): void {
    this.stop();
    const { fresh, mayWait, tidy } = this.#parts;
    const { growing } = fresh;
    const { bytes } = growing;
    const run = (): void => {
      const hasGrown = growing === fresh.growing && bytes !== growing.bytes;
      if (hasGrown && mayWait()) this.start();
      else void tidy();
    };
    this.#timer = setTimeout(run, AFTER_MS).unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
