import type { IncomingMessage } from 'node:http';

const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/is;

/**
 * Reduces a request that names a whole address, as a client of a proxy sends it, to its path. The host of that address is the one that was asked for,
 * whatever the Host header says. Anything else that is no path becomes one that names nothing, so that no request gets past what stands before the routes.
 */
export function toOriginForm(req: IncomingMessage): void {
  const { url = '' } = req;
  if (url.startsWith('/')) return;
  const [, host, rest = ''] = ABSOLUTE.exec(url) ?? [];
  if (host !== undefined) req.headers.host = host;
  const path = host === undefined ? url : rest;
  req.url = path.startsWith('/') ? path : `/${path}`;
}
