import { LoreError } from '../memory/errors.ts';

/** Longest stretch of background work without a pause. */
const TURN_MS = 8;

/** Long work that yields to the event loop every few milliseconds. */
export class EventLoopYielder {
  #since = performance.now();
  #stopped = false;

  /** Await this after every small piece of work. Rejects with `unavailable` once the work must stop. */
  readonly pause = async (): Promise<void> => {
    if (this.#stopped) throw new LoreError('unavailable', 'The store is closing.');
    if (performance.now() - this.#since < TURN_MS) return;
    await new Promise((resolve) => setImmediate(resolve));
    this.#since = performance.now();
  };

  /** From now on, every pause rejects. */
  stop(): void {
    this.#stopped = true;
  }
}
