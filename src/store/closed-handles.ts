import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options: { readonly type: 'major'; readonly execution: 'async' }) => Promise<void>;

/** Versions of a table that are let go, with what was kept of their indexes: some tens of megabytes. */
const MOST_WAITING = 12;

/**
 * Sees to it that the memory of versions that are no longer read comes back. Each query on a version holds on to it outside of the JavaScript heap,
 * and is itself so small that the collector finds no reason to look for it: without this a process that reads and writes by turns grew by a
 * hundred megabytes a minute (docs/performance.md).
 */
export class ClosedHandles {
  #waiting = 0;
  readonly #collected = new FinalizationRegistry(() => (this.#waiting -= 1));
  #collecting = false;

  /** Told of the object of a version that nobody reads any more. */
  add(handle: object): void {
    this.#waiting += 1;
    this.#collected.register(handle, undefined);
    if (this.#waiting >= MOST_WAITING && !this.#collecting) void this.#collect();
  }

  async #collect(): Promise<void> {
    this.#collecting = true;
    try {
      await collector()({ type: 'major', execution: 'async' });
    } finally {
      this.#collecting = false;
    }
  }
}

let found: Collect | undefined;

/** Node gives it to programs only by a flag, which can be set while it runs. */
function collector(): Collect {
  if (found === undefined) {
    setFlagsFromString('--expose-gc');
    found = runInNewContext('gc') as Collect;
    setFlagsFromString('--no-expose-gc');
  }
  return found;
}
