import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { anonymousGrant, type KeyRing } from '../../memory/grant.ts';
import type { Log } from '../../memory/log.ts';
import type { Telemetry } from '../../memory/telemetry.ts';
import type { LoreMiddleware, LoreRequest } from '../exchange.ts';
import type { RequestCounter } from './request-counter.ts';
import type { RequestLog } from './request-log.ts';
import { METRICS_PATH, NO_ROUTE, recordResponse } from './request-metrics.ts';

const SANE_ID = /^[\w.-]{1,64}$/;
const MAX_LOGGED_PATH = 256;
/** Each path segment is checked for an API key, even without authentication; no route has this many. */
const MAX_LOGGED_PARTS = 16;
const MASK = '***';
/** A key in the wrong place is refused, and must not appear in the log either. */
const KEYS = /lore_[\w-]{16,}/gi;

interface Listeners {
  readonly log: Log;
  readonly keys: Pick<KeyRing, 'grantFor'>;
  readonly requests: RequestCounter;
  readonly requestLog: RequestLog;
  readonly telemetry: Telemetry;
}

/**
 * Gives each request an id (the client's own `x-request-id` if it is plain) and a scope. Writes one line and counts the request once its
 * response is sent or cut off. Never logs query strings and header values, which may contain private text.
 */
export function accessLog({ log, keys, requests, requestLog, telemetry }: Listeners): LoreMiddleware {
  const isKey = (text: string): boolean => keys.grantFor(text) !== undefined;
  return (req, res, next) => {
    const startedAt = performance.now();
    const { socket, method, path } = req;
    const bytesBefore = socket.bytesWritten;
    const offered = requestIdOf(req);
    res.setHeader('x-request-id', offered);
    // Only in the log: a response must not reveal which tried key is valid.
    req.requestId = isKey(offered) ? randomUUID() : offered;
    const traced = telemetry.begin({ requestId: req.requestId, method, ...remoteTrace(req) });
    req.scope = traced.scope;
    const isCounted = path !== METRICS_PATH;
    if (isCounted) telemetry.move('requests in flight', 1);
    // A late write or a reset connection is an event on the stream; without a listener it would end the process.
    res.on('error', (err) => log.debug({ err, requestId: req.requestId }, 'response stream failed'));
    res.once('close', () => {
      const duration = performance.now() - startedAt;
      const ms = Math.round(duration * 10) / 10;
      const aborted = !res.writableFinished;
      const { statusCode: status } = res;
      const isStream = isEventStream(res);
      // The duration of an event stream says nothing about the speed of the server.
      if (/^\/api\//i.test(path) && !isStream) requests.add(ms);
      if (isCounted) {
        telemetry.move('requests in flight', -1);
        recordResponse(telemetry, { route: req.route, method, status, aborted, isStream, seconds: duration / 1000 });
      }
      traced.end({ route: req.route ?? NO_ROUTE, status, aborted });
      const answered = {
        method,
        path: withoutKeys(path.slice(0, 2 * MAX_LOGGED_PATH), isKey)
          .slice(0, MAX_LOGGED_PATH)
          .replaceAll(KEYS, `lore_${MASK}`),
        status,
        ms,
        bytes: socket.bytesWritten - bytesBefore,
        requestId: req.requestId ?? offered,
        ...(req.grant !== undefined && req.grant !== anonymousGrant && { key: req.grant.name }),
        ...(aborted && { aborted: true as const }),
      };
      requestLog.note(answered);
      log.info(answered, 'request');
    });
    void next();
  };
}

/** A path, cut if it is long, with API keys masked. A configured key may contain slashes, so each segment and each rest of the path is checked. */
function withoutKeys(path: string, isKey: (text: string) => boolean): string {
  const parts = path.split(/(?<=[/=])/);
  let shown = '';
  for (const [nth, part] of parts.entries()) {
    if (nth === MAX_LOGGED_PARTS) return `${shown}…`;
    if (isKey(decoded(parts.slice(nth).join('')))) return `${shown}${MASK}`;
    const key = [part, part.slice(0, -1)].find((text) => isKey(decoded(text)));
    shown += key === undefined ? part : part.replace(key, MASK);
  }
  return shown;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function requestIdOf({ headers }: LoreRequest): string {
  const offered = headers['x-request-id'];
  const isSane = typeof offered === 'string' && SANE_ID.test(offered) && offered.search(KEYS) === -1;
  return isSane ? offered : randomUUID();
}

function remoteTrace({ headers }: LoreRequest): { readonly traceparent?: string; readonly tracestate?: string } {
  const { traceparent, tracestate } = headers;
  return {
    ...(typeof traceparent === 'string' && { traceparent }),
    ...(typeof tracestate === 'string' && { tracestate }),
  };
}

const isEventStream = (res: ServerResponse): boolean => String(res.getHeader('content-type')).startsWith('text/event-stream');
