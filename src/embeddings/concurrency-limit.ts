import { cancelled } from './embedder-errors.ts';

/** Limits concurrent work; further callers wait in order. */
export class ConcurrencyLimit {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(count: number) {
    this.#free = count;
  }

  /** Runs `work` once a slot is free. An abort while waiting leaves the queue; running work keeps its slot until it ends. */
  async run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await this.#wait(signal);
    try {
      return await work();
    } finally {
      this.#pass();
    }
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const withdraw = (): void => {
        this.#waiting.delete(enter);
        reject(cancelled(signal));
      };
      const enter = (): void => {
        signal.removeEventListener('abort', withdraw);
        resolve();
      };
      this.#waiting.add(enter);
      signal.addEventListener('abort', withdraw, { once: true });
    });
  }

  /** Passes the slot to the next caller or frees it. */
  #pass(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free += 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
