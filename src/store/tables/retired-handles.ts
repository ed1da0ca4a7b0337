/** How long replaced handles stay open for reads that still use them. */
const RETIRE_MS = 5_000;

/** Replaced handles, until they are closed. */
export class RetiredHandles {
  readonly #waiting = new Set<() => void>();

  /** Calls `close` once, after a delay or with `closeAll`. */
  add(close: () => void): void {
    const retire = (): void => {
      clearTimeout(timer);
      this.#waiting.delete(retire);
      close();
    };
    const timer = setTimeout(retire, RETIRE_MS).unref();
    this.#waiting.add(retire);
  }

  closeAll(): void {
    for (const retire of this.#waiting) retire();
  }
}
