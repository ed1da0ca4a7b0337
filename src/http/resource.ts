import type { Polka } from 'polka';
import type { StoredResponses } from '../memory/idempotency.ts';
import { LoreError } from '../memory/errors.ts';
import { runInScope } from '../memory/request-scope.ts';
import type { ReadableTelemetry } from '../memory/telemetry.ts';
import type { LatencyReport } from '../memory/latency-history.ts';
import type { RequestSummary } from './middleware/request-counter.ts';
import type { EventStreams } from './responses/event-streams.ts';
import { memoriesOf, type LoreMiddleware, type LoreRequest } from './exchange.ts';
import { FormQuery } from './representations/representations.ts';
import { knownParameters } from './query.ts';
import { idInPath } from './unknown-route.ts';
import type { HttpSettings } from './settings.ts';
import type { Log } from '../memory/log.ts';

/** The dependencies of the routes. */
export interface RouteContext {
  readonly settings: HttpSettings;
  /** Stored responses of requests with an `Idempotency-Key`. */
  readonly answers: StoredResponses;
  readonly storageType: string;
  /** Whether an export is compressed by default. */
  readonly compressExports: boolean;
  readonly log: Log;
  readonly requests: () => RequestSummary;
  /** Latency of the responses of the last hour. */
  readonly latency: () => LatencyReport;
  readonly streams: EventStreams;
  /** Aborted when the server begins to close: ends endless responses. */
  readonly closing: AbortSignal;
  /** How long an upload may stall, milliseconds. */
  readonly stallMs: number;
  /** Absent if the server was started without it. */
  readonly telemetry?: ReadableTelemetry | undefined;
  /** Whether the store would accept a save now. */
  readonly isReady: () => Promise<boolean>;
  /** Whether requests currently need a key. */
  readonly keyRequired: () => boolean;
  /** Middleware that reads a JSON body. Runs before the handler of every route that accepts one. */
  readonly jsonBody: LoreMiddleware;
}

export type App = Polka<LoreRequest>;
type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
export type Handlers = { readonly [M in Method]?: LoreMiddleware | readonly LoreMiddleware[] };

/**
 * Binds the methods of one path. Other methods get 405 and `Allow`. Unless `open`, no handler runs without an accepted key, or with an unknown
 * query parameter. Bind fixed paths before `/api/:id`.
 */
export function bindResource(app: App, path: string, handlers: Handlers, options: { readonly open?: boolean } = {}): void {
  const guard: LoreMiddleware = (req, _res, next) => {
    req.route = path;
    if (!options.open) memoriesOf(req);
    void next();
  };
  const methods = Object.entries(handlers).map(([method, handler]) => [method as Method, [handler].flat()] as const);
  for (const [method, steps] of methods) {
    // Health probes accept any parameter: a supervisor may add its own.
    const parameters = options.open ? [] : [knownParameters(steps, path.startsWith('/api/') ? FormQuery : undefined)];
    app.add(method, path, guard, ...parameters, ...steps.map(scoped));
  }
  const allow = methods
    .flatMap(([method]) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    .concat('OPTIONS')
    .join(', ');
  app.all(path, (req, res) => {
    req.route = path;
    res.setHeader('allow', allow);
    if (req.method === 'OPTIONS') return void res.writeHead(204).end();
    // A misspelt route is read as an id.
    if (path === '/api/:id') idInPath(req.path, req.params['id'] ?? '');
    throw new LoreError('method_not_allowed', `${req.method} is not possible here. This route takes ${allow}.`);
  });
}

/** Runs a handler in the scope of its request: reading the body loses the scope, because the socket's events belong to no request. */
const scoped =
  (handler: LoreMiddleware): LoreMiddleware =>
  (req, res, next) =>
    runInScope(req.scope, () => handler(req, res, next));
