import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Container } from '../helpers/azurite.ts';

/** What happens to the next commit of a table: its answer gets lost, or it waits until it is let go. */
type Fault = { readonly kind: 'lost answer' } | { readonly kind: 'held'; readonly until: Promise<void> };

/** The way to a container, on which things go wrong when a test says so. */
export interface UnreliableWay extends AsyncDisposable {
  /** For LanceDB, instead of those of the container. */
  readonly options: Readonly<Record<string, string>>;
  readonly next: (fault: Fault) => void;
  /** Commits that met with a fault. */
  readonly struck: () => number;
  /** Method and path of each request so far, with its query. */
  readonly asked: readonly string[];
}

/** A commit is a conditional write of a manifest. */
const isCommit = ({ method, url = '' }: IncomingMessage): boolean => method === 'PUT' && /_versions\/[^/]+\.manifest/.test(url);

export async function unreliableWay({ options }: Container): Promise<UnreliableWay> {
  const target = new URL(options['azure_storage_endpoint'] ?? '');
  let fault: Fault | undefined;
  let struck = 0;
  const asked: string[] = [];
  const pass = async (incoming: IncomingMessage, answer: ServerResponse): Promise<void> => {
    asked.push(`${incoming.method} ${incoming.url}`);
    const body = await buffer(incoming);
    const met = isCommit(incoming) ? fault : undefined;
    if (met !== undefined) {
      fault = undefined;
      struck += 1;
    }
    if (met?.kind === 'held') await met.until;
    const response = await forward(incoming, body, target);
    const payload = await buffer(response);
    if (met?.kind === 'lost answer') return void answer.destroy();
    answer.writeHead(response.statusCode ?? 500, response.rawHeaders).end(payload);
  };
  const server = createServer((incoming, answer) => {
    pass(incoming, answer).catch(() => answer.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    options: { ...options, azure_storage_endpoint: `http://127.0.0.1:${port}${target.pathname}` },
    next: (given) => (fault = given),
    struck: () => struck,
    asked,
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function forward({ method, url, headers }: IncomingMessage, body: Buffer, { hostname, port }: URL): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname, port, method, path: url, headers }, resolve);
    outgoing.on('error', reject).end(body);
  });
}
