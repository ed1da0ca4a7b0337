import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpClient } from '../../src/client/http-client.ts';
import { LOCAL_TOKEN, startTestServer, type TestServer } from '../helpers/server.ts';
import { zoneAtNoon } from '../helpers/time-of-day.ts';
import { onObjectStorage } from '../helpers/store-location.ts';

let server: TestServer;
const call = (key: string, path: string) => server.call('GET', path, { headers: { 'x-api-key': server.keys.get(key)! } });

beforeAll(async () => {
  server = await startTestServer({
    keys: [
      { name: 'full', access: 'full' },
      { name: 'reader', access: 'read' },
      { name: 'bound', access: 'read', namespace: 'mine' },
    ],
  });
  const { memories } = server.app;
  await memories.save({ content: 'mine', namespace: 'mine' });
  await memories.save({ content: 'theirs', namespace: 'theirs' });
  const headers = { 'x-api-key': server.keys.get('full')!, 'x-lore-source': 'web' };
  for (const query of ['mine', 'theirs']) await server.call('POST', '/api/search', { headers, body: { query } });
});
afterAll(() => server.close());

describe('GET /api/stats/growth', () => {
  it('returns the counts at the end of each day, in either form', async () => {
    const { status, body } = await call('reader', '/api/stats/growth?range=30d&timeZone=Europe%2FBerlin');
    expect(status).toBe(200);
    expect(body).toMatchObject({ success: true, range: '30d', step: 'day' });
    expect(body.points).toHaveLength(30);
    expect(body.points.at(-1)).toMatchObject({ saved: 2, total: 2 });
    const guide = await call('reader', '/api/stats/growth?range=30d&timeZone=Europe%2FBerlin&form=guide');
    expect(guide.body).toEqual(body);
  });

  it('shows a bound key only its namespace', async () => {
    expect((await call('bound', '/api/stats/growth')).body.points.at(-1)).toMatchObject({ total: 1 });
    expect((await call('bound', '/api/stats/growth?namespace=theirs')).status).toBe(403);
  });
});

describe('GET /api/stats/activity', () => {
  it('returns percentiles of recalls and all requests, and recalls per client', async () => {
    const { status, body } = await call('reader', `/api/stats/activity?timeZone=${encodeURIComponent(zoneAtNoon())}`);
    expect(status).toBe(200);
    expect(body.today).toEqual({ recalls: 2, answered: 2, bySource: { web: { recalls: 2, answered: 2 } } });
    expect(body.latency).toMatchObject({ requests: 2, p50: expect.any(Number), p95: expect.any(Number) });
    expect(body.latency.minutes[0]?.at).toMatch(/:00\.000Z$/);
    expect(body.requests.requests).toBeGreaterThanOrEqual(2);
  });

  it('for one namespace shows nothing of other requests', async () => {
    for (const [key, query] of [
      ['bound', ''],
      ['full', '?namespace=mine'],
    ] as const) {
      const { body } = await call(key, `/api/stats/activity${query}`);
      expect(body).not.toHaveProperty('requests');
      expect(body.latency).toEqual({ requests: 0, minutes: [] });
    }
  });
});

describe('GET /api/stats', () => {
  it('can be limited to one namespace', async () => {
    const { body } = await call('full', '/api/stats?namespace=theirs');
    expect(body).toMatchObject({ total: 1, pendingVectors: 0, tags: 0 });
    expect(body).not.toHaveProperty('storage');
    expect((await call('full', '/api/stats')).body).toMatchObject({
      total: 2,
      storage: { bytes: expect.any(Number) },
      runs: [],
    });
    expect((await call('bound', '/api/stats?namespace=theirs')).status).toBe(403);
  });
});

describe('the client of a server', () => {
  it('returns the same as the store', async () => {
    const own = await startTestServer();
    const client = createHttpClient({ baseUrl: own.url, key: LOCAL_TOKEN });
    const { memories } = own.app;
    await memories.save({ content: 'theirs', namespace: 'theirs' });
    expect(await client.statistics.growth({ range: 'all' })).toEqual(await memories.statistics.growth({ range: 'all' }));
    expect(await client.statistics.activity({ namespace: 'theirs' })).toEqual(await memories.statistics.activity({ namespace: 'theirs' }));
    if (!onObjectStorage()) await memories.backups.create();
    expect((await client.stats()).runs).toEqual((await memories.stats()).runs);
    await client.close();
    await own.close();
  });
});
