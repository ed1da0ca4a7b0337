import { cancelled } from './embedder-errors.ts';

/** Texts to embed in one call, with the promise of their caller. */
export interface Batch {
  readonly texts: readonly string[];
  /** The second attempt, after its process ended. */
  readonly repeated: boolean;
  readonly resolve: (values: Float32Array) => void;
  readonly reject: (error: unknown) => void;
}

/** Queue of batches: urgent ones first, otherwise in order. An aborted batch is removed. */
export class BatchQueue {
  #urgent: Batch[] = [];
  #patient: Batch[] = [];

  add(texts: readonly string[], { urgent, signal }: { urgent: boolean; signal: AbortSignal | undefined }): Promise<Float32Array> {
    return new Promise((resolve, reject) => {
      const withdraw = (): void => {
        this.#urgent = this.#urgent.filter((one) => one !== batch);
        this.#patient = this.#patient.filter((one) => one !== batch);
        if (signal) reject(cancelled(signal));
      };
      const settled =
        <Value>(settle: (value: Value) => void) =>
        (value: Value): void => {
          signal?.removeEventListener('abort', withdraw);
          settle(value);
        };
      const batch: Batch = { texts, repeated: false, resolve: settled(resolve), reject: settled(reject) };
      signal?.addEventListener('abort', withdraw, { once: true });
      (urgent ? this.#urgent : this.#patient).push(batch);
    });
  }

  next(): Batch | undefined {
    return this.#urgent.shift() ?? this.#patient.shift();
  }

  /** Puts a batch back to the front for its second and last attempt. */
  repeat(batch: Batch): void {
    this.#urgent.unshift({ ...batch, repeated: true });
  }

  rejectAll(error: unknown): void {
    const waiting = [...this.#urgent, ...this.#patient];
    this.#urgent = [];
    this.#patient = [];
    for (const batch of waiting) batch.reject(error);
  }
}
