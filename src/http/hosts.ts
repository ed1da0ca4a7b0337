import { LoreError } from '../memory/errors.ts';
import type { LoreMiddleware } from './exchange.ts';
import type { HttpSettings } from './settings.ts';

const LOCAL_NAMES = ['127.0.0.1', 'localhost', '[::1]'] as const;
const WILDCARDS: readonly string[] = ['0.0.0.0', '::', '[::]'];

/**
 * Refuses requests that name another host (403). A web page whose name was made to point at this machine sends its own name in the Host header, and needs no
 * CORS to read the answer: this list is what stops it. Ports do not matter.
 */
export function allowedHosts(settings: Pick<HttpSettings, 'host' | 'allowedHosts'>): LoreMiddleware {
  const allowed = ownNames(settings);
  const isWildcard = WILDCARDS.includes(settings.host);
  return (req, _res, next) => {
    if (req.headers.host === undefined) throw new LoreError('invalid_input', 'The request names no host.');
    const name = hostName(req.headers.host);
    // On all interfaces the address that the connection came to is ours, whichever it is; a name still has to be listed.
    const isOwnAddress = isWildcard && name !== '' && name === hostName((req.socket.localAddress ?? '').replace(/^::ffff:/i, ''));
    if (allowed.has(name) || isOwnAddress) {
      void next();
      return;
    }
    throw new LoreError(
      'forbidden',
      `This server does not answer to the host ${JSON.stringify(name.slice(0, 100))}; its names are set by server.allowedHosts.`,
    );
  };
}

/**
 * Refuses a request that a page of another site makes (403): its browser names the site. The sites of `server.cors.origins` may, but `*` opens the API alone;
 * programs name none.
 */
export function ownOrigins(settings: Pick<HttpSettings, 'host' | 'allowedHosts' | 'cors'>): LoreMiddleware {
  const names = ownNames(settings);
  const listed = new Set(settings.cors.enabled ? settings.cors.origins : []);
  return (req, _res, next) => {
    const { origin, host = '' } = req.headers;
    if (origin !== undefined && !listed.has(origin)) {
      const name = URL.canParse(origin) ? hostName(new URL(origin).host) : '';
      // The Host header was found to be ours before.
      if (!names.has(name) && (name === '' || name !== hostName(host)))
        throw new LoreError(
          'forbidden',
          `Pages of ${JSON.stringify(origin.slice(0, 100))} may not use this: server.cors.origins does not list them.`,
        );
    }
    void next();
  };
}

function ownNames(settings: Pick<HttpSettings, 'host' | 'allowedHosts'>): ReadonlySet<string> {
  return new Set([...LOCAL_NAMES, settings.host, ...settings.allowedHosts].map(hostName));
}

/** The name of `name:port` in lower case; an IPv6 address stands in brackets. */
function hostName(host: string): string {
  const lower = host.trim().toLowerCase();
  if (lower.startsWith('[')) return lower.slice(0, lower.indexOf(']') + 1);
  if (lower.indexOf(':') !== lower.lastIndexOf(':')) return `[${lower}]`;
  return lower.replace(/:\d*$/, '').replace(/\.$/, '');
}
