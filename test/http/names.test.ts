import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../helpers/server.ts';

const NFC = 'caf\u00e9';
const NFD = 'cafe\u0301';
const encoded = encodeURIComponent;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    keys: [
      { name: 'all', access: 'full' },
      { name: 'one', access: 'full', namespace: NFD },
    ],
  });
});
afterAll(() => server.close());

const call = (method: string, path: string, body?: unknown, key = 'all') =>
  server.call(method, path, { headers: { 'x-api-key': server.keys.get(key)! }, ...(body !== undefined && { body }) });

describe('names in NFC and NFD', () => {
  it('are equal everywhere', async () => {
    const saved = await call('POST', '/api/save', { content: 'The tiger sleeps', namespace: NFD, container: NFD, tags: [NFD, NFC] });
    const again = await call('POST', '/api/save', { content: 'The tiger sleeps', namespace: NFC, container: NFC });
    expect(again.body.ids).toEqual(saved.body.ids);
    const [id] = saved.body.ids;
    for (const name of [NFC, NFD]) {
      const { entries } = (await call('GET', `/api/list?namespace=${encoded(name)}&tags=${encoded(name)}&container=${encoded(name)}`)).body;
      expect(entries).toMatchObject([{ id, metadata: { namespace: NFC, container: NFC, tags: [NFC] } }]);
      for (const path of ['/api/recall', '/api/search']) {
        expect((await call('POST', path, { query: 'tiger', namespace: name, tags: [name] })).body.count).toBe(1);
      }
      expect((await call('POST', '/api/forget', { namespace: name })).body.matches).toBe(1);
      expect((await call('GET', `/api/export?namespace=${encoded(name)}`)).text).toContain('The tiger sleeps');
    }
    expect((await call('GET', '/api/list', undefined, 'one')).body.entries).toMatchObject([{ id }]);
    expect((await call('GET', `/api/${id}`, undefined, 'one')).status).toBe(200);
    expect((await call('POST', '/api/namespaces/rename', { from: NFC, to: NFD })).status).toBe(400);
    expect((await call('POST', '/api/namespaces/rename', { from: NFD, to: 'plain' })).body.moved).toBe(1);
  });
});

describe('names with invisible characters', () => {
  it('do not pass for the visible ones', async () => {
    for (const tag of ['\u2764\ufe0f', '日本語', 'русский', 'עברית', '1\ufe0f\u20e3']) {
      expect((await call('POST', '/api/save', { content: `about ${tag}`, tags: [tag] })).status, tag).toBe(200);
    }
  });
});
