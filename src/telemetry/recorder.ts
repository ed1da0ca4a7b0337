import { LoreError, type ErrorCode } from '../memory/errors.ts';
import type { Log } from '../memory/log.ts';
import type {
  Amount,
  Happening,
  Level,
  Levels,
  MetricsText,
  ReadableTelemetry,
  RequestFacts,
  Timing,
  TracedRequest,
} from '../memory/telemetry.ts';
import { AMOUNTS, HAPPENINGS, TIMINGS, type Family } from './families.ts';
import { Histogram } from './histogram.ts';
import { Series } from './series.ts';
import type { Tracing } from './tracing.ts';

interface Parts {
  readonly version: string;
  readonly log: Log;
  /** Absent where traces are off. */
  readonly tracing?: Tracing | undefined;
}

/** Levels that the layers move, rather than tell when asked: they begin with nothing. */
const MOVED: readonly Level[] = ['requests in flight', 'event streams', 'embedding queue'];

type Made<Name extends string, Value> = { readonly [N in Name]: Series<Value> };

/**
 * Keeps what the layers tell, in plain numbers in memory: what writes them for Prometheus is loaded by the first who looks, and a telling costs less than a
 * microsecond.
 */
export class Recorder implements ReadableTelemetry {
  readonly counts: Made<Happening, number> = made(HAPPENINGS, () => () => 0);
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
  readonly #moved = new Map<Level, number>(MOVED.map((level) => [level, 0]));
  readonly #sources = new Map<string, () => Levels | Promise<Levels>>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  count(what: Happening, ...words: readonly string[]): void {
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

  move(what: Level, by: number): void {
    this.#moved.set(what, (this.#moved.get(what) ?? 0) + by);
  }

  watch(source: string, read: () => Levels | Promise<Levels>): void {
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

  /** Every level as it is now. A source that cannot tell is left out, and the log says why. */
  async levels(): Promise<Levels> {
    const read = [...this.#sources].map(async ([source, levels]): Promise<Levels> => {
      try {
        return await levels();
      } catch (err) {
        this.#parts.log.debug({ err, source }, 'a metric could not be read');
        return {};
      }
    });
    return Object.assign(Object.fromEntries(this.#moved), ...(await Promise.all(read))) as Levels;
  }

  async metrics(): Promise<MetricsText> {
    const { exposition } = await import('./exposition.ts');
    return await exposition(this, this.#parts.version);
  }

  /** Hands over what traces are left; those that the collector has not taken within a second are lost. Safe to repeat. */
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
    // What has happened never says so, rather than nothing.
    if (family.labels.length === 0) one.of([]);
    return [name, one];
  });
  return Object.fromEntries(series) as Made<Name, Value>;
}

/** What is asked for was refused as it should be. */
const REFUSALS: ReadonlySet<ErrorCode> = new Set(['invalid_input', 'not_found', 'forbidden', 'too_large']);

/** Whether the work failed; not where it was refused, or the caller has gone. */
function isFailure(error: unknown): boolean {
  if (error instanceof LoreError) return !REFUSALS.has(error.code) && !isAbort(error.cause);
  return !isAbort(error);
}

const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';
