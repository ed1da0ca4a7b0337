import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../helpers/server.ts';
import { parseRaw, rawExchange, type RawAnswer } from './raw-socket.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

async function ask(method: string, target: string, host = '127.0.0.1'): Promise<RawAnswer> {
  return parseRaw(await rawExchange(server.port, [`${method} ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`]));
}

describe('a request with an absolute URL as target', () => {
  it('is answered by its path', async () => {
    const { status, headers, body } = await ask('GET', 'http://localhost/api/list?limit=1');
    expect([status, (JSON.parse(body) as { limit: number }).limit]).toEqual([200, 1]);
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'access-control-allow-origin': '*' });
    expect(server.logged.at(-1)).toMatchObject({ path: '/api/list', status: 200 });
  });

  it('is refused for another host, whatever its Host header says', async () => {
    for (const target of [
      'http://evil.example/api/list',
      'http://evil.example',
      'http://localhost@evil.example/',
      'https://evil.example?/api',
    ])
      expect((await ask('GET', target)).status, target).toBe(403);
  });

  it('is answered if only its Host header names another host', async () => {
    expect((await ask('GET', 'http://127.0.0.1/healthz', 'evil.example')).status).toBe(200);
  });

  it('has all headers also on 404', async () => {
    for (const [method, target] of [
      ['GET', 'http://127.0.0.1/nowhere'],
      ['OPTIONS', '*'],
    ] as const) {
      const { headers } = await ask(method, target);
      expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'access-control-allow-origin': '*' });
      expect(headers['x-request-id']).toBeDefined();
    }
  });
});

describe('a path with percent-encoding', () => {
  it('equals the decoded route where that has the same meaning', async () => {
    for (const target of ['/api/%6cist?limit=1', '/%61pi/%6C%69st?limit=1', 'http://localhost/api/lis%74?limit=1']) {
      const { status, body } = await ask('GET', target);
      expect([target, status, (JSON.parse(body) as { limit: number }).limit]).toEqual([target, 200, 1]);
    }
    expect(server.logged.at(-1)).toMatchObject({ path: '/api/list' });
  });

  it('reaches no other route by an encoded slash or by being encoded twice', async () => {
    for (const target of ['/api%2flist', '/api/x%2f..%2flist', '/%2561pi/list', '/%2fapi/list']) {
      expect((await ask('GET', target)).status, target).toBe(404);
    }
  });

  it('is rejected if it is not UTF-8', async () => {
    for (const target of ['/%', '/api/%zz', '/api/list%', '/api/%ff', '/api/%c3%28']) {
      const { status, body } = await ask('GET', target);
      expect([target, status, JSON.parse(body)]).toEqual([
        target,
        400,
        { success: false, error: expect.any(String), code: 'INVALID_REQUEST' },
      ]);
    }
  });
});
