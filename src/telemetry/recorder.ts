import { LoreError, type ErrorCode } from '../memory/errors.ts';
import type { Log } from '../memory/log.ts';
import type {
  Amount,
  CounterName,
  GaugeName,
  GaugeValues,
  MetricsText,
  ReadableTelemetry,
  RequestFacts,
  Timing,
  TracedRequest,
} from '../memory/telemetry.ts';
import { AMOUNTS, COUNTERS, TIMINGS, type Family } from './families.ts';
import { Histogram } from './histogram.ts';
import { Series } from './series.ts';
import type { Tracing } from './tracing.ts';

interface Parts {
  readonly version: string;
  readonly log: Log;
  /** Absent if traces are off. */
  readonly tracing?: Tracing | undefined;
}

/** Gauges changed by `move` instead of read on demand; they start at 0. */
const MOVED: readonly GaugeName[] = ['requests in flight', 'event streams', 'embedding queue'];

type Made<Name extends string, Value> = { readonly [N in Name]: Series<Value> };

/**
 * Records telemetry as plain numbers in memory. One call costs less than a microsecond; the Prometheus format is loaded on the first read.
 */
export class Recorder implements ReadableTelemetry {
  readonly counts: Made<CounterName, number> = made(COUNTERS, () => () => 0);
  readonly timings: Made<Timing, Histogram> = made(
    TIMINGS,
    ({ buckets }) =>
      () =>
        new Histogram(buckets),
  );
  readonly amounts: Made<Amount, Histogram> = made(
    AMOUNTS,
    ({ buckets }) =>
      () =>
        new Histogram(buckets),
  );
  readonly #parts: Parts;
  readonly #moved = new Map<GaugeName, number>(MOVED.map((level) => [level, 0]));
  readonly #sources = new Map<string, () => GaugeValues | Promise<GaugeValues>>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  count(what: CounterName, ...words: readonly string[]): void {
    this.counts[what].of(words).value += 1;
  }

  async timed<T>(what: Timing, work: () => Promise<T>, ...words: readonly string[]): Promise<T> {
    const { tracing } = this.#parts;
    const started = performance.now();
    try {
      return await (tracing === undefined ? work() : tracing.during(what, work, words[0]));
    } catch (error) {
      if (isFailure(error)) this.count('failure', what);
      throw error;
    } finally {
      this.timings[what].of(words).value.add((performance.now() - started) / 1000);
    }
  }

  record(what: Amount, value: number, ...words: readonly string[]): void {
    this.amounts[what].of(words).value.add(value);
  }

  move(what: GaugeName, by: number): void {
    this.#moved.set(what, (this.#moved.get(what) ?? 0) + by);
  }

  watch(source: string, read: () => GaugeValues | Promise<GaugeValues>): void {
    this.#sources.set(source, read);
  }

  begin(request: RequestFacts): TracedRequest {
    const { requestId } = request;
    const span = this.#parts.tracing?.begin(request);
    const scope = { requestId, isOver: false, ...(span !== undefined && { trace: span.context }) };
    return {
      scope,
      end(outcome) {
        scope.isOver = true;
        span?.end(outcome);
      },
    };
  }

  /** Current values of all gauges. Sources that fail are left out and logged. */
  async gauges(): Promise<GaugeValues> {
    const read = [...this.#sources].map(async ([source, gauges]): Promise<GaugeValues> => {
      try {
        return await gauges();
      } catch (err) {
        this.#parts.log.debug({ err, source }, 'a metric could not be read');
        return {};
      }
    });
    return Object.assign(Object.fromEntries(this.#moved), ...(await Promise.all(read))) as GaugeValues;
  }

  async metrics(): Promise<MetricsText> {
    const { exposition } = await import('./exposition.ts');
    return await exposition(this, this.#parts.version);
  }

  /** Sends remaining traces, for at most a second; drops the rest. Safe to repeat. */
  async close(): Promise<void> {
    await this.#parts.tracing?.close();
  }
}

function made<Name extends string, F extends Family, Value>(
  families: Readonly<Record<Name, F>>,
  make: (family: F) => () => Value,
): Made<Name, Value> {
  const series = Object.entries<F>(families).map(([name, family]) => {
    const one = new Series(make(family));
    // Counters without labels start at 0 instead of being absent.
    if (family.labels.length === 0) one.of([]);
    return [name, one];
  });
  return Object.fromEntries(series) as Made<Name, Value>;
}

/** Rejected requests are no failures. */
const REFUSALS: ReadonlySet<ErrorCode> = new Set(['invalid_input', 'not_found', 'forbidden', 'too_large']);

/** Whether an error is a failure: neither a rejected request nor a cancellation. */
function isFailure(error: unknown): boolean {
  if (error instanceof LoreError) return !REFUSALS.has(error.code) && !isAbort(error.cause);
  return !isAbort(error);
}

const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';
