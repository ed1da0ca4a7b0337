import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { LoreClient, type StoreEvent } from '../../src/client/lore-client.ts';
import { follow } from '../../src/client/event-stream.ts';
import type { Transport } from '../../src/client/transport.ts';
import { startTestServer } from '../helpers/server.ts';

/** A server that gives each connection one of these streams and then cuts it, and remembers what it was asked. */
async function streams(answers: readonly ((res: ServerResponse) => void)[]) {
  const asked: (string | undefined)[] = [];
  const server: Server = createServer((req, res) => {
    asked.push(req.headers['last-event-id'] as string | undefined);
    answers[Math.min(asked.length, answers.length) - 1]!(res);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = new LoreClient({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, retries: 0 });
  return {
    asked,
    client,
    async [Symbol.asyncDispose]() {
      await client.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const EVENTS = { 'content-type': 'text/event-stream' };
const event = (id: string, type: string): string => `id: ${id}\nevent: ${type}\ndata: {"ids":["${id}"],"namespaces":["n"],"count":1}\n\n`;

describe('events of the client library', () => {
  it('are those of the server, until iteration stops', async () => {
    await using server = await startTestServer();
    const client = new LoreClient({ url: server.url });
    const told: StoreEvent[] = [];
    for await (const one of client.events({ namespace: 'n' })) {
      told.push(one);
      if (one.type === 'ready') await server.save('Told to programs too', { namespace: 'n' });
      if (one.type === 'saved') break;
    }
    expect(told).toMatchObject([{ type: 'ready' }, { type: 'saved', namespaces: ['n'], count: 1 }]);
    await client.close();
    await expect.poll(() => server.logged.filter(({ path }) => path === '/api/events').length).toBe(1);
  });

  it('resume after a disconnect, however they are chunked', async () => {
    await using broken = await streams([
      (res) => {
        const [first, second] = [event('1-2', 'saved').slice(0, 20), event('1-2', 'saved').slice(20) + event('2-2', 'cha').slice(0, 9)];
        res.writeHead(200, EVENTS).write(`retry: 2000\n\n:\n\n${first}`, () => res.write(second, () => res.destroy()));
      },
      (res) => res.writeHead(503, { 'content-type': 'application/json' }).end('{"success":false,"error":"busy","code":"UNAVAILABLE"}'),
      (res) => res.writeHead(200, EVENTS).end(event('2-1', 'changed')),
      (res) => res.writeHead(200, EVENTS).write(event('3-0', 'forgotten')),
    ]);
    const told: string[] = [];
    for await (const { id, type } of broken.client.events()) {
      told.push(`${id} ${type}`);
      if (type === 'forgotten') break;
    }
    expect(told).toEqual(['1-2 saved', '2-1 changed', '3-0 forgotten']);
    expect(broken.asked).toEqual([undefined, '1-2', '1-2', '2-1']);
  });

  it('reject with the reason of the signal, also while reconnecting', async () => {
    await using away = await streams([(res) => res.destroy()]);
    const ending = new AbortController();
    const reason = new Error('enough');
    const over = (async () => {
      for await (const _ of away.client.events({}, { signal: ending.signal }));
    })();
    await expect.poll(() => away.asked.length).toBeGreaterThan(0);
    ending.abort(reason);
    await expect(over).rejects.toBe(reason);
  });

  it('stop with their signal even after garbage collection', async () => {
    setFlagsFromString('--expose-gc');
    const tidyUp = runInNewContext('gc') as () => void;
    // The process goes on with other files.
    setFlagsFromString('--no-expose-gc');
    await using quiet = await streams([(res) => res.writeHead(200, EVENTS).write(event('1-2', 'saved'))]);
    const ending = new AbortController();
    const reason = new Error('enough');
    let told = 0;
    const all = Array.from({ length: 8 }, async () => {
      for await (const _ of quiet.client.events({}, { signal: ending.signal })) told += 1;
    });
    const over = Promise.allSettled(all);
    await expect.poll(() => told).toBe(8);
    for (let nth = 0; nth < 3; nth += 1) {
      tidyUp();
      await new Promise((resolve) => setImmediate(resolve));
    }
    ending.abort(reason);
    expect(await over).toEqual(Array.from({ length: 8 }, () => ({ status: 'rejected', reason })));
  });

  it('reject with a message if the server refuses them', async () => {
    await using server = await startTestServer({ keys: [{ name: 'bound', access: 'read', namespace: 'mine' }] });
    const client = new LoreClient({ url: server.url, key: server.keys.get('bound')! });
    await expect(client.events({ namespace: 'theirs' }).next()).rejects.toMatchObject({ code: 'forbidden' });
    await client.close();
    await expect(client.events().next()).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('a connection', () => {
  afterEach(() => vi.useRealTimers());

  it('is dropped if the server is silent, but not if its events are read slowly', async () => {
    vi.useFakeTimers();
    const stream: Transport['stream'] = async function* (_method, _path, { signal }) {
      for (const id of ['1-2', '2-2']) {
        signal?.throwIfAborted();
        yield Buffer.from(event(id, 'saved'));
      }
      await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)));
    };
    const events = follow({ stream } as Transport, {});
    expect(await events.next()).toMatchObject({ value: { id: '1-2' } });
    await vi.advanceTimersByTimeAsync(600_000);
    expect(await events.next()).toMatchObject({ value: { id: '2-2' } });
    const [third] = await Promise.allSettled([events.next(), vi.advanceTimersByTimeAsync(45_000)]);
    expect(third).toMatchObject({ status: 'rejected', reason: { code: 'network' } });
  });
});
