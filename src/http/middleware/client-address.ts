import { BlockList, isIP } from 'node:net';
import type { IncomingMessage } from 'node:http';
import { LoreError } from '../../memory/errors.ts';
import type { LoreMiddleware } from '../exchange.ts';
import type { HttpSettings } from '../settings.ts';

/** Parses addresses and networks such as `10.0.0.0/8`. Throws `config` for anything else. */
export function networks(list: readonly string[]): BlockList {
  const known = new BlockList();
  for (const item of list) {
    const [, address = '', prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(item) ?? [];
    const family = familyOf(address);
    if (!family || Number(prefix ?? 0) > (family === 'ipv4' ? 32 : 128))
      throw new LoreError('config', `server.trustedProxies: ${JSON.stringify(item)} is neither an IP address nor a network.`);
    if (prefix === undefined) known.addAddress(address, family);
    else known.addSubnet(address, Number(prefix), family);
  }
  return known;
}

/**
 * The client's address: the peer of the connection or, if that is a trusted proxy, the nearest address in x-forwarded-for that is not one.
 * Anyone can write that header, so nothing left of an untrusted address counts.
 */
export function clientAddress(req: IncomingMessage, trusted: BlockList): string {
  let address = plain(req.socket.remoteAddress ?? '');
  const forwarded = [req.headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
  while (isIn(trusted, address)) {
    const before = plain(forwarded.pop()?.trim() ?? '');
    if (isIP(before) === 0) break;
    address = before;
  }
  return address;
}

/** Middleware that sets the client's address on each request. Throws `config` at once for invalid trusted proxies. */
export function knownAddress({ trustedProxies }: Pick<HttpSettings, 'trustedProxies'>): LoreMiddleware {
  const trusted = networks(trustedProxies);
  // Checking an address against a list creates objects even if the list is empty.
  const isDirect = trustedProxies.length === 0;
  return (req, _res, next) => {
    req.remote = isDirect ? plain(req.socket.remoteAddress ?? '') : clientAddress(req, trusted);
    void next();
  };
}

/**
 * The network of one client: an IPv4 address, or the first half of an IPv6 address. An IPv4-mapped IPv6 address counts as the IPv4 address.
 */
export function clientNetwork(address: string): string {
  if (isIP(address) !== 6) return address;
  const groups = groupsOf(address);
  const [high = 0, low = 0] = groups.slice(6);
  const isMapped = groups.slice(0, 6).join(':') === '0:0:0:0:0:65535';
  if (isMapped) return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

/** The eight 16-bit groups of an IPv6 address, in any notation. */
function groupsOf(address: string): number[] {
  const [bare] = address.split('%');
  const [before = [], after = []] = new URL(`http://[${bare}]`).hostname
    .slice(1, -1)
    .split('::')
    .map((part) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16))));
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
}

const LOOPBACK = networks(['127.0.0.0/8', '::1']);

/** Whether an address, or the name `localhost`, is reachable from this machine only. */
export function isLoopback(host: string): boolean {
  return host.toLowerCase() === 'localhost' || isIn(LOOPBACK, plain(host.replace(/^\[|\]$/g, '')));
}

function isIn(list: BlockList, address: string): boolean {
  const family = familyOf(address);
  return family !== undefined && list.check(address, family);
}

function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  return ({ 4: 'ipv4', 6: 'ipv6' } as const)[isIP(address)];
}

/** Converts an IPv4-mapped IPv6 address to the IPv4 address. */
function plain(address: string): string {
  return address.toLowerCase().startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address;
}
