import { LatencyHistory, type LatencyReport } from '../../memory/latency-history.ts';

export interface RequestSummary {
  /** Since the server started. */
  readonly total: number;
  readonly lastHour: number;
  /** Mean milliseconds per answer over the last hour; 0 when there was none. */
  readonly averageLatency: number;
}

/** Counts answered API requests and their durations within the last hour, in constant memory. */
export class RequestCounter {
  readonly #latency: LatencyHistory;
  #total = 0;

  /** `now` returns milliseconds. */
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

  /** Latency of the responses of the last hour. */
  latency(): LatencyReport {
    return this.#latency.report();
  }
}
