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
  it('are one, wherever they are given', async () => {
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

describe('names with characters that nobody sees', () => {
  it.each(['own\u200ber', '\u202eowner', 'own\u2066er\u2069', '\ufeffowner', 'ow\u00adner', 'owner\u{e0041}', 'own\u200der'])(
    'are refused wherever they are given: %j',
    async (name) => {
      const answers = await Promise.all([
        ...['save', 'near'].map((path) => call('POST', `/api/${path}`, { content: 'x', namespace: name })),
        ...['recall', 'search'].map((path) => call('POST', `/api/${path}`, { query: 'x', namespace: name })),
        call('POST', '/api/save', { content: 'x', container: name }),
        call('POST', '/api/save', { content: 'x', tags: [name] }),
        call('GET', `/api/list?namespace=${encoded(name)}`),
        call('GET', `/api/list?tags=${encoded(name)}`),
        call('POST', '/api/namespaces/rename', { from: 'owner', to: name }),
        call('POST', '/api/namespaces/merge', { from: ['owner'], into: name }),
        call('POST', '/api/forget', { namespace: name }),
        call('GET', `/api/export?namespace=${encoded(name)}`),
        call('POST', `/mcp?namespace=${encoded(name)}`, {}),
      ]);
      for (const { status, body } of answers) {
        expect(body).toMatchObject({ success: false, code: 'INVALID_REQUEST' });
        expect([status, body.error]).toEqual([
          400,
          expect.stringMatching(/must not hold zero-width or bidirectional control characters \(U\+/),
        ]);
      }
    },
  );

  it('do not stand for what is in them beside those that people type', async () => {
    for (const tag of ['\u2764\ufe0f', '日本語', 'русский', 'עברית', '1\ufe0f\u20e3']) {
      expect((await call('POST', '/api/save', { content: `about ${tag}`, tags: [tag] })).status, tag).toBe(200);
    }
  });
});

describe('a text without a visible character', () => {
  const blank = ['', ' \n\t', '\u200b\u200d', '\u00ad', '\u0000\u0007', '\ufe0f', '\u{e0041}\u{e007f}', '\u2800 \u3164', '\u202e\u2066'];

  it.each(blank)('is refused as a query and as a content: %j', async (text) => {
    const id = '00000000-0000-7000-8000-000000000000';
    const answers = await Promise.all([
      ...['recall', 'search'].map((path) => call('POST', `/api/${path}`, { query: text })),
      call('POST', '/api/explain', { query: text, id }),
      ...['save', 'near'].map((path) => call('POST', `/api/${path}`, { content: text })),
    ]);
    for (const { status, body } of answers) {
      expect([status, body.code, body.error]).toEqual([
        400,
        'INVALID_REQUEST',
        expect.stringMatching(/^(query|content) must not be blank/),
      ]);
    }
  });
});
