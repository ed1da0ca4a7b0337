/** Disconnects clients that do not read their response. */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Uploads and responses may take any time while bytes move, but may not stall for longer than this. */
export const STALL_MS = 60_000;

/**
 * Cuts the connection once its client has read none of the waiting response bytes for `stallMs`. Slow readers are waited for, and so is a
 * server that has nothing to send yet.
 */
export function closeStalled({ socket }: IncomingMessage, res: ServerResponse, stallMs: number): void {
  // Node calls this when no bytes moved in either direction. That is no fault if no response bytes wait to be read.
  res.setTimeout(stallMs, () => {
    if (socket.writableLength > 0) socket.destroy();
  });
}
