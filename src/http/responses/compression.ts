import type { IncomingMessage, ServerResponse } from 'node:http';
import { constants, gzip, gzipSync } from 'node:zlib';

/** Smaller responses fit one packet even uncompressed. */
const LEAST_BYTES = 1024;
/** Larger responses are compressed on another thread: on this one they would block other requests for more than a millisecond. */
const MAX_SYNC_BYTES = 256 * 1024;
const OPTIONS = { level: constants.Z_BEST_SPEED };
const REFUSED = /;\s*q=0(?:\.0*)?\s*$/;

/** Ends a response with its text, compressed if that is worth it and the client accepts gzip. Sets the length and encoding headers. */
export function sendText(req: IncomingMessage, res: ServerResponse, text: string): void {
  const bytes = Buffer.byteLength(text);
  const send = (body: string | Buffer, length: number): void => {
    if (res.destroyed) return;
    res.setHeader('content-length', length);
    res.end(body);
  };
  if (bytes < LEAST_BYTES) return send(text, bytes);
  res.appendHeader('vary', 'Accept-Encoding');
  if (!takesGzip(req)) return send(text, bytes);
  const sendCompressed = (body: Buffer): void => {
    res.setHeader('content-encoding', 'gzip');
    send(body, body.length);
  };
  if (bytes <= MAX_SYNC_BYTES) return sendCompressed(gzipSync(text, OPTIONS));
  gzip(text, OPTIONS, (error, body) => (error === null ? sendCompressed(body) : send(text, bytes)));
}

/**
 * Responses to a page of another site are never compressed: their length would reveal how much of a guess matches a stored memory (BREACH
 * attack).
 */
function takesGzip({ headers }: IncomingMessage): boolean {
  if (headers['sec-fetch-site'] === 'cross-site') return false;
  const offers = (headers['accept-encoding'] ?? '').split(',');
  return offers.some((offer) => /^\s*gzip\s*(?:;|$)/i.test(offer) && !REFUSED.test(offer));
}
