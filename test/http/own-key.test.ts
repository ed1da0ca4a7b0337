import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { guideSchemas, referenceSchemas } from '../helpers/answers.ts';
import { startTestServer, type TestServer } from '../helpers/server.ts';

const KEYS = [
  { name: 'owner', access: 'full' },
  { name: 'reader', access: 'read' },
  { name: 'bound', access: 'full', namespace: 'mine' },
  { name: 'guest', access: 'read', namespace: 'mine' },
] as const;

let keyed: TestServer;
let open: TestServer;
beforeAll(async () => {
  keyed = await startTestServer({ keys: [...KEYS] });
  open = await startTestServer();
});
afterAll(async () => {
  await keyed.close();
  await open.close();
});

describe('the health', () => {
  it.each(KEYS)('describes the access of the key $name, in both forms', async ({ name, ...may }) => {
    const headers = { 'x-api-key': keyed.keys.get(name)! };
    expect(referenceSchemas.health.parse((await keyed.call('GET', '/api/health', { headers })).body).key).toEqual(may);
    expect(guideSchemas.health.parse((await keyed.call('GET', '/api/health?form=guide', { headers })).body).key).toEqual(may);
  });

  it('reports full access for everyone if no key is set', async () => {
    expect(referenceSchemas.health.parse((await open.call('GET', '/api/health')).body).key).toEqual({ access: 'full' });
  });
});
