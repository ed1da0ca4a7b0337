import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { LoreClient, type LoreClientOptions } from '../../src/client/lore-client.ts';
import { startTestServer, type TestServer } from '../helpers/server.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

interface Wire {
  readonly url: string;
  /** The method and the key of every request that came through. */
  readonly seen: (readonly [string, string | undefined])[];
}

/** A wire to a server on which the answers to the first so many changes are lost: they are carried out, and nobody is told. */
async function losing(server: TestServer, lost: number): Promise<Wire> {
  const seen: (readonly [string, string | undefined])[] = [];
  let left = lost;
  const pass = (req: IncomingMessage, res: ServerResponse): void => {
    const key = req.headers['idempotency-key'];
    seen.push([req.method!, key === undefined ? undefined : String(key)]);
    const headers = { ...req.headers, host: `127.0.0.1:${server.port}` };
    const onward = request({ host: '127.0.0.1', port: server.port, path: req.url, method: req.method, headers }, (answer) => {
      if (req.method !== 'GET' && (left -= 1) >= 0) {
        answer.resume().once('end', () => req.socket.destroy());
        return;
      }
      res.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(res);
    });
    req.pipe(onward);
  };
  const wire = createServer(pass).listen(0, '127.0.0.1');
  closing.push(() => new Promise((resolve) => wire.close(resolve).closeAllConnections()));
  await new Promise((resolve) => wire.once('listening', resolve));
  return { url: `http://127.0.0.1:${(wire.address() as AddressInfo).port}`, seen };
}

async function setUp(lost: number, options: LoreClientOptions = {}): Promise<{ server: TestServer; client: LoreClient; wire: Wire }> {
  const server = await startTestServer();
  closing.push(() => server.close());
  const wire = await losing(server, lost);
  const client = new LoreClient({ url: wire.url, ...options });
  closing.push(() => client.close());
  return { server, client, wire };
}

describe('a client that loses responses', () => {
  it('saves once and gets the first response', async () => {
    const { server, client, wire } = await setUp(2);
    const { outcomes, message } = await client.save({ content: 'Saved although nobody answered' });
    expect([outcomes[0]!.status, message]).toEqual(['stored', 'Saved.']);
    expect((await server.app.memories.list({})).total).toBe(1);
    const keys = wire.seen.filter(([method]) => method === 'POST').map(([, key]) => key);
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^"\d+(?:-\d+){3}"$/);
  });

  it('changes, relates, undoes and forgets once', async () => {
    const { server, client } = await setUp(0);
    const [a, b] = await Promise.all(['one', 'two'].map(async (content) => (await client.save({ content })).entry.id));
    const unlucky = async <T>(act: (client: LoreClient) => Promise<T>): Promise<T> => {
      const wire = await losing(server, 1);
      const once = new LoreClient({ url: wire.url });
      closing.push(() => once.close());
      return await act(once);
    };
    expect((await unlucky((one) => one.update(a!, { content: 'one, changed' }))).content).toBe('one, changed');
    expect((await client.lifecycle.history(a!)).versions).toHaveLength(1);
    const relation = { sourceId: a!, type: 'references', targetId: b! } as const;
    await unlucky((one) => one.relations.relate(relation));
    await unlucky((one) => one.relations.unrelate(relation));
    expect((await unlucky((one) => one.lifecycle.undo(a!))).content).toBe('one');
    expect((await client.get(a!)).content).toBe('one');
    await unlucky((one) => one.forget(a!));
    await expect(client.get(a!)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('uses a new key for each change, or the given one', async () => {
    const { client, wire } = await setUp(0);
    await client.save({ content: 'one' });
    await client.save({ content: 'two' });
    const first = await client.save({ content: 'three' }, { idempotencyKey: 'a key of mine' });
    expect(await client.save({ content: 'three' }, { idempotencyKey: 'a key of mine' })).toEqual(first);
    await expect(client.save({ content: 'four' }, { idempotencyKey: 'a key of mine' })).rejects.toMatchObject({ code: 'key_reused' });
    const keys = wire.seen.flatMap(([method, key]) => (method === 'POST' ? [key] : []));
    expect(keys.slice(2)).toEqual(Array(3).fill('"a key of mine"'));
    expect(new Set(keys).size).toBe(3);
  });

  it('with one attempt sends no key and fails', async () => {
    const { server, client, wire } = await setUp(1, { retries: 0 });
    await expect(client.save({ content: 'Tried once' })).rejects.toMatchObject({ code: 'network' });
    expect(wire.seen).toEqual([['POST', undefined]]);
    expect((await server.app.memories.list({})).total).toBe(1);
  });
});
