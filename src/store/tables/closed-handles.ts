import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options: { readonly type: 'major'; readonly execution: 'async' }) => Promise<void>;

/** Versions of a table that are let go, with what was kept of their indexes: some tens of megabytes. */
const MOST_WAITING = 12;

/**
 * Frees the memory of versions that are no longer read. Each query on a version keeps native memory outside of the JavaScript heap, but
 * is so small that the garbage collector does not run for it: without this a process that reads and writes by turns grew by a
 * hundred megabytes a minute (docs/performance.md).
 */
export class ClosedHandles {
  readonly #collector: () => Collect;
  #waiting = 0;
  readonly #collected = new FinalizationRegistry(() => (this.#waiting -= 1));
  #collecting = false;

  /** `collector` returns the garbage collector; by default that of V8. */
  constructor(collector: () => Collect = collectorOfEngine) {
    this.#collector = collector;
  }

  /** Registers a version that is no longer read. */
  add(handle: object): void {
    this.#waiting += 1;
    this.#collected.register(handle, undefined);
    if (this.#waiting >= MOST_WAITING && !this.#collecting) void this.#collect();
  }

  async #collect(): Promise<void> {
    this.#collecting = true;
    try {
      await this.#collector()({ type: 'major', execution: 'async' });
    } catch {
      // Not every engine can be asked: then the memory comes back when the collector looks for itself.
    } finally {
      this.#collecting = false;
    }
  }
}

let found: Collect | undefined;

/**
 * Node gives it to programs only by a flag, which can be set while it runs. A program that was started with that flag keeps it: its own threads
 * and contexts may count on it.
 */
function collectorOfEngine(): Collect {
  found ??= (runInNewContext('globalThis.gc') as Collect | undefined) ?? unlocked();
  return found;
}

function unlocked(): Collect {
  setFlagsFromString('--expose-gc');
  try {
    return runInNewContext('gc') as Collect;
  } finally {
    setFlagsFromString('--no-expose-gc');
  }
}
