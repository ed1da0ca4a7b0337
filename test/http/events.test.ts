import { request as rawRequest, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpClient } from '../../src/client/http-client.ts';
import { revokeKey } from '../../src/config/api-keys.ts';
import { EventStream } from '../../src/http/responses/event-streams.ts';
import { startTestServer, TEST_NAMESPACE, type TestServer, type TestServerOptions } from '../helpers/server.ts';

interface Told {
  readonly id: string;
  readonly event: string;
  readonly data: { readonly ids?: string[]; readonly namespaces?: string[]; readonly count?: number; readonly saved?: number };
}
interface Listener extends AsyncDisposable {
  readonly response: IncomingMessage;
  /** The next event. */
  next(): Promise<Told>;
  /** Resolves once the server has ended the stream. */
  readonly ended: Promise<void>;
}

const KEYS: TestServerOptions['keys'] = [
  { name: 'all', access: 'full' },
  { name: 'reader', access: 'read' },
  { name: 'bound', access: 'read', namespace: 'mine' },
];

function told(block: string): Told[] {
  const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: ?(.*)/s).slice(0, 2))) as Record<string, string>;
  const { id = '', event, data = '' } = fields;
  return event === undefined ? [] : [{ id, event, data: JSON.parse(data) as Told['data'] }];
}

