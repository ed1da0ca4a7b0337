/** What the layers tell of their work: by name, to anyone who listens. No layer knows who that is. */
import type { Scope } from './request-scope.ts';

/** Things that happen. Each is counted by a few fixed words; never by a name, an id or a text of a user. */
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

/** Work that takes a while. Timed in seconds, and a span of a trace where traces are on. */
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

/** Amounts whose spread matters. */
export type Amount =
  /** Seconds, by route and method. */
  | 'request seconds'
  /** Changes in one commit. */
  | 'commit changes'
  /** Texts in one call to an embedder, by provider. */
  | 'embed texts';

/** What stands at some number now. */
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

/** Levels that one source knows, by name; those that it cannot tell at the moment are left out. */
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

/** Takes what the layers tell. None of it throws, and none of it waits for anything but the work itself. */
export interface Telemetry {
  count(what: Happening, ...words: readonly string[]): void;
  /** Runs the work, and tells how long it took and whether it failed. Rejects as the work does. */
  timed<T>(what: Timing, work: () => Promise<T>, ...words: readonly string[]): Promise<T>;
  record(what: Amount, value: number, ...words: readonly string[]): void;
  /** Moves a level by so much. */
  move(what: Level, by: number): void;
  /** `read` is asked whenever someone looks; a later source of the same name takes its place. */
  watch(source: string, read: () => Levels | Promise<Levels>): void;
  begin(request: RequestFacts): TracedRequest;
}

/** What Prometheus reads. */
export interface MetricsText {
  readonly contentType: string;
  readonly text: string;
}

/** One that can be looked at. */
export interface ReadableTelemetry extends Telemetry {
  metrics(): Promise<MetricsText>;
}

const nothing = (): void => undefined;

/** Nobody listens. */
export const noTelemetry: Telemetry = {
  count: nothing,
  timed: (_what, work) => work(),
  record: nothing,
  move: nothing,
  watch: nothing,
  begin: ({ requestId }) => ({ scope: { requestId, isOver: false }, end: nothing }),
};
