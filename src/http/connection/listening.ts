/** The server's socket: opens the port and closes it. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { LoreError } from '../../memory/errors.ts';

const CLOSE_MS = 10_000;
const IDLE_CHECK_MS = 50;

interface Place {
  readonly host: string;
  readonly port: number;
}

/** The open connections of each server. */
const connections = new WeakMap<Server, Set<Socket>>();

function noteConnections(server: Server): void {
  const sockets = new Set<Socket>();
  connections.set(server, sockets);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
}

/** Cuts connections without a request so far, as browsers open them in advance: Node does not count them as idle. */
function closeUnusedConnections(server: Server): void {
  for (const socket of connections.get(server) ?? []) if (socket.bytesRead === 0) socket.destroy();
}

/** Resolves with the port once the server accepts connections. Rejects with `network` and a message the user can act on. */
export async function startListening(server: Server, place: Place): Promise<number> {
  noteConnections(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(place, () => {
      server.off('error', reject);
      resolve();
    });
  }).catch((error: unknown) => {
    throw refusal(error, place);
  });
  const address = server.address();
  return typeof address === 'object' && address ? address.port : place.port;
}

function refusal(cause: unknown, { host, port }: Place): LoreError {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'EADDRINUSE')
    return new LoreError('network', `Port ${port} is taken by another program.`, {
      cause,
      hint: 'Stop that program, or choose another port with --port.',
    });
  if (code === 'EACCES')
    return new LoreError('network', `This user may not listen on port ${port}.`, { cause, hint: 'Choose a port above 1023 with --port.' });
  return new LoreError('network', `The server cannot listen on ${host}, port ${port}.`, {
    cause,
    hint: 'Set server.host to an address of this machine, such as 127.0.0.1.',
  });
}

/** Accepts no more connections, finishes requests in flight for at most 10 s, then cuts the remaining ones. */
export async function stopListening(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection is idle as soon as its request is answered; waiting for its client to close it would take the keep-alive time.
  const idle = setInterval(() => {
    server.closeIdleConnections();
    closeUnusedConnections(server);
  }, IDLE_CHECK_MS);
  const late = setTimeout(() => server.closeAllConnections(), CLOSE_MS);
  await closed.finally(() => {
    clearInterval(idle);
    clearTimeout(late);
  });
}

/** The URL at which a client on this machine reaches a server on `host`. */
export function urlOf({ host, port }: Place): string {
  const near = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return `http://${near.includes(':') ? `[${near}]` : near}:${port}`;
}