/** What a listener on the wire gets. */
async function listen(server: TestServer, query = '', headers: Record<string, string> = {}): Promise<Listener> {
  const request = rawRequest(`${server.url}/api/events${query}`, { headers });
  request.end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const events: Told[] = [];
  let pending = '';
  let wake = (): void => undefined;
  response.setEncoding('utf8').on('data', (text: string) => {
    const blocks = (pending + text).split('\n\n');
    pending = blocks.pop()!;
    events.push(...blocks.flatMap(told));
    wake();
  });
  // Whoever leaves in the middle of an answer is told that it was cut.
  response.on('error', () => undefined);
  const ended = new Promise<void>((resolve) => response.once('close', resolve));
  return {
    response,
    ended,
    async next() {
      while (events.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      return events.shift()!;
    },
    async [Symbol.asyncDispose]() {
      request.destroy();
      await ended;
    },
  };
}

/** One that has been told that it is ready. */
async function listening(...given: Parameters<typeof listen>): Promise<Listener> {
  const listener = await listen(...given);
  expect((await listener.next()).event).toBe('ready');
  return listener;
}

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const forget = (id: string) => server.call('DELETE', `/api/${id}`);

describe('the stream of events', () => {
  it('reports saves, changes and forgetting, by id and without content', async () => {
    await using listener = await listen(server);
    const { statusCode, headers } = listener.response;
    expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([200, 'text/event-stream; charset=utf-8', 'no-store']);
    expect(await listener.next()).toMatchObject({ event: 'ready', data: {} });
    const id = await server.save('The ferry leaves at nine', { namespace: 'harbour' });
    expect(await listener.next()).toMatchObject({ event: 'saved', data: { ids: [id], namespaces: ['harbour'], count: 1 } });
    await server.call('PATCH', `/api/${id}`, { body: { tags: ['ferry'] } });
    expect(await listener.next()).toMatchObject({ event: 'changed', data: { ids: [id], namespaces: ['harbour'], count: 1 } });
    await forget(id);
    expect(await listener.next()).toMatchObject({ event: 'forgotten', data: { ids: [id], namespaces: ['harbour'], count: 1 } });
  });

  it('reports nothing for a save that stored nothing', async () => {
    const id = await server.save('Said twice');
    await using listener = await listening(server);
    await server.save('Said twice');
    await forget(id);
    expect(await listener.next()).toMatchObject({ event: 'forgotten', data: { ids: [id] } });
  });

  it('reports imports, archiving, restores and moves', async () => {
    await using listener = await listening(server);
    const lines = ['By import one', 'By import two'].map((content) => JSON.stringify({ content, namespace: 'brought' }));
    await server.call('POST', '/api/import', { body: lines.join('\n'), headers: { 'content-type': 'application/x-ndjson' } });
    const saved = await listener.next();
    expect(saved).toMatchObject({ event: 'saved', data: { namespaces: ['brought'], count: 2 } });
    const ids = saved.data.ids!;

    const asked = await server.call('POST', '/api/forget', { body: { namespace: 'brought' } });
    await server.call('POST', '/api/forget', { body: { namespace: 'brought', confirm: asked.body.token } });
    const gone = await listener.next();
    expect([gone.event, gone.data.ids?.toSorted()]).toEqual(['forgotten', ids.toSorted()]);
    await server.call('POST', '/api/restore', { body: { ids } });
    const back = await listener.next();
    expect([back.event, back.data.ids?.toSorted()]).toEqual(['saved', ids.toSorted()]);

    await server.call('POST', '/api/namespaces/move', { body: { ids: [ids[0]], to: 'elsewhere' } });
    expect(await listener.next()).toMatchObject({ event: 'changed', data: { ids: [ids[0]], namespaces: ['brought', 'elsewhere'] } });
  });

  it('summarizes large changes in a few events', async () => {
    await using listener = await listening(server, '?namespace=crowd');
    const lines = Array.from({ length: 3_000 }, (_, nth) => JSON.stringify({ content: `Line number ${nth}`, namespace: 'crowd' }));
    await server.call('POST', '/api/import', { body: lines.join('\n'), headers: { 'content-type': 'application/x-ndjson' } });
    let [events, count] = [0, 0];
    while (count < lines.length) {
      const { event, data } = await listener.next();
      expect(['many', 'saved']).toContain(event);
      expect(data.ids?.length ?? 0).toBeLessThanOrEqual(100);
      expect(data.namespaces).toEqual(['crowd']);
      events += 1;
      count += data.count!;
    }
    expect(count).toBe(lines.length);
    expect(events).toBeLessThan(100);
  });

  it('can be limited to a namespace, where a move is a deletion or a save', async () => {
    await using here = await listening(server, '?namespace=here');
    await using there = await listening(server, '?namespace=there');
    await server.save('Somewhere else entirely', { namespace: 'nowhere' });
    const id = await server.save('A thing that moves', { namespace: 'here' });
    expect(await here.next()).toMatchObject({ event: 'saved', data: { ids: [id], namespaces: ['here'] } });
    await server.call('PATCH', `/api/${id}`, { body: { namespace: 'there' } });
    expect(await here.next()).toMatchObject({ event: 'forgotten', data: { ids: [id], namespaces: ['here'] } });
    expect(await there.next()).toMatchObject({ event: 'saved', data: { ids: [id], namespaces: ['there'] } });
  });

  it('resumes where a listener stopped', async () => {
    const listener = await listening(server);
    const first = await server.save('Seen by the first listener');
    const { id: last } = await listener.next();
    await listener[Symbol.asyncDispose]();
    const second = await server.save('Missed by everybody');
    const third = await server.save('Missed as well');
    await forget(first);
    await using again = await listen(server, '', { 'last-event-id': last });
    expect(await again.next()).toMatchObject({ event: 'forgotten', data: { ids: [first] } });
    expect(await again.next()).toMatchObject({ event: 'saved', data: { ids: [second, third] } });
    expect((await again.next()).event).toBe('ready');
  });

  it.each(['1-0', '99999999999999-2', 'nonsense', "' OR 1=1"])('asks to restart after the unknown id %s', async (id) => {
    await using listener = await listen(server, '', { 'last-event-id': id });
    expect(await listener.next()).toMatchObject({ event: 'reset', data: {} });
  });

  it('asks to restart if too many events were missed', async () => {
    const listener = await listen(server);
    const { id } = await listener.next();
    await listener[Symbol.asyncDispose]();
    for (let round = 0; round < 4; round += 1) {
      const lines = Array.from({ length: 1_900 }, (_, nth) => JSON.stringify({ content: `Round ${round}, line ${nth}` }));
      await server.call('POST', '/api/import', { body: lines.join('\n'), headers: { 'content-type': 'application/x-ndjson' } });
      await (await listening(server))[Symbol.asyncDispose]();
    }
    await using again = await listen(server, '', { 'last-event-id': id });
    expect((await again.next()).event).toBe('reset');
  });

  it('answers HEAD at once', async () => {
    const { status, headers, text } = await server.call('HEAD', '/api/events');
    expect([status, headers.get('content-type'), text]).toEqual([200, 'text/event-stream; charset=utf-8', '']);
  });

  it('does not count as a slow request', async () => {
    const before = (await server.call('GET', '/api/health')).body.requests.total;
    await (await listening(server))[Symbol.asyncDispose]();
    expect((await server.call('GET', '/api/health')).body.requests.total).toBe(before + 1);
  });
});

describe('the events that a key receives', () => {
  let locked: TestServer;
  beforeAll(async () => {
    locked = await startTestServer({ keys: KEYS });
  });
  afterAll(() => locked.close());
  const headers = (key: string) => ({ 'x-api-key': locked.keys.get(key)! });
  const save = async (content: string, namespace: string): Promise<string> => {
    const { body } = await locked.call('POST', '/api/save', { body: { content, namespace }, headers: headers('all') });
    return body.ids[0]!;
  };

  it('are none without a key', async () => {
    expect((await locked.call('GET', '/api/events')).status).toBe(401);
  });

  it('are all with full access', async () => {
    await using listener = await listening(locked, '', headers('reader'));
    const id = await save('For all ears', 'theirs');
    expect(await listener.next()).toMatchObject({ event: 'saved', data: { ids: [id], namespaces: ['theirs'] } });
  });

  it('are those of its namespace if it is bound to one, also after a reconnect', async () => {
    const first = await listen(locked, '', headers('bound'));
    const { id: begin } = await first.next();
    const theirs = await save('Not for these ears', 'theirs');
    const both = await save('First theirs, then mine', 'theirs');
    const mine = await save('For these ears', 'mine');
    expect(await first.next()).toMatchObject({ event: 'saved', data: { ids: [mine], namespaces: ['mine'], count: 1 } });
    const move = (namespace: string) => locked.call('PATCH', `/api/${both}`, { body: { namespace }, headers: headers('all') });
    await move('mine');
    expect(await first.next()).toMatchObject({ event: 'saved', data: { ids: [both], namespaces: ['mine'], count: 1 } });
    await move('theirs');
    expect(await first.next()).toMatchObject({ event: 'forgotten', data: { ids: [both], namespaces: ['mine'], count: 1 } });
    await first[Symbol.asyncDispose]();

    await using again = await listen(locked, '', { ...headers('bound'), 'last-event-id': begin });
    const missed: Told[] = [];
    for (let event = await again.next(); event.event !== 'ready'; event = await again.next()) missed.push(event);
    expect(missed.length).toBeGreaterThan(0);
    expect(missed.flatMap(({ data }) => data.namespaces)).not.toContain('theirs');
    expect(JSON.stringify(missed)).not.toContain(theirs);
  });

  it('end once it is revoked', async () => {
    await using keyed = await startTestServer({ keys: [...KEYS, { name: 'leaving', access: 'read' }] });
    const [all, leaving] = ['all', 'leaving'].map((name) => ({ 'x-api-key': keyed.keys.get(name)! }));
    await using stays = await listening(keyed, '', all);
    await using listener = await listening(keyed, '', leaving);
    await revokeKey({ file: keyed.keysFile, key: 'leaving' });
    await expect.poll(async () => (await keyed.call('HEAD', '/api/events', { headers: leaving! })).status, { timeout: 10_000 }).toBe(401);
    const { body } = await keyed.call('POST', '/api/save', { body: { content: 'After it was revoked' }, headers: all! });
    expect(await Promise.race([listener.next(), listener.ended])).toBeUndefined();
    expect(await stays.next()).toMatchObject({ event: 'saved', data: { ids: body.ids } });
  });

  it('are refused for another namespace', async () => {
    const { status, body } = await locked.call('GET', '/api/events?namespace=theirs', { headers: headers('bound') });
    expect([status, body.code]).toEqual([403, 'FORBIDDEN']);
  });
});

describe('the listeners of a server', () => {
  it('number at most a hundred, and one more gets a Retry-After', async () => {
    await using crowded = await startTestServer();
    const listeners = await Promise.all(Array.from({ length: 100 }, () => listening(crowded)));
    const { status, headers, body } = await crowded.call('GET', '/api/events');
    expect([status, headers.get('retry-after'), body.code]).toEqual([503, '10', 'UNAVAILABLE']);
    await listeners[0]![Symbol.asyncDispose]();
    await expect.poll(async () => (await crowded.call('HEAD', '/api/events')).status).toBe(200);
    await using another = await listening(crowded);
    const id = await crowded.save('Heard by everyone');
    const heard = await Promise.all([another, ...listeners.slice(1)].map((listener) => listener.next()));
    expect(new Set(heard.flatMap(({ data }) => data.ids))).toEqual(new Set([id]));
    await Promise.all(listeners.map((listener) => listener[Symbol.asyncDispose]()));
  });

  it('are in the audit log, except those refused by the limit', async () => {
    await using crowded = await startTestServer({ audit: { enabled: true } });
    const listeners = await Promise.all(Array.from({ length: 100 }, () => listening(crowded)));
    expect((await crowded.call('GET', '/api/events')).status).toBe(503);
    // Written after whatever the refusal would have written.
    await crowded.save('The ferry leaves at nine');
    const audited = () => readFile(join(crowded.folder, 'audit', 'audit.jsonl'), 'utf8');
    await expect.poll(audited).toContain('"operation":"save"');
    expect((await audited()).match(/"operation":"changes\.follow"/g)).toHaveLength(100);
    await Promise.all(listeners.map((listener) => listener[Symbol.asyncDispose]()));
  });

  it('do not prevent closing', async () => {
    await using closing = await startTestServer();
    const listeners = await Promise.all([listening(closing), listening(closing, '?namespace=x')]);
    await closing.closeServer();
    expect(await Promise.all(listeners.map(({ ended }) => ended))).toHaveLength(2);
  });

  it('do not delay closing after they left or opened idle connections', async () => {
    await using closing = await startTestServer();
    const leaving = new AbortController();
    const response = await fetch(`${closing.url}/api/events`, { signal: leaving.signal });
    await response.body!.getReader().read();
    leaving.abort();
    const unused = connect(closing.port, '127.0.0.1');
    await once(unused, 'connect');
    const cut = once(unused, 'close');
    await closing.closeServer();
    expect(await cut).toEqual([false]);
  });

  it('are disconnected if they stop reading', async () => {
    const deaf = new Writable({ write: () => undefined });
    const gone = once(deaf, 'close');
    const stream = new EventStream(deaf as never, () => true);
    const event = {
      id: '1-2',
      type: 'saved',
      ids: Array.from({ length: 100 }, () => 'x'.repeat(36)),
      namespaces: ['n'],
      count: 100,
    } as const;
    for (let nth = 0; nth < 200 && !deaf.destroyed; nth += 1) stream.send(event);
    await gone;
    expect(stream.signal.aborted).toBe(true);
    expect(deaf.writableLength).toBeLessThan(300_000);
  });
});

describe('the client of a running server', () => {
  it('receives the events of the service', async () => {
    await using open = await startTestServer();
    const client = createHttpClient({ baseUrl: open.url });
    const kinds: string[] = [];
    const ids: string[] = [];
    for await (const event of client.changes.follow({ namespace: TEST_NAMESPACE })) {
      kinds.push(event.type);
      if (event.type === 'ready') ids.push(await open.save('Followed from afar'));
      if (event.type !== 'saved') continue;
      expect(event).toMatchObject({ ids, namespaces: [TEST_NAMESPACE], count: 1 });
      break;
    }
    expect(kinds).toEqual(['ready', 'saved']);
    await client.close();
  });
});
