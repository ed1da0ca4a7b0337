import type { Polka } from 'polka';
import type { Administration, AnsweredRequest } from '../memory/operations/administration.ts';
import type { Answers } from '../memory/idempotency.ts';
import { LoreError } from '../memory/errors.ts';
import { within } from '../memory/request-scope.ts';
import type { ReadableTelemetry } from '../memory/telemetry.ts';
import type { LatencyReport } from '../memory/latency-history.ts';
import type { RequestSummary } from './middleware/request-counter.ts';
import type { EventStreams } from './answers/event-streams.ts';
import { memoriesOf, type LoreMiddleware, type LoreRequest } from './exchange.ts';
import { FormQuery } from './forms/forms.ts';
import { knownParameters } from './query.ts';
import type { HttpSettings } from './settings.ts';
import type { Log } from '../memory/log.ts';

/** What the routes know besides the request. */
export interface RouteContext {
  readonly settings: HttpSettings;
  /** What was answered to requests with a key. */
  readonly answers: Answers;
  readonly storageType: string;
  /** Whether an export is compressed where a request does not say. */
  readonly compressExports: boolean;
  readonly log: Log;
  readonly requests: () => RequestSummary;
  /** How long the answers of the last hour took. */
  readonly latency: () => LatencyReport;
  /** The requests of the last hour, newest first. */
  readonly answered: () => readonly AnsweredRequest[];
  readonly streams: EventStreams;
  /** Aborted once the server is told to close: what could go on for ever ends then. */
  readonly closing: AbortSignal;
  /** How long an upload may stand still. */
  readonly stallMs: number;
  /** Absent where the server was started without. */
  readonly telemetry?: ReadableTelemetry | undefined;
  /** Whether a save would be taken now. */
  readonly isReady: () => Promise<boolean>;
  /** Absent where the server was started without. */
  readonly administration?: Administration | undefined;
  /** Whether requests need a key now. */
  readonly keyRequired: () => boolean;
  /** Middleware that reads a JSON body; stands before the handler of every route that takes one. */
  readonly jsonBody: LoreMiddleware;
}

export type App = Polka<LoreRequest>;
type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
export type Handlers = { readonly [M in Method]?: LoreMiddleware | readonly LoreMiddleware[] };

/**
 * Binds the methods of one path. Other methods are answered with 405 and `Allow`. Unless `open`, no handler runs without an accepted key, whatever stands
 * before it; and none runs with a parameter in the query that no handler takes. Paths with fixed words are bound before `/api/:id`.
 */
export function bindResource(app: App, path: string, handlers: Handlers, options: { readonly open?: boolean } = {}): void {
  const guard: LoreMiddleware = (req, _res, next) => {
    req.route = path;
    if (!options.open) memoriesOf(req);
    void next();
  };
  const methods = Object.entries(handlers).map(([method, handler]) => [method as Method, [handler].flat()] as const);
  for (const [method, steps] of methods) {
    // A supervisor that adds a parameter of its own must not take a healthy server for a broken one.
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
    if (req.method !== 'OPTIONS') throw new LoreError('method_not_allowed', `This route takes ${allow}.`);
    res.writeHead(204).end();
  });
}

/** Runs a handler for its request: the body is read in a turn of the connection, which belongs to none. */
const scoped =
  (handler: LoreMiddleware): LoreMiddleware =>
  (req, res, next) =>
    within(req.scope, () => handler(req, res, next));
