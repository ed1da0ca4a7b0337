import type { AnsweredRequest } from '../../memory/operations/administration.ts';
import { HOUR_MS } from '../../memory/durations.ts';

const MOST = 500;
/** Routes that the page polls. */
const POLLED = /^\/api\/(?:health|requests)\/?$/i;
const WRONG = 400;

/** The last 500 requests to the API within an hour, in memory. */
export class RequestLog {
  readonly #now: () => number;
  #requests: AnsweredRequest[] = [];

  /** `now` returns milliseconds. */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  note(request: Omit<AnsweredRequest, 'at'>): void {
    const { path, status } = request;
    if (!/^\/api\//i.test(path) || (POLLED.test(path) && status < WRONG)) return;
    this.#requests.push({ at: this.#now(), ...request });
    // Trimmed in batches: removing the first item of an array moves all others.
    if (this.#requests.length >= 2 * MOST) this.#requests = this.#requests.slice(-MOST);
  }

  /** Newest first. */
  newest(): AnsweredRequest[] {
    const since = this.#now() - HOUR_MS;
    return this.#requests
      .slice(-MOST)
      .filter(({ at }) => at > since)
      .toReversed();
  }
}
