import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { get, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../helpers/server.ts';

const LONG = 'a long protocol of the meeting '.repeat(12_000);
const SCRIPT = `export const words = ${JSON.stringify('lore '.repeat(500))};`;

let folder: string;
let server: TestServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lore-compression-'));
  const webRoot = join(folder, 'web');
  await mkdir(join(webRoot, 'assets'), { recursive: true });
  await writeFile(join(webRoot, 'index.html'), '<!doctype html><title>Lore</title>');
  const script = join(webRoot, 'assets', 'page-abc123.js');
  await writeFile(script, SCRIPT);
  await writeFile(`${script}.br`, brotliCompressSync(SCRIPT));
  await writeFile(`${script}.gz`, gzipSync(SCRIPT));
  server = await startTestServer({ webRoot });
  for (let nth = 1; nth <= 20; nth++)
    await server.call('POST', '/api/save', { body: { content: `Fact ${nth}: the river gauge reports each hour` } });
  await server.call('POST', '/api/save', { body: { content: LONG, namespace: 'long' } });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

interface Answer {
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** Without what fetch would undo. */
async function ask(path: string, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await new Promise<Parameters<NonNullable<Parameters<typeof get>[2]>>[0]>((resolve, reject) => {
    get({ port: server.port, path, headers }, resolve).once('error', reject);
  });
  return { headers: response.headers, bytes: await buffer(response) };
}

const LIST = '/api/list?allNamespaces=true&limit=20&sort=createdAt';

describe('a JSON response', () => {
  it('is compressed if the client accepts gzip', async () => {
    const plain = await ask(LIST);
    const { headers, bytes } = await ask(LIST, { 'accept-encoding': 'br, gzip;q=0.8' });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect([headers['content-encoding'], Number(headers['content-length'])]).toEqual(['gzip', bytes.length]);
    expect(bytes.length).toBeLessThan(plain.bytes.length / 3);
    expect(gunzipSync(bytes)).toEqual(plain.bytes);
    for (const each of [plain.headers, headers]) expect(each.vary).toContain('Accept-Encoding');
  });

  it('is compressed at any length', async () => {
    const { headers, bytes } = await ask('/api/list?namespace=long', { 'accept-encoding': 'gzip' });
    expect(headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(bytes).toString()).toContain(LONG);
  });

  it.each([
    ['is short', '/healthz', { 'accept-encoding': 'gzip' }],
    ['goes to a client that refuses gzip', LIST, { 'accept-encoding': 'gzip;q=0, deflate' }],
    ['was asked for by the page of another site', LIST, { 'accept-encoding': 'gzip', 'sec-fetch-site': 'cross-site' }],
  ])('is not compressed if it %s', async (_, path, headers) => {
    const answer = await ask(path, headers);
    expect(answer.headers['content-encoding']).toBeUndefined();
    expect(JSON.parse(answer.bytes.toString())).toBeTypeOf('object');
  });
});

describe('a file of the page', () => {
  const path = '/assets/page-abc123.js';

  it.each([
    ['br', 'gzip, deflate, br', brotliDecompressSync],
    ['gzip', 'gzip, deflate', gunzipSync],
  ])('is sent as compressed by the build with %s, with its own ETag', async (encoding, accepted, decompress) => {
    const { headers, bytes } = await ask(path, { 'accept-encoding': accepted });
    expect([headers['content-encoding'], headers['content-type'], headers.vary]).toEqual([
      encoding,
      'text/javascript',
      'Accept-Encoding, Origin',
    ]);
    expect(decompress(bytes).toString()).toBe(SCRIPT);
    expect(headers.etag).not.toBe((await ask(path)).headers.etag);
  });

  it('is sent uncompressed to other clients', async () => {
    const { headers, bytes } = await ask(path);
    expect([headers['content-encoding'], bytes.toString()]).toEqual([undefined, SCRIPT]);
  });
});
