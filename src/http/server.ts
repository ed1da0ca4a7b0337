import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import polka from 'polka';
import type { Administration, AdministrationOperations } from '../memory/operations/administration.ts';
import type { AuditSink } from '../memory/audit.ts';
import { LoreError } from '../memory/errors.ts';
import type { KeyRing } from '../memory/grant.ts';
import type { StoredResponses } from '../memory/idempotency.ts';
import type { Log } from '../memory/log.ts';
import type { StoreOperations } from '../memory/operations/sync-operations.ts';
import { withGroup } from '../operations/wrapping.ts';
import { scopedLog } from '../memory/request-scope.ts';
import { noTelemetry, type ReadableTelemetry } from '../memory/telemetry.ts';
import { accessLog } from './middleware/access-log.ts';
import { authentication } from './middleware/auth.ts';
import { BodyMemory } from './middleware/body-memory.ts';
import { jsonBody } from './middleware/body.ts';
import { answerBrokenRequest } from './connection/invalid-request.ts';
import { isLoopback, knownAddress } from './middleware/client-address.ts';
import { crossOrigin, openCorsHeaders, preflights } from './middleware/cross-origin.ts';
import { EventStreams } from './responses/event-streams.ts';
import type { LoreRequest } from './exchange.ts';
import { allowedHosts, restrictOrigins, protectKeylessServer } from './middleware/hosts.ts';
import { startListening, stopListening, urlOf } from './connection/listening.ts';
import { endInOrder, startInOrder, isDelayed } from './connection/pipelining.ts';
import { sendProblem } from './responses/problem.ts';
import { rateLimit } from './middleware/rate-limit.ts';
import { RequestCounter } from './middleware/request-counter.ts';
import { RequestLog } from './middleware/request-log.ts';
import { decodablePath, toOriginForm } from './middleware/request-target.ts';
import type { App } from './resource.ts';
import { bindRoutes } from './routes.ts';
import { isLongUpload } from './routes/import.ts';
import { securityHeaders } from './middleware/security-headers.ts';
import type { HttpSettings } from './settings.ts';
import { closeStalled, STALL_MS } from './connection/unread-responses.ts';
import { noRoute } from './unknown-route.ts';

interface ServerOptions {
  readonly memories: StoreOperations;
  /** Stored responses of requests with an `Idempotency-Key`. */
  readonly answers: StoredResponses;
  readonly keys: KeyRing;
  /** The token of the store's lock file: anyone who can read that file has full access anyway. */
  readonly localToken?: string | undefined;
  /** Audit log for operations and refused keys; default none. */
  readonly audit?: AuditSink | undefined;
  readonly settings: HttpSettings;
  readonly storageType: string;
  /** `storage.compression`. Default false. */
  readonly compressExports?: boolean;
  readonly log: Log;
  /** Supplies `GET /api/integrations`, which answers 404 without it. */
  readonly administration?: Administration;
  /** Records every request and supplies `GET /metrics`, which answers 404 without it. */
  readonly telemetry?: ReadableTelemetry;
  /** Decides `GET /readyz`; default: always ready. */
  readonly isReady?: () => Promise<boolean>;
  /** Folder of the built web page; without it no page is served. */
  readonly webRoot?: string;
  readonly version: string;
  /** How long an upload or the reading of a response may stall, milliseconds. Default 60,000. */
  readonly stallMs?: number;
}

export interface LoreServer {
  /** Starts to listen. Rejects with `network` if the port is taken, and with `config` if other machines could connect without a key. */
  listen(): Promise<{ readonly url: string; readonly port: number }>;
  /** Accepts no more connections and finishes requests in progress, for at most 10 s. Safe to repeat. */
  close(): Promise<void>;
  /** Answers one request, for a program with its own HTTP server. */
  readonly handler: (req: IncomingMessage, res: ServerResponse) => void;
}

const TIMEOUT_CHECK_MS = 5_000;
const KEEP_ALIVE_MS = 5_000;
const MIB = 1024 * 1024;

