import { cancelled } from './refusals.ts';

/** So many at once; anyone who comes when all places are taken waits for one, in order. */
export class Places {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(count: number) {
    this.#free = count;
  }

  /** Runs `work` in a place. Anyone who withdraws before there is one leaves the line; the place of one who has begun is free when it is over. */
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

  /** Hands the place on, or leaves it free. */
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
