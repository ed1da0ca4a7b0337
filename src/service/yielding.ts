import { LoreError } from '../memory/errors.ts';

/** Work in the background goes on for this long at a stretch. */
const TURN_MS = 8;

/** Long work that gives way: anyone who waits for the event loop gets it every few milliseconds. */
export class Yielding {
  #since = performance.now();
  #stopped = false;

  /** To be awaited after every small piece of work. Rejects with `unavailable` once the work is to stop. */
  readonly pause = async (): Promise<void> => {
    if (this.#stopped) throw new LoreError('unavailable', 'The store is closing.');
    if (performance.now() - this.#since < TURN_MS) return;
    await new Promise((resolve) => setImmediate(resolve));
    this.#since = performance.now();
  };

  /** From now on every pause rejects. */
  stop(): void {
    this.#stopped = true;
  }
}
