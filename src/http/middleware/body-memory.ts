import type { ServerResponse } from 'node:http';
import { BusyError } from '../../memory/errors.ts';

const RETRY_SECONDS = 2;

/** Limits the bytes of request bodies in memory, so that many large ones do not exhaust it. */
export class BodyMemory {
  readonly #limitBytes: number;
  #held = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /**
   * Counts the body bytes of one request until it is answered. The returned function adds bytes and throws `unavailable` if too many are
   * held; a single body alone is never too much.
   */
  open(res: ServerResponse): (bytes: number) => void {
    let mine = 0;
    const release = (): void => {
      this.#held -= mine;
      mine = 0;
    };
    res.once('close', release);
    return (bytes) => {
      const others = this.#held - mine;
      if (others > 0 && this.#held + bytes > this.#limitBytes) {
        // At once and not after the response: otherwise bodies that arrive together would all be refused.
        release();
        throw new BusyError(`Too many request bodies at once; try again in ${RETRY_SECONDS} s.`, RETRY_SECONDS);
      }
      if (res.destroyed) return;
      mine += bytes;
      this.#held += bytes;
    };
  }
}
