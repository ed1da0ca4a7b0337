import { LoreError } from '../../memory/errors.ts';
import { anonymousGrant } from '../../memory/grant.ts';
import { isProtected, type LoreMiddleware } from '../exchange.ts';
import { isLoopback } from './client-address.ts';
import type { HttpSettings } from '../settings.ts';

const LOCAL_NAMES = ['127.0.0.1', 'localhost', '[::1]'] as const;
const WILDCARDS: readonly string[] = ['0.0.0.0', '::', '[::]'];

/**
 * Refuses requests for an unknown host (403). This stops DNS rebinding: a web page whose name was pointed at this machine sends its own
 * name in the Host header and needs no CORS to read the response. Ports do not matter.
 */
export function allowedHosts(settings: Pick<HttpSettings, 'host' | 'allowedHosts'>): LoreMiddleware {
  const allowed = ownNames(settings);
  const isWildcard = WILDCARDS.includes(settings.host);
  return (req, _res, next) => {
    if (req.headers.host === undefined) throw new LoreError('invalid_input', 'The request names no host.');
    if ((req.headersDistinct['host']?.length ?? 0) > 1) throw new LoreError('invalid_input', 'The request names more than one host.');
    const name = hostName(req.headers.host);
    // On all interfaces, any address that a connection came to is ours; a name still has to be listed.
    const isOwnAddress = isWildcard && name !== '' && name === hostName((req.socket.localAddress ?? '').replace(/^::ffff:/i, ''));
    if (allowed.has(name) || isOwnAddress) {
      void next();
      return;
    }
    throw new LoreError(
      'forbidden',
      `This server does not accept the host ${JSON.stringify(name.slice(0, 100))}; add it to server.allowedHosts.`,
    );
  };
}

/**
 * Refuses requests from pages of other sites (403), as named by the browser. Sites in `server.cors.origins` are allowed, but `*` opens only
 * the API; other programs name no site.
 */
export function ownOrigins(settings: Pick<HttpSettings, 'host' | 'allowedHosts' | 'cors'>): LoreMiddleware {
  const names = ownNames(settings);
  const listed = new Set(settings.cors.enabled ? settings.cors.origins : []);
  return (req, _res, next) => {
    const { origin, host = '' } = req.headers;
    if (origin !== undefined && !listed.has(origin) && !isOwn(origin, { names, host })) throw notListed(origin);
    void next();
  };
}

const ADMINISTRATIVE = /^\/api\/(?:keys|settings)(?:\/|$)/i;

/**
 * While no key is required, refuses changes of keys and settings (403) from other machines and from pages of other origins. Otherwise one of
 * those could make the first key and lock the owner out.
 */
export function protectKeylessServer(settings: Pick<HttpSettings, 'host' | 'allowedHosts' | 'cors'>): LoreMiddleware {
  const own = ownOrigins(settings);
  return (req, res, next) => {
    if (req.grant !== anonymousGrant || req.method === 'GET' || req.method === 'HEAD' || !ADMINISTRATIVE.test(req.path)) return next();
    if (!isLoopback(req.remote))
      throw new LoreError('forbidden', 'While no API key is required, keys and settings can be changed only on the machine of the server.');
    return own(req, res, next);
  };
}

/** Values of Sec-Fetch-Site for a page on another origin. */
const ELSEWHERE: ReadonlySet<string> = new Set(['cross-site', 'same-site']);

/**
 * Refuses requests from pages of other origins (403) if CORS is off, or if `server.cors.origins` is a list without them. CORS alone would
 * only keep them from reading the response. Browsers name the origin in Sec-Fetch-Site, older ones in Origin; other programs send neither.
 * While the list is open to all, which is the default, nothing is refused here.
 */
export function restrictOrigins(settings: Pick<HttpSettings, 'host' | 'allowedHosts' | 'cors'>): LoreMiddleware {
  const { enabled, origins } = settings.cors;
  if (enabled && origins.includes('*')) return (_req, _res, next) => void next();
  const names = ownNames(settings);
  const listed = new Set(enabled ? origins : []);
  return (req, _res, next) => {
    const { origin, host = '' } = req.headers;
    const site = req.headers['sec-fetch-site'];
    const isElsewhere = site === undefined ? origin !== undefined && !isOwn(origin, { names, host }) : ELSEWHERE.has(site);
    if (isElsewhere && isProtected(req.path) && !listed.has(origin ?? '')) throw notListed(origin ?? 'another site');
    void next();
  };
}

/** The Host header was already checked, so a page from that host is ours too. */
function isOwn(origin: string, { names, host }: { readonly names: ReadonlySet<string>; readonly host: string }): boolean {
  const name = URL.canParse(origin) ? hostName(new URL(origin).host) : '';
  return names.has(name) || (name !== '' && name === hostName(host));
}

const notListed = (site: string): LoreError =>
  new LoreError('forbidden', `Pages of ${JSON.stringify(site.slice(0, 100))} may not use this: server.cors.origins does not list them.`);

function ownNames(settings: Pick<HttpSettings, 'host' | 'allowedHosts'>): ReadonlySet<string> {
  return new Set([...LOCAL_NAMES, settings.host, ...settings.allowedHosts].map(hostName));
}

/** The name in `name:port`, in lower case; an IPv6 address is in brackets. */
function hostName(host: string): string {
  const lower = host.trim().toLowerCase();
  if (lower.startsWith('[')) return lower.slice(0, lower.indexOf(']') + 1);
  if (lower.indexOf(':') !== lower.lastIndexOf(':')) return `[${lower}]`;
  return lower.replace(/:\d*$/, '').replace(/\.$/, '');
}
