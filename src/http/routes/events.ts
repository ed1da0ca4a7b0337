import { changes } from '../../operations/events.ts';
import { pathOf } from '../../operations/operation.ts';
import { EVENT_HEADERS } from '../answers/event-streams.ts';
import { memoriesOf, type LoreRequest } from '../exchange.ts';
import { queried } from '../query.ts';
import { bindResource, type App, type RouteContext } from '../resource.ts';

/** As it was in the last event that the client saw; browsers send it by themselves. */
const LAST_ID = 'last-event-id';

/** GET /api/events: what changes, as server-sent events, for as long as someone listens. */
export function bindEvents(app: App, { streams }: RouteContext): void {
  bindResource(app, pathOf(changes.follow), {
    GET: queried(changes.follow.request, async (req, res, request) => {
      // What is refused for want of room was used by nobody: the audit log must not say that it was.
      streams.requireRoom();
      const gone = new AbortController();
      // Before the headers: what is refused is answered in the error form.
      const events = memoriesOf(req).changes.follow({ ...request, after: lastId(req) }, { signal: gone.signal });
      if (req.method === 'HEAD') return void res.writeHead(200, EVENT_HEADERS).end();
      const stream = streams.open(res, req.isStillGranted ?? (() => true));
      stream.signal.addEventListener('abort', () => gone.abort(), { once: true });
      if (stream.signal.aborted) gone.abort();
      for await (const event of events) stream.send(event);
      stream.end();
    }),
  });
}

function lastId(req: LoreRequest): string | undefined {
  const header = req.headers[LAST_ID];
  return typeof header === 'string' && header !== '' ? header : undefined;
}
