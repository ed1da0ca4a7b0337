import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../helpers/server.ts';
import { head, parseRaw, rawExchange } from './raw-socket.ts';

let folder: string;
let server: TestServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lore-web-'));
  const webRoot = join(folder, 'web');
  await mkdir(join(webRoot, 'assets'), { recursive: true });
  await writeFile(join(folder, 'outside.txt'), 'outside');
  await writeFile(join(webRoot, 'index.html'), '<!doctype html><title>Lore</title>');
  await writeFile(join(webRoot, 'docs.html'), '<!doctype html><title>API</title>');
  await writeFile(join(webRoot, '.env'), 'SECRET=1');
  await writeFile(join(webRoot, 'assets', 'page-abc123.js'), 'export {};');
  await writeFile(join(webRoot, 'assets', 'gone-abc123.js'), 'export {};');
  server = await startTestServer({ webRoot, keys: [{ name: 'a', access: 'full' }] });
  await rm(join(webRoot, 'assets', 'gone-abc123.js'));
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

describe('the web page', () => {
  it.each([
    ['/', 'text/html;charset=utf-8', 'Lore'],
    ['/docs', 'text/html;charset=utf-8', 'API'],
    ['/assets/page-abc123.js', 'text/javascript', 'export'],
  ])('is served at %s without a key, with a strict policy', async (path, type, text) => {
    const answer = await server.call('GET', path);
    expect(answer.status).toBe(200);
    expect(answer.text).toContain(text);
    expect(answer.headers.get('content-type')).toBe(type);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'self'/);
    expect((await server.call('HEAD', path)).text).toBe('');
  });

  it('lets browsers cache files with a hash in their name, and revalidate the others', async () => {
    expect((await server.call('GET', '/assets/page-abc123.js')).headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const page = await server.call('GET', '/');
    expect(page.headers.get('cache-control')).toBe('no-cache');
    const etag = page.headers.get('etag')!;
    const ask = (given: string) => server.call('GET', '/', { headers: { 'if-none-match': given } });
    for (const given of [etag, etag.replace('W/', ''), '*', `"a,b", ${etag}`, `W/"other" ,${etag}, "x"`]) {
      const { status, headers, text } = await ask(given);
      expect([given, status, headers.get('etag'), headers.get('cache-control'), text]).toEqual([given, 304, etag, 'no-cache', '']);
    }
    for (const given of ['"other"', 'W/"other", "*"', etag.replaceAll('"', ''), '"', ''])
      expect((await ask(given)).status, given).toBe(200);
    expect((await server.call('GET', '/nowhere', { headers: { 'if-none-match': '*' } })).status).toBe(404);
  });

  it.each([
    '/.env',
    '/%2eenv',
    '/../outside.txt',
    '/..%2foutside.txt',
    '/%2e%2e/outside.txt',
    '/assets/../../outside.txt',
    '/assets',
    '/%00',
    '//etc/passwd',
  ])('serves nothing at %s', async (path) => {
    const { status, body } = parseRaw(await rawExchange(server.port, [head(path, ['Connection: close'], 'GET')]));
    expect(status).toBe(404);
    expect(body).not.toMatch(/SECRET|outside"?$/);
  });

  it.each(['bytes=5-1', 'bytes=-', 'bytes=a-b', 'bytes=999999-', 'bytes=0-0,1-1', 'lines=1-2'])(
    'is served completely for a request with %s',
    async (range) => {
      const { status, text } = await server.call('GET', '/', { headers: { range } });
      expect([status, text]).toEqual([200, '<!doctype html><title>Lore</title>']);
    },
  );

  it('survives the removal of a file', async () => {
    await rawExchange(server.port, [head('/assets/gone-abc123.js', ['Connection: close'], 'GET')]);
    expect((await server.call('GET', '/')).status).toBe(200);
  });

  it('that was not built is reported, and the API works', async () => {
    await using bare = await startTestServer();
    const { status, body } = await bare.call('GET', '/');
    expect(status).toBe(503);
    expect(body).toEqual({ success: false, error: 'The web page is not built; the API answers under /api.', code: 'UNAVAILABLE' });
    expect((await bare.call('GET', '/api/health')).status).toBe(200);
  });
});
