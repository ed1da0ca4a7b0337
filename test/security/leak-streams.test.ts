import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../helpers/server.ts';
import { shapeOf, told } from './answers.ts';
import { TOOLS } from '../../src/mcp/tools.ts';
import { ARGUMENTS, rpcTo, type Rpc } from './mcp-probes.ts';
import { BODIES, HARMLESS, NAMING } from './naming.ts';
import { ROUTES } from './probes.ts';
import { fillWorld, OURS, wordsOf, type Names, type World } from './two-namespaces.ts';

let server: TestServer;
let world: World;
let rpc: Rpc;
beforeAll(async () => {
  server = await startTestServer({
    storage: { durability: 'process' },
    keys: [
      { name: 'owner', access: 'full' },
      { name: 'bound', access: 'full', namespace: OURS },
      { name: 'guest', access: 'read', namespace: OURS },
    ],
  });
  world = await fillWorld(server);
  rpc = rpcTo(server);
});
afterAll(() => server.close());

const keyOf = (name: string) => ({ 'x-api-key': server.keys.get(name)! });
const BOUND = ['guest', 'bound'] as const;

/** What an event stream tells until it has told `until`, or all that it answered where it is no stream. */
async function listen(headers: Record<string, string>, query: string, until: string): Promise<{ status: number; text: string }> {
  const gone = new AbortController();
  const response = await fetch(`${server.url}/api/events${query}`, { headers, signal: gone.signal });
  let text = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (text.includes(until)) break;
  }
  gone.abort();
  return { status: response.status, text };
}

describe.each(BOUND)('the event stream of the key %s', (key) => {
  it('is tested with every parameter', () => {
    const fields = ROUTES.find(({ name }) => name === 'GET /api/events')!.fields.map(({ name }) => name);
    expect(fields.toSorted()).toEqual(['Last-Event-ID', 'form', 'namespace']);
  });

  it('shows nothing of others, whatever event it resumes after', async () => {
    const all = await listen({ ...keyOf('owner'), 'last-event-id': '1-1' }, '', 'data:');
    expect(all.text).toContain('reset');
    for (const id of [world.real.event, '1-1', '99999999999999-0', 'x', ' ']) {
      const { status, text } = await listen({ ...keyOf(key), 'last-event-id': id }, '', 'data:');
      expect([status, told(text, [...world.hidden, ...wordsOf(world.real)])]).toEqual([200, []]);
    }
  });

  it('refuses another namespace, whether it exists or not', async () => {
    const answers = await Promise.all(
      [world.real, world.ghost].map((names) => listen(keyOf(key), `?namespace=${encodeURIComponent(names.namespace)}`, '}')),
    );
    expect(answers.map(({ status }) => status)).toEqual([403, 403]);
    expect(answers[0]!.text).toBe(answers[1]!.text);
  });

  it('shows own changes only while others are made', async () => {
    const marker = `ours-${key}`;
    const stream = listen(keyOf(key), '', 'event: saved');
    const write = (content: string, namespace: string) =>
      server.call('POST', '/api/save', { body: { content, namespace }, headers: keyOf('owner') });
    const theirs = await write(`theirhidden news for ${key}`, world.real.namespace);
    await server.call('PATCH', `/api/${theirs.body.ids[0]}`, { body: { namespace: 'hidden-owner/harbour' }, headers: keyOf('owner') });
    await server.call('DELETE', `/api/${theirs.body.ids[0]}`, { headers: keyOf('owner') });
    const ours = await write(`${marker} is here`, OURS);
    const { text } = await stream;
    expect(text).toContain(ours.body.ids[0]);
    expect(told(text, [...world.hidden, ...wordsOf(world.real), theirs.body.ids[0]!])).toEqual([]);
  });
});

describe('the lists of MCP', () => {
  it('have no unclassified tool or field', async () => {
    const tools = [...TOOLS.listed, ...TOOLS.legacy];
    expect(tools.map(({ name }) => name).toSorted()).toEqual(Object.keys(ARGUMENTS).toSorted());
    const fields = tools.flatMap(({ input }) => Object.keys(input.shape));
    expect(fields.filter((field) => NAMING[field] === undefined && !HARMLESS.has(field))).toEqual([]);
    expect(BODIES['POST /mcp']).toBeUndefined();
  });
});

describe.each(BOUND)('over MCP the key %s', (key) => {
  it('gets nothing of others without naming them', async () => {
    const listed = ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'];
    const asked = [
      ...listed.map((method) => rpc(key, method)),
      ...Object.entries(ARGUMENTS).map(([name, own]) => rpc(key, 'tools/call', { name, arguments: own(world.own) })),
    ];
    for (const { status, text } of await Promise.all(asked)) {
      expect(status).toBe(200);
      expect(told(text, [...world.hidden, ...wordsOf(world.real)])).toEqual([]);
    }
    expect((await rpc(key, 'resources/list')).result.resources.map(({ uri }) => uri)).toContain(`lore://namespace/${OURS}`);
  });

  it('cannot take another namespace from the URL', async () => {
    const asked = (names: Names) =>
      rpc(key, 'tools/call', { name: 'memory_list', arguments: {} }, `?namespace=${encodeURIComponent(names.namespace)}`);
    const [seen, inVain] = [await asked(world.real), await asked(world.ghost)];
    expect(shapeOf(seen, world)).toBe(shapeOf(inVain, world));
    expect(seen.text).toContain('"isError":true');
  });
});
