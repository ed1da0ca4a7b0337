import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../helpers/server.ts';
import { told } from './answers.ts';
import { plain, ROUTES, unknownTo } from './probes.ts';
import { fillWorld, OURS, wordsOf, type World } from './two-namespaces.ts';

const KEYS = [
  { name: 'owner', access: 'full' },
  { name: 'bound', access: 'full', namespace: OURS },
  { name: 'guest', access: 'read', namespace: OURS },
] as const;
/** Each has a test of its own: one speaks another protocol, the other never ends. */
const APART = ['POST /mcp', 'GET /api/events'];

let server: TestServer;
let world: World;
beforeAll(async () => {
  server = await startTestServer({ keys: KEYS, storage: { durability: 'process' } });
  world = await fillWorld(server);
});
afterAll(() => server.close());

describe('the list of routes', () => {
  it('has no unclassified field', () => {
    expect(unknownTo(ROUTES)).toEqual([]);
  });
});

// What they can find out by naming something of others is in leak-by-name.
describe.each(ROUTES.filter(({ name }) => !APART.includes(name)))('$name', (route) => {
  it('shows keys of one namespace nothing of others', async () => {
    for (const key of ['guest', 'bound']) {
      for (const query of [{}, { form: 'guide' }]) {
        const { method, path, headers, body } = plain(route, world, query);
        const { text } = await server.call(method, path, {
          headers: { 'x-api-key': server.keys.get(key)!, ...headers },
          ...(body !== undefined && { body }),
        });
        expect([key, told(text, [...world.hidden, ...wordsOf(world.real)])]).toEqual([key, []]);
      }
    }
  });
});

describe('afterwards', () => {
  it('no fault was logged', () => {
    expect(server.logged.filter(({ level, status }) => (level as number) >= 50 || (status as number) >= 500)).toEqual([]);
  });
});
