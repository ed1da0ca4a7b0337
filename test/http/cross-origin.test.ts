import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../helpers/server.ts';
import { parseRaw, rawExchange } from './raw-socket.ts';

describe('CORS by default', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ keys: [{ name: 'only', access: 'full' }] });
  });
  afterAll(() => server.close());

  it.each([
    ['GET', '/healthz', 200],
    ['GET', '/api/list', 401],
    ['GET', '/nothing', 404],
    ['POST', '/healthz', 405],
    ['GET', '/', 503],
  ])('is on the response to %s %s (%i)', async (method, path, status) => {
    const { status: got, headers } = await server.call(method, path, { headers: { origin: 'https://page.example' } });
    expect(got).toBe(status);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-allow-methods')).toBe('GET, POST, DELETE, OPTIONS');
    expect(headers.get('access-control-allow-headers')).toBe('Content-Type, Authorization, x-api-key');
    expect(headers.get('access-control-allow-credentials')).toBeNull();
  });

  it('is also on refusals by Host and on malformed requests', async () => {
    for (const bytes of ['GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n', 'nonsense\r\n\r\n'])
      expect(parseRaw(await rawExchange(server.port, [bytes])).headers).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
        'access-control-allow-headers': 'Content-Type, Authorization, x-api-key',
      });
  });

  it('answers a preflight with 204, without a key', async () => {
    const headers = {
      origin: 'https://page.example',
      'access-control-request-method': 'DELETE',
      'access-control-request-headers': 'x-api-key',
    };
    const answer = await server.call('OPTIONS', '/api/00000000-0000-7000-8000-000000000000', { headers });
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-allow-methods')).toBe('GET, POST, DELETE, OPTIONS');
    expect(answer.headers.get('access-control-allow-headers')).toBe('Content-Type, Authorization, x-api-key');
  });
});

describe('CORS as configured', () => {
  it('allows only origins of the list', async () => {
    await using server = await startTestServer({
      server: {
        cors: { origins: ['https://a.example', 'https://b.example'], credentials: true, methods: ['GET'], headers: ['X-Api-Key'] },
      },
    });
    const known = await server.call('GET', '/healthz', { headers: { origin: 'https://b.example' } });
    expect(known.headers.get('access-control-allow-origin')).toBe('https://b.example');
    expect(known.headers.get('access-control-allow-credentials')).toBe('true');
    expect(known.headers.get('access-control-allow-methods')).toBe('GET');
    expect(known.headers.get('vary')).toContain('Origin');
    const foreign = await server.call('GET', '/healthz', { headers: { origin: 'https://evil.example' } });
    expect(foreign.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('sends no headers if switched off', async () => {
    await using server = await startTestServer({ server: { cors: { enabled: false } } });
    const { headers } = await server.call('GET', '/healthz', { headers: { origin: 'https://a.example' } });
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    const options = await server.call('OPTIONS', '/api/save');
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'POST, OPTIONS']);
  });
});
