/** Disconnects clients that do not read their response. */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** An upload and an answer may take as long as they want while they move; they may not stand still for longer than this. */
export const STALL_MS = 60_000;

/**
 * Cuts the connection once its client has read nothing of what is there for it for `stallMs`, whatever the answer is. A client that reads slowly is waited
 * for, and so is a server that has nothing to send yet.
 */
export function cutUnread({ socket }: IncomingMessage, res: ServerResponse, stallMs: number): void {
  // Node calls this when nothing has moved in either direction, which is no fault where nothing waits to be read.
  res.setTimeout(stallMs, () => {
    if (socket.writableLength > 0) socket.destroy();
  });
}
