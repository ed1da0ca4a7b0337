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
    ['127.0.0.1', '127.0.0.1'],
    ['127.0.0.1', 'evil.example'],
    ['evil.example', '127.0.0.1'],
  ])('is rejected if it is sent twice: %s and %s', async (first, second) => {
    expect(await statusFor(server, `${first}\r\nHost: ${second}`)).toBe(400);
  });

  it.each([
    'evil.example',
    'evil.example:7007',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'localhost@evil.example',
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

  it('is shown in the refusal, truncated and escaped', async () => {
    const text = await rawExchange(server.port, [`GET /api/list HTTP/1.1\r\nHost: <b>${'x'.repeat(500)}\r\nConnection: close\r\n\r\n`]);
    const { status, body } = parseRaw(text);
    expect(status).toBe(403);
    expect(JSON.parse(body)).toMatchObject({ success: false, code: 'FORBIDDEN' });
    expect(body.length).toBeLessThan(300);
  });
});

describe('a server on all interfaces', () => {
  it('answers only to the address of the connection', async () => {
    await using server = await startTestServer({ server: { host: '0.0.0.0', allowUnauthenticated: true } });
    expect(await statusFor(server, '127.0.0.1')).toBe(200);
    expect(await statusFor(server, '192.0.2.1')).toBe(403);
    expect(await statusFor(server, 'evil.example')).toBe(403);
  });
});

describe('a page of another origin', () => {
  const PLACES = ['/api/list', '/api/export', '/api/health', '/openapi.json', '/metrics'] as const;
  const asked = (server: TestServer, path: string, headers: Record<string, string>) => server.call('GET', path, { headers });
  const LISTED = 'https://app.example';

  it('is refused without a key and preflight if its origin is not on the list', async () => {
    await using server = await startTestServer({ server: { cors: { origins: [LISTED] } } });
    for (const path of PLACES) {
      for (const site of ['cross-site', 'same-site']) {
        // As an image, a script, a link or a form asks: without Origin.
        expect((await asked(server, path, { 'sec-fetch-site': site, 'sec-fetch-mode': 'no-cors' })).status).toBe(403);
        const { status, body } = await asked(server, path, { 'sec-fetch-site': site, origin: 'https://evil.example' });
        expect([status, body.code]).toEqual([403, 'FORBIDDEN']);
        expect((await asked(server, path, { 'sec-fetch-site': site, origin: 'null' })).status).toBe(403);
        expect((await asked(server, path, { 'sec-fetch-site': site, origin: LISTED })).status).toBe(200);
      }
      for (const site of ['same-origin', 'none']) expect((await asked(server, path, { 'sec-fetch-site': site })).status).toBe(200);
      // Older browsers say only where they come from; programs say neither.
      expect((await asked(server, path, { origin: 'https://evil.example' })).status).toBe(403);
      expect((await asked(server, path, { origin: server.url })).status).toBe(200);
      expect((await asked(server, path, {})).status).toBe(200);
    }
    for (const open of ['/healthz', '/nothing'])
      expect((await asked(server, open, { 'sec-fetch-site': 'cross-site' })).status).not.toBe(403);
  });

  it('is refused if CORS is off, and writes nothing', async () => {
    await using server = await startTestServer({ server: { cors: { enabled: false } } });
    const headers = { 'sec-fetch-site': 'cross-site', origin: LISTED };
    expect((await server.call('POST', '/api/save', { body: { content: 'planted' }, headers })).status).toBe(403);
    expect((await server.call('DELETE', '/api/00000000-0000-7000-8000-000000000000', { headers })).status).toBe(403);
    expect((await server.call('GET', '/api/list')).body.total).toBe(0);
  });

  it('has full access while the list is open to all, the default', async () => {
    await using server = await startTestServer();
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors', origin: 'https://page.example' };
    expect((await server.call('POST', '/api/save', { body: { content: 'from a page' }, headers })).status).toBe(200);
    expect((await asked(server, '/api/list', headers)).headers.get('access-control-allow-origin')).toBe('*');
  });

  it('requires the key of other clients, and a key does not open the list', async () => {
    await using server = await startTestServer({ server: { cors: { origins: [LISTED] } }, keys: [{ name: 'a', access: 'full' }] });
    const key = { 'x-api-key': server.keys.get('a')! };
    expect((await asked(server, '/api/list', { 'sec-fetch-site': 'cross-site', origin: LISTED })).status).toBe(401);
    expect((await asked(server, '/api/list', { ...key, 'sec-fetch-site': 'cross-site', origin: LISTED })).status).toBe(200);
    expect((await asked(server, '/api/list', { ...key, 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' })).status).toBe(403);
  });
});
