/** What becomes of requests that a client sends before it has its answers. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const MAX_WAITING = 16;

/** How many wait on each connection. */
const waiting = new WeakMap<Socket, number>();

/**
 * Begins a request once the connection is there for its answer, and never where that is gone before: Node tells no answer that waits behind another one of it.
 * Cuts a connection on which too many wait.
 */
export function inTurn({ socket }: IncomingMessage, res: ServerResponse, begin: () => void): void {
  if (res.socket !== null) {
    begin();
    return;
  }
  const others = waiting.get(socket) ?? 0;
  if (others >= MAX_WAITING) {
    socket.destroy();
    return;
  }
  waiting.set(socket, others + 1);
  res.once('socket', () => {
    waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
    begin();
  });
}
