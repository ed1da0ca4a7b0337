import { setTimeout as sleep } from 'node:timers/promises';
import { BusyError } from '../../memory/errors.ts';
import type { Wal } from '../wal/wal.ts';

interface Parts {
  readonly wal: Pick<Wal, 'takeOver'>;
  /** Whether too much is still waiting to be flushed. */
  readonly isFull: () => boolean;
  /** Writes what waits; only while this process maintains. */
  readonly write: () => Promise<void>;
}

/** How long writers wait for a maintaining server that is behind. */
const LONGEST_MS = 5_000;
const POLL_MS = 250;
const RETRY_SECONDS = 10;

/** Backpressure for shared tables: the maintaining server makes room, or this process if there is none. Waiting writers share one wait. */
export class Backpressure {
  readonly #parts: Parts;
  #wait: Promise<void> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Resolves when there is room, or this process has tried to make some. Rejects with `unavailable` if the maintaining server is behind.
   */
  come(): Promise<void> {
    this.#wait ??= this.#come().finally(() => {
      this.#wait = undefined;
    });
    return this.#wait;
  }

  async #come(): Promise<void> {
    const { wal, isFull, write } = this.#parts;
    for (const giveUp = performance.now() + LONGEST_MS; isFull(); await sleep(POLL_MS)) {
      if (await wal.takeOver()) return await write();
      if (performance.now() >= giveUp) throw new BusyError('The server that maintains the store is behind.', RETRY_SECONDS);
    }
  }
}
