/** A server on a store with something of everything in it, and what shows that a request changed nothing of it. */
import { tmpdir } from 'node:os';
import { startTestServer, type Answer, type TestServer } from '../helpers/server.ts';
import { goodBodies, type Ids, type Route } from './routes.ts';

export const BODY_LIMIT = 128 * 1024;
const LINES = { 'content-type': 'application/x-ndjson' };
const ACCEPT = { accept: 'application/json, text/event-stream' };

export interface TriedStore extends AsyncDisposable, Ids {
  readonly server: TestServer;
  /** How many requests `send` has sent. */
  readonly sent: number;
  /** All that is stored, with every byte of it, and what was counted; not the time of the export. */
  everything(): Promise<string>;
  /** A request for a route that it would carry out; `query` begins with `?`. */
  send(
    route: Route,
    request?: { readonly query?: string; readonly body?: unknown; readonly headers?: Record<string, string> },
  ): Promise<Answer>;
}

export async function openTriedStore(): Promise<TriedStore> {
  const server = await startTestServer({ server: { bodyLimitBytes: BODY_LIMIT, auth: { enabled: false } } });
  const id = await server.save('The heron fishes', { tags: ['bird'] });
  const other = await server.save('The walrus sleeps', { namespace: 'elsewhere' });
  await server.call('POST', '/api/relations', { body: { sourceId: id, targetId: other, type: 'references' } });
  await server.call('PATCH', `/api/${other}`, { body: { content: 'The walrus sleeps in' } });
  const file = { path: 'a.ts', hash: 'a1', passages: [{ content: 'The gull cries', start: 1, end: 2 }] };
  await server.call('POST', '/api/sources', { body: { kind: 'index', root: 'r', files: [file] } });
  const archived = await server.save('The otter dives');
  await server.call('DELETE', `/api/${archived}`);
  const told = async (path: string): Promise<string> => (await server.call('GET', path)).text;
  const bodies = goodBodies({ id, other });
  let sent = 0;
  return {
    server,
    id,
    other,
    get sent() {
      return sent;
    },
    async everything() {
      const [lines, backups, ...rest] = await Promise.all(
        ['/api/export?all=true&vectors=true', '/api/backups', '/api/sources', '/api/capture/sessions', `/api/${id}`, `/api/${other}`].map(
          told,
        ),
      );
      // The server may make one of its own meanwhile.
      return [lines!.replace(/^.*\n/, ''), `${backups!.split('"manual"').length - 1} backups`, ...rest].join('\n');
    },
    send(route, { query = '', body, headers = {} } = {}) {
      sent += 1;
      const good = route.takesLines ? '{"content":"Not to be stored"}' : (bodies[route.name] ?? (route.places.length > 0 ? {} : undefined));
      return server.call(route.method, `${route.path.replace('{id}', id)}${query}`, {
        body: body ?? good,
        headers: { ...(route.takesLines && LINES), ...(route.path === '/mcp' && ACCEPT), ...headers },
      });
    },
    [Symbol.asyncDispose]: () => server.close(),
  };
}

/** Words of the engine, of the runtime and of the machine, which no client may see. */
const FOREIGN =
  /lance|arrow|datafusion|rust|\.rs\b|node_modules|\bat .+:\d+|\/home|SyntaxError|TypeError|ECONN|EPIPE|zod|undefined|\[object/i;

/** What an answer is, for a comparison: its status, its words, and where it is not in the form of errors or says too much the whole of it. */
export function refusalIn({ status, body, text }: Pick<Answer, 'status' | 'body' | 'text'>): readonly [status: number, error: string] {
  const isOurs =
    Object.keys(body ?? {}).join() === 'success,error,code' &&
    body.code === (status === 404 ? 'NOT_FOUND' : 'INVALID_REQUEST') &&
    text.length < 1000 &&
    !FOREIGN.test(body.error) &&
    !text.includes(tmpdir());
  return [status, isOurs ? body.error : `not the form of errors: ${text.slice(0, 300)}`];
}
