/** A timer that can be paused. */
export class Countdown {
  readonly #act: () => void;
  #leftMs: number;
  #since = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(ms: number, act: () => void) {
    this.#leftMs = ms;
    this.#act = act;
    this.resume();
  }

  pause(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#leftMs -= performance.now() - this.#since;
  }

  /** Resumes with the remaining time; does nothing if it runs or is over. */
  resume(): void {
    if (this.#timer !== undefined || this.#leftMs <= 0) return;
    this.#since = performance.now();
    this.#timer = setTimeout(() => {
      this.#leftMs = 0;
      this.#act();
    }, this.#leftMs);
  }

  /** Cancels it. */
  stop(): void {
    this.pause();
    this.#leftMs = 0;
  }
}
