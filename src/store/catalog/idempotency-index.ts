import type { StoredResponse } from '../../memory/idempotency.ts';

/** Limits of stored responses to idempotent requests. */
export interface ResponseLimits {
  /** Milliseconds. */
  readonly keptMs: number;
  /** Default 50,000. */
  readonly maxCount?: number;
  /** Total of all responses; default 64 MiB. */
  readonly maxBytes?: number;
  /** Epoch milliseconds; default the system clock. */
  readonly now?: () => number;
}

type IndexedResponse = Pick<StoredResponse, 'fingerprint' | 'at'> & { readonly bytes: number };

const DAY_MS = 86_400_000;
const MAX_COUNT = 50_000;
const MAX_BYTES = 64 * 1024 * 1024;

/** The columns of a row of the table of responses. */
type AnsweredRow = { readonly key: string } & Readonly<Record<string, string | number>>;

/** Index of answered idempotent requests, without the responses: about 300 bytes each. */
export class IdempotencyIndex {
  readonly #keptMs: number;
  readonly #maxCount: number;
  readonly #maxBytes: number;
  readonly #now: () => number;
  /** By the id of the request, oldest first. */
  readonly indexed = new Map<string, IndexedResponse>();
  #bytes = 0;

  constructor({ keptMs, maxCount = MAX_COUNT, maxBytes = MAX_BYTES, now = Date.now }: ResponseLimits = { keptMs: DAY_MS }) {
    this.#keptMs = keptMs;
    this.#maxCount = maxCount;
    this.#maxBytes = maxBytes;
    this.#now = now;
  }

  /** Current time for time stamps of answers. */
  now(): number {
    return this.#now();
  }

  /** Loads the table. */
  load(rows: readonly AnsweredRow[]): void {
    for (const row of rows.toSorted((a, b) => Number(a['answered_at']) - Number(b['answered_at']))) {
      this.#set(row.key, { fingerprint: String(row['fingerprint']), at: Number(row['answered_at']), bytes: Number(row['bytes']) });
    }
  }

  /** The answer to this request, if it has not expired. */
  find(id: string): Pick<StoredResponse, 'fingerprint'> | undefined {
    const known = this.indexed.get(id);
    return known === undefined || this.#isOver(known) ? undefined : known;
  }

  add({ id, fingerprint, at, answer }: StoredResponse): void {
    this.#set(id, { fingerprint, at, bytes: answer.length });
  }

  delete(id: string): void {
    this.#bytes -= this.indexed.get(id)?.bytes ?? 0;
    this.indexed.delete(id);
  }

  /** Drops expired answers, and the oldest ones above the limits; returns them. */
  dropOutdated(): string[] {
    const dropped: string[] = [];
    for (const [id, known] of this.indexed) {
      const isTooMuch = this.indexed.size > this.#maxCount || this.#bytes > this.#maxBytes;
      if (!isTooMuch && !this.#isOver(known)) continue;
      this.delete(id);
      dropped.push(id);
    }
    return dropped;
  }

  #isOver({ at }: IndexedResponse): boolean {
    return at + this.#keptMs <= this.#now();
  }

  #set(id: string, known: IndexedResponse): void {
    this.delete(id);
    this.indexed.set(id, known);
    this.#bytes += known.bytes;
  }
}