/** The HTTP server of Lore. It listens after `listen()`. */
export function createServer(given: ServerOptions): LoreServer {
  const options = { stallMs: STALL_MS, ...given, log: scopedLog(given.log) };
  const { settings, keys, log } = options;
  const { host, requestTimeoutMs, headersTimeoutMs } = settings;
  const stopping = new AbortController();
  const handler = requestHandler(createApp(options, stopping.signal), options);
  const server = createHttpServer(
    {
      requestTimeout: requestTimeoutMs,
      headersTimeout: Math.min(headersTimeoutMs, requestTimeoutMs),
      connectionsCheckingInterval: Math.min(TIMEOUT_CHECK_MS, headersTimeoutMs, requestTimeoutMs),
      keepAliveTimeout: KEEP_ALIVE_MS,
      // Node's own refusal has no error body; hosts.ts refuses such a request with one.
      requireHostHeader: false,
    },
    handler,
  );
  server.maxConnections = settings.maxConnections;
  server.on('checkContinue', (req: IncomingMessage, res) => handler(Object.assign(req, { awaitsContinue: true }), res));
  server.on('checkExpectation', handler);
  server.on('clientError', brokenRequestHandler(options));
  let closing: Promise<void> | undefined;
  return {
    handler,
    async listen() {
      if (!keys.required && !settings.allowUnauthenticated && !isLoopback(host)) throw needsKey(host);
      const port = await startListening(server, settings);
      server.on('error', (err) => log.error({ err }, 'the server cannot take connections'));
      return { url: urlOf({ host, port }), port };
    },
    close() {
      stopping.abort();
      return (closing ??= stopListening(server));
    },
  };
}

function requestHandler(app: App, { stallMs }: { readonly stallMs: number }): (req: IncomingMessage, res: ServerResponse) => void {
  const handle = app.handler as (req: IncomingMessage, res: ServerResponse) => unknown;
  return (req, res) => {
    startInOrder(req, res, () => {
      closeStalled(req, res, stallMs);
      toOriginForm(req);
      // One turn later, as Polka's own listener does: by then the parser has seen whether the request is complete.
      setImmediate(() => {
        if (!req.socket.destroyed) handle(req, res);
      });
    });
  };
}

function brokenRequestHandler({ settings, log }: ServerOptions) {
  return (error: NodeJS.ErrnoException, socket: Duplex): void => {
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && (isLongUpload(socket) || isDelayed(socket))) return;
    log.debug({ code: error.code }, 'broken request');
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else endInOrder(socket, () => answerBrokenRequest(error, socket, openCorsHeaders(settings.cors)));
  };
}

function needsKey(host: string): LoreError {
  return new LoreError('config', `Listening on ${host} gives other machines access, but no API key is set.`, {
    hint: 'Make a key with `lore auth generate-key`, or set server.allowUnauthenticated to true.',
  });
}

function administrationOf({ administration }: ServerOptions, requestLog: RequestLog): AdministrationOperations {
  return {
    requests: () => Promise.resolve(requestLog.newest()),
    integrations: (callOptions) => {
      if (administration !== undefined) return administration.integrations(callOptions);
      return Promise.reject(new LoreError('not_found', 'Only `lore serve` shows clients; this server was started another way.'));
    },
  };
}

function createApp(options: Required<Pick<ServerOptions, 'stallMs'>> & ServerOptions, closing: AbortSignal): App {
  const { settings, log, keys, stallMs } = options;
  const requests = new RequestCounter();
  const requestLog = new RequestLog();
  const memories = withGroup(options.memories, 'administration', administrationOf(options, requestLog));
  const app: App = polka<LoreRequest>({
    onError: (error, req, res) => sendProblem(error, req, res, log),
    onNoMatch: (req, res) => sendProblem(noRoute(req.path), req, res, log),
  });
  app.use(
    accessLog({ log, requests, requestLog, keys, telemetry: options.telemetry ?? noTelemetry }),
    knownAddress(settings),
    securityHeaders,
    crossOrigin(settings.cors),
    allowedHosts(settings),
    preflights(settings.cors),
    restrictOrigins(settings),
    rateLimit(settings),
    authentication({ ...options, memories, closing }),
    protectKeylessServer(settings),
    decodablePath,
  );
  const context = {
    settings,
    answers: options.answers,
    storageType: options.storageType,
    compressExports: options.compressExports ?? false,
    requests: () => requests.summary(),
    latency: () => requests.latency(),
    streams: new EventStreams(closing, options.telemetry),
    closing,
    stallMs,
    telemetry: options.telemetry,
    isReady: async () => !closing.aborted && (await (options.isReady?.() ?? true)),
    jsonBody: jsonBody(settings.bodyLimitBytes, new BodyMemory(settings.bodyMemoryMB * MIB)),
    keyRequired: () => keys.required,
  };
  bindRoutes(app, { ...context, log }, options);
  return app;
}
