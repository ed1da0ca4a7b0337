import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpClient } from '../../src/client/http-client.ts';
import { LOCAL_TOKEN, startTestServer, type TestServer } from '../helpers/server.ts';

let server: TestServer;
let ids: string[];
beforeAll(async () => {
  server = await startTestServer();
  ids = [
    await server.save('The pilot comes aboard', { namespace: 'harbour', tags: ['a,b'] }),
    await server.save('The kiosk sells postcards', { namespace: 'harbour' }),
    await server.save('The mill grinds', { namespace: 'village', tags: ['a,b'] }),
  ];
});
afterAll(() => server.close());

describe('GET /api/timeline', () => {
  it('counts by day, in one form', async () => {
    const { status, body } = await server.call('GET', '/api/timeline?allNamespaces=true');
    expect(status).toBe(200);
    expect(body).toMatchObject({ success: true, timeZone: 'UTC', total: 3 });
    const saved = (await server.app.memories.get(ids[2]!)).createdAt;
    expect(body.days[0]).toMatchObject({ day: new Date(saved).toISOString().slice(0, 10) });
    const guide = await server.call('GET', '/api/timeline?form=guide&namespace=harbour&timeZone=Pacific%2FAuckland');
    expect(guide.body).toMatchObject({ success: true, timeZone: 'Pacific/Auckland', total: 2 });
    expect((await server.call('GET', `/api/timeline?allNamespaces=true&tags=${encodeURIComponent('["a,b"]')}`)).body.total).toBe(2);
  });

  it('lists the valid time zones', async () => {
    const answer = await server.call('GET', '/api/timeline?timeZone=Middle%2FEarth');
    expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining('timeZone must be the name of a time zone') } });
  });
});

describe('POST /api/tags', () => {
  it('previews, applies and undoes the change', async () => {
    const foreseen = await server.call('POST', '/api/tags', { body: { namespace: 'harbour', add: ['port'], dryRun: true } });
    expect(foreseen).toMatchObject({ status: 200, body: { success: true, dryRun: true, matches: 2, left: 0 } });
    expect(foreseen.body.changed).toHaveLength(2);
    const headers = { 'x-lore-source': 'web' };
    const done = await server.call('POST', '/api/tags?form=guide', { body: { ids: [`mem_${ids[0]}`], add: ['port'] }, headers });
    expect(done.body).toEqual({
      success: true,
      dryRun: false,
      matches: 1,
      changed: [{ id: ids[0], added: ['port'], removed: [] }],
      left: 0,
    });
    expect((await server.call('GET', `/api/${ids[0]}/history`)).body.versions).toMatchObject([{ replacedBy: 'web' }]);
    expect((await server.call('POST', '/api/tags', { body: { ids: [ids[0]], remove: ['port'] } })).body.changed).toHaveLength(1);
  });

  it('returns 404 if all ids are unknown', async () => {
    const body = { ids: ['00000000-0000-7000-8000-000000000000'], add: ['x'] };
    expect((await server.call('POST', '/api/tags', { body })).status).toBe(404);
  });
});

describe('the client of a running server', () => {
  it('calls both', async () => {
    const client = createHttpClient({ baseUrl: server.url, key: LOCAL_TOKEN });
    const { bulk } = client;
    expect(await bulk.timeline({ allNamespaces: true, tags: ['a,b'], timeZone: 'Asia/Tokyo' })).toMatchObject({
      timeZone: 'Asia/Tokyo',
      total: 2,
    });
    expect(await bulk.tag({ namespace: 'village', add: ['flour'] }, { source: 'cli' })).toEqual({
      dryRun: false,
      matches: 1,
      changed: [{ id: ids[2], added: ['flour'], removed: [] }],
      left: 0,
    });
    await client.close();
  });
});
