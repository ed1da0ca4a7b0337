/** The telemetry interface of all layers: named counters, timings, amounts and gauges. */
import type { Scope } from './request-scope.ts';

/** Counters. Labels come from small fixed sets, never a name, an id or user text. */
export type CounterName =
  /** By route (the pattern), method and status. */
  | 'request'
  | 'request refused: rate'
  | 'request refused: key'
  /** By outcome and reason. */
  | 'capture decision'
  /** `asked`, or `saved` for each entry saved after that. */
  | 'capture assist'
  /** Entries without automatic relations: `full`, too many are waiting; `import`, one import brought more than may wait. */
  | 'relations skipped'
  /** Runs of background jobs, by name and `done` or `failed`. */
  | 'job run'
  /** By `hit` or `miss`. */
  | 'embedding cache lookup'
  /** Failures of timed work, by timing. */
  | 'failure';

/** Timed work, in seconds; also a span if traces are on. */
export type Timing =
  /** One change, from submission to the store until it is durable. */
  | 'commit'
  /** Write of one commit to the WAL, with fsync. */
  | 'journal append'
  /** One run of flush, compaction and indexing. */
  | 'optimize'
  | 'vector search'
  | 'keyword search'
  /** By mode. */
  | 'recall'
  /** One call to an embedder, by provider. */
  | 'embed'
  | 'backup';

/** Histograms of amounts. */
export type Amount =
  /** Seconds, by route and method. */
  | 'request seconds'
  /** Changes in one commit. */
  | 'commit changes'
  /** Texts in one call to an embedder, by provider. */
  | 'embed texts';

/** Gauges. */
export type GaugeName =
  | 'requests in flight'
  | 'event streams'
  | 'embedding queue'
  | 'write queue'
  | 'journal bytes'
  | 'fragments'
  | 'versions'
  | 'unindexed rows'
  | 'fresh rows'
  | 'entries'
  | 'maintaining'
  | 'servers'
  | 'store bytes'
  | 'disk free bytes'
  | 'seconds since backup'
  | 'seconds backup is overdue'
  | 'degraded';

/** Gauge values of one source, by name; currently unknown ones are absent. */
export type GaugeValues = { readonly [L in GaugeName]?: number };

/** Trace context headers of a client (W3C Trace Context). */
export interface RemoteTrace {
  readonly traceparent?: string | undefined;
  readonly tracestate?: string | undefined;
}

export interface RequestFacts extends RemoteTrace {
  readonly requestId: string;
  readonly method: string;
}

export interface RequestOutcome {
  /** Pattern of the route. */
  readonly route: string;
  readonly status: number;
  /** Whether the client disconnected before the response was complete. */
  readonly aborted: boolean;
}

/** A request in progress. */
export interface TracedRequest {
  /** Work in this scope belongs to the request. */
  readonly scope: Scope;
  end(outcome: RequestOutcome): void;
}

/** Receives telemetry of all layers. Methods never throw; only `timed` waits, for its work. */
export interface Telemetry {
  count(what: CounterName, ...words: readonly string[]): void;
  /** Runs work and records its duration and failure. Rejects as `work` does. */
  timed<T>(what: Timing, work: () => Promise<T>, ...words: readonly string[]): Promise<T>;
  record(what: Amount, value: number, ...words: readonly string[]): void;
  /** Changes a gauge by an amount. */
  move(what: GaugeName, by: number): void;
  /** Registers a source of gauges, read on demand; a later source of the same name replaces it. */
  watch(source: string, read: () => GaugeValues | Promise<GaugeValues>): void;
  begin(request: RequestFacts): TracedRequest;
}

/** Metrics as text for Prometheus. */
export interface MetricsText {
  readonly contentType: string;
  readonly text: string;
}

/** Telemetry with readable metrics. */
export interface ReadableTelemetry extends Telemetry {
  metrics(): Promise<MetricsText>;
}

const nothing = (): void => undefined;

/** Telemetry that does nothing. */
export const noTelemetry: Telemetry = {
  count: nothing,
  timed: (_what, work) => work(),
  record: nothing,
  move: nothing,
  watch: nothing,
  begin: ({ requestId }) => ({ scope: { requestId, isOver: false }, end: nothing }),
};
