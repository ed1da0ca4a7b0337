import { LatencyHistory, type LatencyReport } from '../../memory/latency-history.ts';

export interface RequestSummary {
  /** Since the server started. */
  readonly total: number;
  readonly lastHour: number;
  /** Mean milliseconds per answer over the last hour; 0 when there was none. */
  readonly averageLatency: number;
}

/** Counts answered API requests, and how long they took within the last hour: constant memory, however many requests. */
export class RequestCounter {
  readonly #latency: LatencyHistory;
  #total = 0;

  /** `now` gives milliseconds. */
  constructor(now: () => number = Date.now) {
    this.#latency = new LatencyHistory(now);
  }

  add(durationMs: number): void {
    this.#total += 1;
    this.#latency.add(durationMs);
  }

  summary(): RequestSummary {
    const { requests, ms } = this.#latency.mean();
    return { total: this.#total, lastHour: requests, averageLatency: Math.round(ms * 100) / 100 };
  }

  /** How long the answers of the last hour took. */
  latency(): LatencyReport {
    return this.#latency.report();
  }
}
