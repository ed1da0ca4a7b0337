import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BusyError, LoreError } from '../../src/memory/errors.ts';
import { startEmbeddingApi, type EmbeddingApi } from '../helpers/embedding-api.ts';
import { startTestServer, type TestServer } from '../helpers/server.ts';

const [INFO, WARN, ERROR] = [30, 40, 50];

let api: EmbeddingApi;
let server: TestServer;
beforeAll(async () => {
  api = await startEmbeddingApi();
  server = await startTestServer({
    embeddings: { provider: 'openai', apiKey: 'none', model: 'tiny', dimensions: 384, baseUrl: api.url },
    memories: (real) =>
      new Proxy(real, {
        get: (target, name) => {
          if (name === 'stats')
            return () => Promise.reject(new LoreError('unavailable', 'The disk is full.', { cause: new Error('ENOSPC') }));
          if (name === 'namespaces') return () => Promise.reject(new BusyError('Too much at once.', 2));
          if (name === 'health') return () => Promise.reject(new LoreError('unavailable', 'The disk is gone.', { retryAfterSeconds: 2 }));
          const own: unknown = Reflect.get(target, name);
          return typeof own === 'function' ? (own as (...args: unknown[]) => unknown).bind(target) : own;
        },
      }),
  });
});
afterAll(async () => {
  await server.close();
  await api[Symbol.asyncDispose]();
});

const linesOf = (requestId: string): readonly Record<string, unknown>[] => server.logged.filter((line) => line['requestId'] === requestId);

describe('the lines of the log', () => {
  it('have the id of their request in every layer', async () => {
    await server.save('a lamp by the door');
    api.faults.push({ status: 401 }, { status: 401 });
    const ask = (id: string): Promise<unknown> =>
      server.call('POST', '/api/recall', { body: { query: `lamp ${id}` }, headers: { 'x-request-id': id } });
    await Promise.all([ask('first'), ask('second')]);
    for (const id of ['first', 'second']) {
      expect(linesOf(id)).toMatchObject([
        { level: WARN, msg: 'the vector leg of a search failed' },
        { level: INFO, msg: 'request', status: 200 },
      ]);
    }
  });

  it('have no request id for shared work', async () => {
    const body = Array.from({ length: 300 }, (_, nth) => JSON.stringify({ content: `lamp ${nth}` })).join('\n');
    await server.call('POST', '/api/import', { body, headers: { 'content-type': 'application/x-ndjson', 'x-request-id': 'import' } });
    const written = (): Record<string, unknown> | undefined => server.logged.find(({ msg }) => msg === 'fresh rows are in the table');
    await expect.poll(written, { timeout: 20_000 }).toBeDefined();
    expect(written()).not.toHaveProperty('requestId');
  });

  it('are warnings without a stack if the server is overloaded', async () => {
    await server.call('GET', '/api/namespaces', { headers: { 'x-request-id': 'busy' } });
    expect(linesOf('busy')).toMatchObject([
      { level: WARN, msg: 'request could not be served now', error: 'Too much at once.' },
      { level: INFO, msg: 'request', status: 503 },
    ]);
    expect(linesOf('busy')[0]).not.toHaveProperty('err');
    await server.call('GET', '/api/health', { headers: { 'x-request-id': 'failed' } });
    expect(linesOf('failed')[0]).toMatchObject({ level: ERROR, msg: 'request could not be served', err: expect.anything() as unknown });
  });

  it('are errors with the cause for 5xx, and only the access line for 4xx', async () => {
    await server.call('GET', '/api/stats', { headers: { 'x-request-id': 'broken' } });
    expect(linesOf('broken')).toMatchObject([
      { level: ERROR, msg: 'request could not be served', err: { message: expect.stringContaining('The disk is full.') as unknown } },
      { level: INFO, msg: 'request', status: 503 },
    ]);
    expect(JSON.stringify(linesOf('broken'))).toContain('ENOSPC');
    await server.call('POST', '/api/save', { body: { content: '' }, headers: { 'x-request-id': 'wrong' } });
    expect(linesOf('wrong')).toMatchObject([{ level: INFO, msg: 'request', status: 400 }]);
  });
});
