import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LOCAL_TOKEN, startTestServer, type TestServer } from '../helpers/server.ts';

type Headers = Readonly<Record<string, string>>;
/** A key to everything. */
const ANY: Headers = { 'x-api-key': LOCAL_TOKEN };

let server: TestServer;
const saved: Record<string, string> = {};

beforeAll(async () => {
  server = await startTestServer({ keys: [{ name: 'harbour', access: 'full', namespace: 'harbour' }] });
  const save = async (content: string, fields: object): Promise<string> =>
    (await server.call('POST', '/api/save?form=reference', { body: { content, ...fields }, headers: ANY })).body.ids[0]!;
  saved['high'] = await save('The pilot comes aboard at the outer buoy', { namespace: 'harbour', priority: 'high' });
  saved['low'] = await save('The kiosk sells postcards', { namespace: 'harbour', priority: 'low', tags: ['a,b', 'shop'] });
  saved['away'] = await save('The mill grinds on Mondays', { namespace: 'village', priority: 'high' });
});
afterAll(() => server.close());

const bound = (): Headers => ({ 'x-api-key': server.keys.get('harbour')! });
async function listed(query: string, headers: Headers = ANY): Promise<string[]> {
  const { status, body } = await server.call('GET', `/api/list?form=reference&${query}`, { headers });
  expect(status).toBe(200);
  return body.entries.map(({ id }: { id: string }) => Object.entries(saved).find(([, one]) => one === id)![0]);
}

describe('GET /api/list', () => {
  it('filters by priority, source, importance and time, each and combined', async () => {
    expect(await listed('allNamespaces=true&priority=high')).toEqual(['away', 'high']);
    expect(await listed('namespace=harbour&priority=high')).toEqual(['high']);
    expect(await listed('namespace=harbour&priority=medium')).toEqual([]);
    expect(await listed('namespace=harbour&source=api')).toEqual(['low', 'high']);
    expect(await listed('namespace=harbour&source=web')).toEqual([]);
    expect(await listed('allNamespaces=true&minImportance=0.6')).toEqual(['away', 'high']);
    expect(await listed('allNamespaces=true&maxImportance=0.6')).toEqual(['low']);
    expect(await listed('allNamespaces=true&createdAfter=2020-01-01')).toEqual(['away', 'low', 'high']);
    expect(await listed('allNamespaces=true&createdBefore=2020-01-01')).toEqual([]);
    const all = 'priority=low&source=api&createdAfter=2020-01-01&createdBefore=2999-01-01&minImportance=0&maxImportance=0.6';
    expect(await listed(`allNamespaces=true&tags=${encodeURIComponent('["a,b"]')}&${all}`)).toEqual(['low']);
  });

  it('shows a bound key only its namespace, whatever the conditions', async () => {
    expect(await listed('priority=high', bound())).toEqual(['high']);
    const foreign = await server.call('GET', '/api/list?priority=high&allNamespaces=true', { headers: bound() });
    expect(foreign.status).toBe(403);
    const body = { query: 'mill mondays pilot', filter: { priority: 'high', source: 'api' } };
    const found = await server.call('POST', '/api/search?form=reference', { body, headers: bound() });
    expect(found.body.results.map(({ entry }: { entry: { id: string } }) => entry.id)).toEqual([saved['high']]);
  });
});
