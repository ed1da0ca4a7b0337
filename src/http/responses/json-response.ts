import type { ServerResponse } from 'node:http';
import { hasBody } from '../middleware/body.ts';
import { sendText } from './compression.ts';
import type { LoreRequest } from '../exchange.ts';

/** A refused client may send this much more before the connection is cut. */
const DRAIN_BYTES = 32 * 1024 * 1024;
const DRAIN_MS = 5_000;

/**
 * Sends JSON, compressed if the client accepts it, and ends the response. An unread body of the request is drained, within bounds, so
 * that the client sees the answer.
 */
export function sendJson(req: LoreRequest, res: ServerResponse, status: number, body: unknown): void {
  const text = status < 400 ? JSON.stringify(body) : harmless(JSON.stringify(body));
  res.statusCode = status;
  res.setHeader('content-type', 'application/json; charset=utf-8');
  res.setHeader('cache-control', 'no-store');
  if (!isBodyPending(req)) return sendText(req, res, text);
  res.setHeader('content-length', Buffer.byteLength(text));
  // Closing a socket with unread input makes the kernel reset it, and the client would lose the answer that is on its way.
  res.setHeader('connection', 'close');
  res.write(text);
  if (req.awaitsContinue) res.end();
  else drain(req, () => res.end());
}

/** Escapes markup in JSON: an error repeats what the client sent, and no program may read that as HTML. */
function harmless(json: string): string {
  return json.replaceAll(/[<>&\u2028\u2029]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function isBodyPending(req: LoreRequest): boolean {
  return hasBody(req) && !req.complete;
}

function drain(req: LoreRequest, done: () => void): void {
  let left = DRAIN_BYTES;
  const finish = (): void => {
    clearTimeout(timer);
    req.off('data', count).off('end', finish).off('close', finish);
    done();
  };
  const count = (chunk: Buffer): void => {
    left -= chunk.length;
    if (left < 0) finish();
  };
  const timer = setTimeout(finish, DRAIN_MS);
  req.on('data', count).once('end', finish).once('close', finish);
  req.resume();
}
