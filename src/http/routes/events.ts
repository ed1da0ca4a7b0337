import { changes } from '../../operations/events.ts';
import { EVENT_HEADERS } from '../responses/event-streams.ts';
import { memoriesOf, type LoreMiddleware, type LoreRequest } from '../exchange.ts';
import { withQuery } from '../query.ts';
import type { RouteContext } from '../resource.ts';

/** Id of the last event that the client received; browsers send it on reconnect. */
const LAST_ID = 'last-event-id';

/** GET /api/events: changes of the store as server-sent events, until the client disconnects. */
export function eventsHandler({ streams }: RouteContext): LoreMiddleware {
  return withQuery(changes.follow.streamed.query, async (req, res, request) => {
    // A stream over the limit must not appear in the audit log as used.
    streams.requireRoom();
    const gone = new AbortController();
    // Before the headers are sent, so that a refusal gets an error response.
    const events = memoriesOf(req).changes.follow({ ...request, after: lastId(req) }, { signal: gone.signal });
    if (req.method === 'HEAD') return void res.writeHead(200, EVENT_HEADERS).end();
    const stream = streams.open(res, req.isStillGranted ?? (() => true));
    stream.signal.addEventListener('abort', () => gone.abort(), { once: true });
    if (stream.signal.aborted) gone.abort();
    for await (const event of events) stream.send(event);
    stream.end();
  });
}

function lastId(req: LoreRequest): string | undefined {
  const header = req.headers[LAST_ID];
  return typeof header === 'string' && header !== '' ? header : undefined;
}
