import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../helpers/server.ts';
import { shapeOf, told } from './answers.ts';
import { namingCalls, rpcTo, type Call } from './mcp-probes.ts';
import { naming, ROUTES, type Probe, type Route } from './probes.ts';
import { fillWorld, OURS, type World } from './two-namespaces.ts';

const KEYS = [
  { name: 'owner', access: 'full' },
  { name: 'bound', access: 'full', namespace: OURS },
  { name: 'guest', access: 'read', namespace: OURS },
] as const;
const BOUND = ['guest', 'bound'] as const;
/** Each has a test of its own: one speaks another protocol, the other never ends. */
const APART = ['POST /mcp', 'GET /api/events'];
const ASKED = ROUTES.filter(({ name }) => !APART.includes(name));
/** These leave names of others among the own entries, which is not to stand in the way of the next route. */
const LEAVING: ReadonlySet<string> = new Set(
  ['save', 'tags', 'relations', 'entities', 'entities/rename', 'forget', 'restore', 'capture', 'capture/undo', 'sources', 'sync/apply'].map(
    (path) => `/api/${path}`,
  ),
);
const isLeaving = ({ method, path }: Route): boolean => method === 'PATCH' || (method !== 'GET' && LEAVING.has(path));

interface Place extends AsyncDisposable {
  readonly server: TestServer;
  readonly world: World;
}

async function newPlace(): Promise<Place> {
  const server = await startTestServer({ keys: KEYS, storage: { durability: 'process' } });
  return { server, world: await fillWorld(server), [Symbol.asyncDispose]: () => server.close() };
}

let shared: Place;
beforeAll(async () => {
  shared = await newPlace();
});
afterAll(() => shared[Symbol.asyncDispose]());

interface Seen {
  readonly status: number;
  readonly text: string;
}

async function send({ server }: Place, key: string, probe: Probe): Promise<Seen> {
  const { status, text } = await server.call(probe.method, probe.path, {
    headers: { 'x-api-key': server.keys.get(key)!, ...probe.headers },
    ...(probe.body !== undefined && { body: probe.body }),
  });
  return { status, text };
}

/** All that stands outside of the namespace of the keys, less when it was exported. */
async function others({ server }: Place): Promise<string[]> {
  const { text } = await server.call('GET', '/api/export?all=true', { headers: { 'x-api-key': server.keys.get('owner')! } });
  return text
    .split('\n')
    .slice(1)
    .filter((line) => !line.includes(`"namespace":"${OURS}"`) && !line.startsWith('{"relation"'));
}

describe.each(BOUND)('the bound key %s', (key) => {
  it.each(ASKED.map((route) => [route.name, route] as const))(
    'cannot tell by %s whether a name exists',
    async (_, route) => {
      await using own = key === 'bound' && isLeaving(route) ? await newPlace() : undefined;
      const place = own ?? shared;
      const { world } = place;
      const kept = await others(place);
      const inVain = naming(route, world, world.ghost);
      for (const [nth, probe] of naming(route, world, world.real).entries()) {
        // Before and after: what a request changes among the own entries shows in the next one, and tells nothing.
        const before = await send(place, key, inVain[nth]!);
        const seen = await send(place, key, probe);
        const after = await send(place, key, inVain[nth]!);
        expect(seen.status).toBeLessThan(500);
        expect([probe.title, told(seen.text, world.hidden)]).toEqual([probe.title, []]);
        expect(
          [before, after].map((answer) => shapeOf(answer, world)),
          probe.title,
        ).toContain(shapeOf(seen, world));
      }
      expect(await others(place)).toEqual(kept);
    },
    120_000,
  );

  it('cannot tell by MCP whether a name exists, by any tool, resource, completion or prompt', async () => {
    await using place = await newPlace();
    const { world, server } = place;
    const rpc = rpcTo(server);
    const [inVain, tried] = [await namingCalls(rpc, world, world.ghost), await namingCalls(rpc, world, world.real)];
    for (const [nth, { title, method, params }] of tried.entries()) {
      // What one call saves would be near to what the next one saves.
      const call = async (asked: Pick<Call, 'method' | 'params'>) => {
        const answer = await rpc(key, asked.method, asked.params);
        const { id, status } = answer.result?.structuredContent ?? {};
        if (status === 'stored') await rpc('owner', 'tools/call', { name: 'memory_forget', arguments: { id, permanent: true } });
        return answer;
      };
      const before = await call(inVain[nth]!);
      const seen = await call({ method, params });
      const after = await call(inVain[nth]!);
      expect([title, told(seen.text, world.hidden)]).toEqual([title, []]);
      expect(
        [before, after].map((answer) => shapeOf(answer, world)),
        title,
      ).toContain(shapeOf(seen, world));
    }
  });
});
