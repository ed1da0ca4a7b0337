/** What the layers tell of their work: by name, to anyone who listens. No layer knows who that is. */
import type { Scope } from './request-scope.ts';

/** Counters. Labels are a few fixed words, never a name, an id or a text of a user. */
export type Happening =
  /** By route (the pattern), method and status. */
  | 'request'
  | 'request refused: rate'
  | 'request refused: key'
  /** By what became of it and why. */
  | 'capture decision'
  /** `asked`, or `saved` for each entry saved after that. */
  | 'capture assist'
  /** An entry that gets no relations by itself: `full`, as too many wait already, or `import`, as one brought more than may wait. */
  | 'relations skipped'
  /** A run of background work, by its name, and `done` or `failed`. */
  | 'job run'
  /** By `hit` or `miss`. */
  | 'embedding cache lookup'
  /** By the timing. */
  | 'failure';

/** Timed work, in seconds; also a span if traces are on. */
export type Timing =
  /** One change, from the moment it was given to the store until it is safe. */
  | 'commit'
  /** Of the changes of one commit, with the sync. */
  | 'journal append'
  /** One run of what moves fresh rows into the table, merges and indexes. */
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
export type Level =
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
  | 'store bytes'
  | 'disk free bytes'
  | 'seconds since backup'
  | 'degraded';

/** The gauges of one source, by name; currently unknown ones are left out. */
export type Levels = { readonly [L in Level]?: number };

/** What a client says of the trace that its request belongs to, as the headers of W3C Trace Context have it. */
export interface RemoteTrace {
  readonly traceparent?: string | undefined;
  readonly tracestate?: string | undefined;
}

export interface RequestFacts extends RemoteTrace {
  readonly requestId: string;
  readonly method: string;
}

export interface RequestOutcome {
  /** The pattern of the route. */
  readonly route: string;
  readonly status: number;
  /** Whether the client was gone before it had its answer. */
  readonly aborted: boolean;
}

/** One request while it is answered. */
export interface TracedRequest {
  /** What is done within belongs to it. */
  readonly scope: Scope;
  end(outcome: RequestOutcome): void;
}

/** Receives events of all layers. Methods never throw, and wait only for the work itself. */
export interface Telemetry {
  count(what: Happening, ...words: readonly string[]): void;
  /** Runs work and records its duration and failure. Rejects as the work does. */
  timed<T>(what: Timing, work: () => Promise<T>, ...words: readonly string[]): Promise<T>;
  record(what: Amount, value: number, ...words: readonly string[]): void;
  /** Changes a gauge by an amount. */
  move(what: Level, by: number): void;
  /** Registers a source of gauges, read on demand; a later source of the same name replaces it. */
  watch(source: string, read: () => Levels | Promise<Levels>): void;
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
