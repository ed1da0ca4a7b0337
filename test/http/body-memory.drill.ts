import { expect, it } from 'vitest';
import { startEmbeddingApi } from '../helpers/embedding-api.ts';
import { startTestServer } from '../helpers/server.ts';

const KB = 1024;

it('bodies above the total limit get 503, and are accepted again later', async () => {
  await using api = await startEmbeddingApi();
  await using server = await startTestServer({
    server: { bodyMemoryMB: 1 },
    embeddings: { provider: 'openai', baseUrl: api.url, dimensions: 384 },
  });
  const save = (content: string, bytes: number) =>
    server.call('POST', '/api/save', { body: JSON.stringify({ content }) + ' '.repeat(bytes) });
  let go = (): void => undefined;
  api.hold = new Promise((resolve) => (go = resolve));
  // One alone may be larger than all that may be held.
  const held = save('the heron waits', 1200 * KB);
  await expect.poll(() => api.requests.length).toBeGreaterThan(0);
  const { status, headers, body } = await save('the heron is refused', KB);
  expect([status, headers.get('retry-after'), body.success]).toEqual([503, '2', false]);
  expect((await server.call('GET', '/api/list')).status).toBe(200);
  go();
  expect((await held).status).toBe(200);
  expect((await save('the heron fishes', KB)).status).toBe(200);
  expect((await server.call('GET', '/api/list')).body.total).toBe(2);
});
