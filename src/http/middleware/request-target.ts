import type { IncomingMessage } from 'node:http';
import { LoreError } from '../../memory/errors.ts';
import type { LoreMiddleware } from '../exchange.ts';

const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/is;

/**
 * Reduces a request target with a full URL, as clients of a proxy send it, to its path. The host in that URL is the requested one, whatever
 * the Host header says. Any other target that is not a path becomes one that matches nothing, so that no request bypasses the checks before
 * the routes.
 */
export function toOriginForm(req: IncomingMessage): void {
  const { url = '' } = req;
  const [, host, rest = ''] = url.startsWith('/') ? [] : (ABSOLUTE.exec(url) ?? []);
  if (host !== undefined) req.headers.host = host;
  const target = host === undefined ? url : rest;
  req.url = withPlainPath(target.startsWith('/') ? target : `/${target}`);
}

/**
 * Decodes characters that need no encoding (RFC 3986, 2.3), so that later steps see one spelling of a path. An encoded slash stays encoded:
 * it is part of a segment.
 */
function withPlainPath(target: string): string {
  const end = target.search(/[?#]/);
  const path = end < 0 ? target : target.slice(0, end);
  if (!path.includes('%')) return target;
  const plain = path.replaceAll(/%[\da-f]{2}/gi, (code) => {
    const sign = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[\w.~-]/.test(sign) ? sign : code;
  });
  return plain + target.slice(path.length);
}

/** Refuses a path that cannot be decoded (400). */
export const decodablePath: LoreMiddleware = (req, _res, next) => {
  try {
    decodeURIComponent(req.path);
  } catch (cause) {
    throw new LoreError('invalid_input', 'The path is not percent-encoded UTF-8.', { cause });
  }
  void next();
};
