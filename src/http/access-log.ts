import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Log } from '../memory/log.ts';
import type { LoreMiddleware } from './exchange.ts';
import type { RequestCounter } from './request-counter.ts';

const SANE_ID = /^[\w.-]{1,64}$/;
const MAX_LOGGED_PATH = 256;

/**
 * Gives each request an id (the client's own `x-request-id` where it is plain) and writes one line when its answer is out, or cut off. Query strings and
 * header values are never logged: they may hold what people wrote.
 */
export function accessLog(log: Log, requests: RequestCounter): LoreMiddleware {
  return (req, res, next) => {
    const startedAt = performance.now();
    const { socket, method, path } = req;
    const bytesBefore = socket.bytesWritten;
    const offered = req.headers['x-request-id'];
    req.requestId = typeof offered === 'string' && SANE_ID.test(offered) ? offered : randomUUID();
    res.setHeader('x-request-id', req.requestId);
    // A late write or a reset connection is an event on the stream; without a listener it would end the process.
    res.on('error', (err) => log.debug({ err, requestId: req.requestId }, 'response stream failed'));
    res.once('close', () => {
      const ms = Math.round((performance.now() - startedAt) * 10) / 10;
      // How long somebody listens says nothing of how fast the server is.
      if (/^\/api\//i.test(path) && !isStream(res)) requests.add(ms);
      log.info(
        {
          method,
          path: path.slice(0, MAX_LOGGED_PATH),
          status: res.statusCode,
          ms,
          bytes: socket.bytesWritten - bytesBefore,
          requestId: req.requestId,
          ...(req.keyName !== undefined && { key: req.keyName }),
          ...(!res.writableFinished && { aborted: true }),
        },
        'request',
      );
    });
    void next();
  };
}

const isStream = (res: ServerResponse): boolean => String(res.getHeader('content-type')).startsWith('text/event-stream');
