import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { clientAddress, clientNetwork, isLoopback, networks } from '../../src/http/middleware/client-address.ts';

function addressOf(peer: string, forwarded: string | undefined, trusted: readonly string[]): string {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return clientAddress({ socket: { remoteAddress: peer }, headers } as unknown as IncomingMessage, networks(trusted));
}

describe('the address of a client', () => {
  it.each([
    ['203.0.113.9', undefined, [], '203.0.113.9'],
    ['::ffff:203.0.113.9', undefined, [], '203.0.113.9'],
    ['203.0.113.9', '198.51.100.1', [], '203.0.113.9'],
    ['127.0.0.1', '198.51.100.1', ['127.0.0.1'], '198.51.100.1'],
    ['::ffff:10.0.0.2', '198.51.100.1', ['10.0.0.0/8'], '198.51.100.1'],
    ['10.0.0.2', '198.51.100.1, 10.0.0.3', ['10.0.0.0/8'], '198.51.100.1'],
    ['10.0.0.2', '127.0.0.1, 198.51.100.1', ['10.0.0.0/8'], '198.51.100.1'],
    ['10.0.0.2', 'unknown', ['10.0.0.0/8'], '10.0.0.2'],
    ['10.0.0.2', '', ['10.0.0.0/8'], '10.0.0.2'],
    ['10.0.0.2', undefined, ['10.0.0.0/8'], '10.0.0.2'],
    ['fd00::1', '2001:db8::5', ['fd00::/8'], '2001:db8::5'],
  ])('from %s with x-forwarded-for %s behind %j is %s', (peer, forwarded, trusted, expected) => {
    expect(addressOf(peer, forwarded, trusted)).toBe(expected);
  });

  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['::FFFF:cb00:7109', '203.0.113.9'],
    ['2001:db8:1:2:aaaa::1', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
    ['2001:db8::5', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['', ''],
  ])('%j is one client with all of %s', (address, network) => {
    expect(clientNetwork(address)).toBe(network);
  });

  it('is this machine for every loopback address', () => {
    expect(
      ['127.0.0.1', '127.9.9.9', '::1', '[::1]', 'localhost', 'LOCALHOST', '::ffff:127.0.0.1'].filter((host) => !isLoopback(host)),
    ).toEqual([]);
    expect(['0.0.0.0', '::', '10.0.0.1', 'example.com', '128.0.0.1', '', '::2'].filter((host) => isLoopback(host))).toEqual([]);
  });

  it.each(['10.0.0.0/33', '10.0.0/8', 'proxy', '', '10.0.0.0/8/8', '::/129', '10.0.0.0/-1', '10.0.0.0/'])(
    'refuses %j as a trusted proxy',
    (item) => {
      expect(() => networks([item])).toThrow(expect.objectContaining({ code: 'config' }));
    },
  );
});
