import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../helpers/server.ts';
import { parseRaw, rawExchange } from './raw-socket.ts';

async function statusFor(server: TestServer, host: string, path = '/api/health'): Promise<number> {
  return parseRaw(await rawExchange(server.port, [`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`])).status;
}

describe('the Host header', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ server: { allowedHosts: ['lore.example.com', 'ana.local:8080'] } });
  });
  afterAll(() => server.close());

  it.each([
    '127.0.0.1',
    '127.0.0.1:7007',
    'localhost',
    'LOCALHOST:1',
    'localhost.',
    '[::1]',
    '[::1]:80',
    'lore.example.com',
    'Lore.Example.com:443',
    'ana.local',
  ])('%s is answered', async (host) => {
    expect(await statusFor(server, host)).toBe(200);
  });

  it.each([
    'evil.example',
    'evil.example:7007',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'lore.example.com.evil',
    '10.0.0.1',
    '',
    '[',
    '[::2]',
    'localhost:80:80',
  ])('%j is refused with 403, on every path', async (host) => {
    expect(await statusFor(server, host)).toBe(403);
    expect(await statusFor(server, host, '/')).toBe(403);
    expect(await statusFor(server, host, '/nothing')).toBe(403);
  });

  it('is named in the refusal, cut short and escaped', async () => {
    const text = await rawExchange(server.port, [`GET /api/list HTTP/1.1\r\nHost: <b>${'x'.repeat(500)}\r\nConnection: close\r\n\r\n`]);
    const { status, body } = parseRaw(text);
    expect(status).toBe(403);
    expect(JSON.parse(body)).toMatchObject({ success: false, code: 'FORBIDDEN' });
    expect(body.length).toBeLessThan(300);
  });
});

describe('a server on all interfaces', () => {
  it('answers to the address a connection came to, and to no other', async () => {
    await using server = await startTestServer({ server: { host: '0.0.0.0', allowUnauthenticated: true } });
    expect(await statusFor(server, '127.0.0.1')).toBe(200);
    expect(await statusFor(server, '192.0.2.1')).toBe(403);
    expect(await statusFor(server, 'evil.example')).toBe(403);
  });
});
