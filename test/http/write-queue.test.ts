import { describe, expect, it } from 'vitest';
import { startEmbeddingApi, type EmbeddingApi } from '../helpers/embedding-api.ts';
import { startTestServer, type TestServer, type TestServerOptions } from '../helpers/server.ts';

const LINES = 'application/x-ndjson';

const slowModel = ({ url }: EmbeddingApi, more: TestServerOptions['embeddings'] = {}): TestServerOptions['embeddings'] => ({
  provider: 'openai',
  baseUrl: url,
  dimensions: 384,
  ...more,
});
const save = (server: TestServer, content: string) => server.call('POST', '/api/save', { body: { content } });

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  await expect.poll(holds).toBe(true);
}

describe('too many writes in progress', () => {
  it('are answered 503 with Retry-After before embedding, while imports wait', async () => {
    await using api = await startEmbeddingApi();
    await using server = await startTestServer({ storage: { queueLimit: 2 }, embeddings: slowModel(api) });
    let go = (): void => undefined;
    api.hold = new Promise((resolve) => (go = resolve));
    const taken = [save(server, 'the heron waits'), save(server, 'the heron fishes')];
    const isTaken = () => server.app.telemetry.metrics().then(({ text }) => text.includes('lore_embed_queue_texts 2'));
    await until(isTaken);
    const asked = api.requests.length;
    const { status, headers, body } = await save(server, 'the heron is refused');
    expect([status, headers.get('retry-after'), body.success]).toEqual([503, '2', false]);
    expect(body.error).toContain('try again in 2 s');
    expect((await server.call('DELETE', '/api/0198c6a0-0000-7000-8000-000000000000')).status).toBe(503);
    const lines = '{"content":"the heron is imported"}\n{"content":"and another one"}';
    const imported = server.call('POST', '/api/import', { body: lines, headers: { 'content-type': LINES } });
    expect((await server.call('GET', '/api/list')).status).toBe(200);
    expect(api.requests.length).toBe(asked);
    go();
    expect((await Promise.all(taken)).map((answer) => answer.status)).toEqual([200, 200]);
    expect((await imported).body.stored).toBe(2);
    expect((await save(server, 'the heron is taken now')).status).toBe(200);
    expect((await server.call('GET', '/api/list')).body.total).toBe(5);
  });
});

describe('too many texts for the model', () => {
  it('are saved and get their vectors later, while a queued search by meaning gets 503', async () => {
    await using api = await startEmbeddingApi();
    await using server = await startTestServer({ embeddings: slowModel(api, { queueLimit: 1 }) });
    let go = (): void => undefined;
    api.hold = new Promise((resolve) => (go = resolve));
    const first = save(server, 'the heron waits');
    await until(() => api.requests.length > 0);
    expect((await save(server, 'the heron has no vector yet')).status).toBe(200);
    const search = { query: 'heron', searchMode: 'vector' };
    const asked = api.requests.length;
    const before = server.call('POST', '/api/recall', { body: { query: 'egret', searchMode: 'vector' } });
    await until(() => api.requests.length > asked);
    const { status, headers } = await server.call('POST', '/api/recall', { body: search });
    expect([status, headers.get('retry-after')]).toEqual([503, '5']);
    const words = await server.call('POST', '/api/recall', { body: { ...search, searchMode: 'keyword' } });
    expect(words.body.results).toHaveLength(1);
    go();
    expect([(await first).status, (await before).status]).toEqual([200, 200]);
  });
});
