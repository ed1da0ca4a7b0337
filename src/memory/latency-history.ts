const MINUTE_MS = 60_000;
const MINUTES = 60;
/** Maximum relative error of a percentile. */
const ERROR = 0.05;
const GROWTH = (1 + ERROR) / (1 - ERROR);
const LEAST_MS = 0.05;
const MOST_MS = 600_000;
const BUCKETS = bucketOf(MOST_MS) + 1;

/** Latency statistics. Percentiles are absent if there were no responses. */
interface LatencyFigures {
  readonly requests: number;
  /** Median, milliseconds. */
  readonly p50?: number;
  /** 95th percentile, milliseconds. */
  readonly p95?: number;
}

export interface LatencyReport extends LatencyFigures {
  /** Minutes of the last hour with responses, oldest first; `at`: start of the minute, epoch milliseconds. */
  readonly minutes: readonly (LatencyFigures & { readonly at: number })[];
}

interface Minute {
  readonly minute: number;
  readonly counts: Uint32Array;
  totalMs: number;
}

/** Latency of the last hour by minute, in exponential buckets: bounded memory. */
export class LatencyHistory {
  readonly #now: () => number;
  readonly #minutes: (Minute | undefined)[] = Array.from({ length: MINUTES });

  /** `now`: clock in milliseconds. */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  add(durationMs: number): void {
    const minute = Math.floor(this.#now() / MINUTE_MS);
    const place = minute % MINUTES;
    let current = this.#minutes[place];
    if (current?.minute !== minute) this.#minutes[place] = current = { minute, counts: new Uint32Array(BUCKETS), totalMs: 0 };
    current.counts[bucketOf(durationMs)]! += 1;
    current.totalMs += durationMs;
  }

  /** Number of responses within the last hour and their mean latency in milliseconds; 0 if there were none. */
  mean(): { readonly requests: number; readonly ms: number } {
    const recent = this.#recent();
    const requests = recent.reduce((sum, { counts }) => sum + countOf(counts), 0);
    const totalMs = recent.reduce((sum, minute) => sum + minute.totalMs, 0);
    return { requests, ms: requests === 0 ? 0 : totalMs / requests };
  }

  /** Statistics of the last hour. */
  report(): LatencyReport {
    const recent = this.#recent().toSorted((a, b) => a.minute - b.minute);
    const all = new Uint32Array(BUCKETS);
    for (const { counts } of recent) for (const [bucket, count] of counts.entries()) all[bucket]! += count;
    return { ...figuresOf(all), minutes: recent.map(({ minute, counts }) => ({ at: minute * MINUTE_MS, ...figuresOf(counts) })) };
  }

  #recent(): Minute[] {
    const latest = Math.floor(this.#now() / MINUTE_MS);
    return this.#minutes.filter((each) => each !== undefined && each.minute > latest - MINUTES && each.minute <= latest) as Minute[];
  }
}

const countOf = (counts: Uint32Array): number => counts.reduce((sum, count) => sum + count, 0);

function figuresOf(counts: Uint32Array): LatencyFigures {
  const requests = countOf(counts);
  return requests === 0 ? { requests } : { requests, p50: percentile(counts, 0.5 * requests), p95: percentile(counts, 0.95 * requests) };
}

/** The value at a rank, milliseconds. */
function percentile(counts: Uint32Array, rank: number): number {
  let seen = 0;
  const bucket = counts.findIndex((count) => (seen += count) >= rank);
  // The middle of the bucket, so that the relative error is at most `ERROR`.
  const ms = bucket === 0 ? LEAST_MS : (LEAST_MS * 2 * GROWTH ** bucket) / (GROWTH + 1);
  return Number(ms.toPrecision(3));
}

function bucketOf(ms: number): number {
  return ms <= LEAST_MS ? 0 : Math.ceil(Math.log(Math.min(ms, MOST_MS) / LEAST_MS) / Math.log(GROWTH));
}
