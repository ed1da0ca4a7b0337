import { followEvents, type StoreEvent } from '../api/events.ts';
import { ApiError } from '../api/request.ts';
import { watched } from '../parts/watched.ts';

const STORAGE_NAME = 'lore.live';
const PAUSED = 'paused';
/** A short look at another tab keeps the connection. A hidden tab releases it, because a browser allows only few. */
const HIDDEN_MS = 10_000;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;

/** `off`: the server accepts no event streams, or none without a key. */
export type LiveState = 'connecting' | 'live' | 'reconnecting' | 'paused' | 'off';

/** Follows the changes of the store while the page is visible and not paused. One per page. */
class LiveFeed {
  readonly state = watched<LiveState>(sessionStorage.getItem(STORAGE_NAME) === PAUSED ? 'paused' : 'connecting');
  #last: string | undefined;
  #failures = 0;
  #attempts = 0;
  #connection: AbortController | undefined;
  #timer: number | undefined;
  #listener: (event: StoreEvent) => void = () => undefined;
  /** Starts; the returned function stops it. */
  start(listener: (event: StoreEvent) => void): () => void {
    this.#listener = listener;
    const seen = (): void => this.#seen();
    document.addEventListener('visibilitychange', seen);
    this.wake();
    return () => {
      document.removeEventListener('visibilitychange', seen);
      this.#leave();
    };
  }

  pause(): void {
    sessionStorage.setItem(STORAGE_NAME, PAUSED);
    this.#leave();
    this.#become('paused');
  }

  resume(): void {
    sessionStorage.removeItem(STORAGE_NAME);
    this.#attempts += 1;
    this.#become('connecting');
    this.wake();
  }

  /** Retries at once: the server is back, or there is a key now. */
  wake(): void {
    if (this.state.get() === 'paused' || this.#connection !== undefined || document.hidden) return;
    clearTimeout(this.#timer);
    void this.#connect();
  }

  #seen(): void {
    clearTimeout(this.#timer);
    if (document.hidden) this.#timer = window.setTimeout(() => this.#leave(), HIDDEN_MS);
    else this.wake();
  }

  #leave(): void {
    clearTimeout(this.#timer);
    this.#connection?.abort();
    this.#connection = undefined;
  }

  async #connect(): Promise<void> {
    const connection = new AbortController();
    this.#connection = connection;
    this.#attempts += 1;
    // The page was loaded up to date. Changes between connections may have been missed.
    const isLate = this.#last === undefined && this.#attempts > 1;
    const onEvent = (event: StoreEvent): void => this.#hear(event, isLate);
    const failure = await followEvents({ after: this.#last, onEvent, signal: connection.signal }).catch((error: unknown) => error);
    if (this.#connection !== connection) return;
    this.#connection = undefined;
    const isRefused = failure instanceof ApiError && failure.status >= 400 && failure.status < 500 && failure.status !== 429;
    this.#become(isRefused ? 'off' : 'reconnecting');
    if (isRefused || document.hidden) return;
    const most = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#failures);
    this.#failures += 1;
    this.#timer = window.setTimeout(() => this.wake(), (most / 2) * (1 + Math.random()));
  }

  #hear(event: StoreEvent, isLate: boolean): void {
    this.#last = event.id;
    this.#failures = 0;
    this.#become('live');
    if (event.type !== 'ready') this.#listener(event);
    else if (isLate) this.#listener({ ...event, type: 'reset' });
  }

  #become(state: LiveState): void {
    if (this.state.get() !== state) this.state.set(state);
  }
}

export const liveFeed = new LiveFeed();
