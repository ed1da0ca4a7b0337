import type { IncomingMessage, ServerResponse } from 'node:http';
import { constants, gzip, gzipSync } from 'node:zlib';

/** A shorter answer fits one packet either way. */
const LEAST_BYTES = 1024;
/** A longer one is compressed on another thread: here it would hold up other requests for more than a millisecond. */
const MOST_BYTES_HERE = 256 * 1024;
const OPTIONS = { level: constants.Z_BEST_SPEED };
const REFUSED = /;\s*q=0(?:\.0*)?\s*$/;

/** Ends an answer with its text, compressed where that is worth it and the client takes gzip. Sets the headers about its length and encoding. */
export function endWith(req: IncomingMessage, res: ServerResponse, text: string): void {
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
  if (bytes <= MOST_BYTES_HERE) return sendCompressed(gzipSync(text, OPTIONS));
  gzip(text, OPTIONS, (error, body) => (error === null ? sendCompressed(body) : send(text, bytes)));
}

/** A page of another site never gets a compressed answer: the length would tell it how much of what it asked for stands in a memory already (the BREACH attack). */
function takesGzip({ headers }: IncomingMessage): boolean {
  if (headers['sec-fetch-site'] === 'cross-site') return false;
  const offers = (headers['accept-encoding'] ?? '').split(',');
  return offers.some((offer) => /^\s*gzip\s*(?:;|$)/i.test(offer) && !REFUSED.test(offer));
}
