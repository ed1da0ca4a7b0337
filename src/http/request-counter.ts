import { LatencyHistory, type LatencyReport } from '../memory/latency-history.ts';

const MINUTE_MS = 60_000;
const MINUTES = 60;

export interface RequestSummary {
  /** Since the server started. */
  readonly total: number;
  readonly lastHour: number;
  /** Mean milliseconds per answer over the last hour; 0 when there was none. */
  readonly averageLatency: number;
}

interface Bucket {
  minute: number;
  requests: number;
  totalMs: number;
}

/** Counts answered API requests, and how long they took within the last hour, minute by minute: constant memory, however many requests. */
export class RequestCounter {
  readonly #now: () => number;
  readonly #buckets: Bucket[] = Array.from({ length: MINUTES }, () => ({ minute: -1, requests: 0, totalMs: 0 }));
  readonly #latency: LatencyHistory;
  #total = 0;

  /** `now` gives milliseconds. */
  constructor(now: () => number = Date.now) {
    this.#now = now;
    this.#latency = new LatencyHistory(now);
  }

  add(durationMs: number): void {
    this.#total += 1;
    this.#latency.add(durationMs);
    const minute = Math.floor(this.#now() / MINUTE_MS);
    const at = minute % MINUTES;
    const bucket = this.#buckets[at];
    if (bucket?.minute === minute) {
      bucket.requests += 1;
      bucket.totalMs += durationMs;
    } else {
      this.#buckets[at] = { minute, requests: 1, totalMs: durationMs };
    }
  }

  summary(): RequestSummary {
    const minute = Math.floor(this.#now() / MINUTE_MS);
    const recent = this.#buckets.filter((bucket) => bucket.minute >= 0 && bucket.minute > minute - MINUTES);
    const requests = recent.reduce((sum, bucket) => sum + bucket.requests, 0);
    const totalMs = recent.reduce((sum, bucket) => sum + bucket.totalMs, 0);
    return { total: this.#total, lastHour: requests, averageLatency: requests === 0 ? 0 : Math.round((totalMs / requests) * 100) / 100 };
  }

  /** How long the answers of the last hour took. */
  latency(): LatencyReport {
    return this.#latency.report();
  }
}
