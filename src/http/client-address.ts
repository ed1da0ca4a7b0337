import { BlockList, isIP } from 'node:net';
import type { IncomingMessage } from 'node:http';
import { LoreError } from '../memory/errors.ts';

/** Addresses and networks such as `10.0.0.0/8`. Throws `config` for anything else. */
export function networks(list: readonly string[]): BlockList {
  const known = new BlockList();
  for (const item of list) {
    const [, address = '', prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(item) ?? [];
    const family = familyOf(address);
    if (!family || Number(prefix ?? 0) > (family === 'ipv4' ? 32 : 128))
      throw new LoreError('config', `server.trustedProxies: ${JSON.stringify(item)} is no IP address and no network.`);
    if (prefix === undefined) known.addAddress(address, family);
    else known.addSubnet(address, Number(prefix), family);
  }
  return known;
}

/**
 * The address of the client: the peer of the connection or, where that is a trusted proxy, the nearest address in x-forwarded-for that is none.
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

const LOOPBACK = networks(['127.0.0.0/8', '::1']);

/** Whether an address, or the name `localhost`, is this machine only. */
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

/** An IPv4 address that came in through an IPv6 socket is the IPv4 address. */
function plain(address: string): string {
  return address.toLowerCase().startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address;
}
