import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options: { readonly type: 'major'; readonly execution: 'async' }) => Promise<void>;

/** Number of released versions that trigger a collection: with their cached indexes, some tens of megabytes. */
const MOST_WAITING = 12;

/**
 * Frees the memory of versions that are no longer read. Each query on a version keeps native memory outside of the JavaScript heap, but its
 * object is so small that the garbage collector does not run for it: without this, a process that alternates reads and writes grew by a
 * hundred megabytes a minute (docs/performance.md).
 */
export class ClosedHandles {
  readonly #collector: () => Collect;
  #waiting = 0;
  readonly #collected = new FinalizationRegistry(() => (this.#waiting -= 1));
  #collecting = false;

  /** `collector` returns the garbage collector; by default the one of V8. */
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
      // If the collector is not available, the memory is freed when it runs on its own.
    } finally {
      this.#collecting = false;
    }
  }
}

let found: Collect | undefined;

/**
 * Node exposes it only with a flag, which can be set at run time. A flag set by the program is kept, because its own code may rely on it.
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
