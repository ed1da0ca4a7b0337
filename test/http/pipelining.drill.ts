import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { MemoryOperations } from '../../src/memory/operations/operations.ts';
import { gate } from '../helpers/gate.ts';
import { readExposition, valueOf } from '../helpers/prometheus.ts';
import { startTestServer, type TestServer } from '../helpers/server.ts';
import { head, rawExchange } from './raw-socket.ts';

const KB = 1024;
const idsOf = (text: string): string[] => [...text.matchAll(/^x-request-id: (\S+)\r$/gim)].map(([, id]) => id!);
const statusesOf = (text: string): string[] => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status!);
const get = (path: string, ...lines: string[]): string => head(path, lines, 'GET');

/** Operations in which `name` first waits. */
function waiting(real: MemoryOperations, name: keyof MemoryOperations, first: () => Promise<void>): MemoryOperations {
  return new Proxy(real, {
    get(target, asked) {
      const own: unknown = Reflect.get(target, asked);
      if (typeof own !== 'function') return own;
      const call = (own as (...args: unknown[]) => unknown).bind(target);
      return asked === name ? async (...args: unknown[]) => first().then(() => call(...args)) : call;
    },
  });
}

const level = async (server: TestServer, name: string): Promise<number | undefined> =>
  valueOf(readExposition((await server.call('GET', '/metrics')).text), name);

describe('pipelined requests', () => {
  it('are handled and answered in order, also if one is refused', async () => {
    const { open, opened } = gate();
    await using server = await startTestServer({ memories: (real) => waiting(real, 'list', () => opened) });
    // More than is taken in before somebody reads it.
    const body = JSON.stringify({ content: 'Saved behind a list' }) + ' '.repeat(300 * KB);
    const text = await rawExchange(server.port, [
      get('/api/list', 'x-request-id: first'),
      head('/api/save', ['x-request-id: second', 'Content-Type: application/json', `Content-Length: ${body.length}`]) + body,
      get('/api/none/such', 'x-request-id: third'),
      get('/healthz', 'x-request-id: fourth', 'Connection: close'),
      async () => {
        await expect.poll(() => level(server, 'lore_http_requests_in_flight')).toBe(1);
        expect((await server.app.memories.list({})).total).toBe(0);
        open();
      },
    ]);
    expect(idsOf(text)).toEqual(['first', 'second', 'third', 'fourth']);
    expect(statusesOf(text)).toEqual(['200', '200', '404', '200']);
  });

  it('are dropped if their client disconnects first', async () => {
    await using server = await startTestServer({ server: { bodyMemoryMB: 1 } });
    const body = JSON.stringify({ content: 'x' }) + ' '.repeat(10 * KB);
    const save = head('/api/save', ['Content-Type: application/json', `Content-Length: ${body.length}`]) + body;
    for (let nth = 0; nth < 30; nth += 1) {
      const socket = connect(server.port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(get('/api/events').repeat(4) + save.repeat(5));
      await once(socket, 'data');
      socket.destroy();
    }
    await expect.poll(() => level(server, 'lore_event_streams')).toBe(0);
    await expect.poll(() => level(server, 'lore_http_requests_in_flight')).toBe(0);
    expect((await server.call('POST', '/api/save', { body: JSON.stringify({ content: 'Taken' }) + ' '.repeat(900 * KB) })).status).toBe(
      200,
    );
    expect((await server.app.memories.list({})).entries.map(({ content }) => content)).toEqual(['Taken']);
  });

  it('are all answered in order, however many arrive at once', async () => {
    await using server = await startTestServer();
    const requests = Array.from({ length: 1000 }, (_, nth) => {
      const lines = [`x-request-id: nth-${nth}`, ...(nth === 999 ? ['Connection: close'] : [])];
      if (nth % 10 !== 0) return get('/api/list?limit=1', ...lines);
      const body = JSON.stringify({ content: `Pipelined note ${nth}` });
      return head('/api/save', [...lines, 'Content-Type: application/json', `Content-Length: ${body.length}`]) + body;
    });
    const text = await rawExchange(server.port, [requests.join('')]);
    expect(idsOf(text)).toEqual(Array.from({ length: 1000 }, (_, nth) => `nth-${nth}`));
    expect([...new Set(statusesOf(text))]).toEqual(['200']);
    expect((await server.app.memories.list({})).total).toBe(100);
  });

  it('are not read beyond sixteen waiting ones', async () => {
    const { open, opened } = gate();
    await using server = await startTestServer({ memories: (real) => waiting(real, 'list', () => opened) });
    const socket = connect(server.port, '127.0.0.1');
    let received = '';
    socket.on('error', () => undefined).on('data', (chunk) => (received += String(chunk)));
    const piece = get('/healthz').repeat(1_000);
    socket.write(get('/api/list'));
    let sent = 0;
    for (; sent < 64 * KB * KB && socket.writableLength < KB * KB; sent += piece.length) {
      socket.write(piece);
      await setImmediate();
    }
    // What the buffers of both sockets hold, and no more.
    expect(sent).toBeLessThan(32 * KB * KB);
    expect(received).toBe('');
    open();
    await expect.poll(() => statusesOf(received).length).toBeGreaterThan(2_000);
    socket.destroy();
  });

  it('are disconnected if too many wait over all connections', async () => {
    const { open, opened } = gate();
    await using server = await startTestServer({ memories: (real) => waiting(real, 'list', () => opened) });
    const sockets = Array.from({ length: 12 }, () => connect(server.port, '127.0.0.1'));
    for (const socket of sockets)
      socket.on('error', () => undefined).write(get('/api/list') + 'GET /healthz HTTP/1.1\r\n\r\n'.repeat(10_000));
    await expect.poll(() => sockets.filter(({ destroyed }) => destroyed).length).toBeGreaterThan(0);
    expect(sockets.filter(({ destroyed }) => !destroyed).length).toBeGreaterThan(0);
    open();
    expect((await server.call('GET', '/healthz')).status).toBe(200);
    for (const socket of sockets) socket.destroy();
  });

  it('before an invalid one are answered, and those after it are not', async () => {
    await using server = await startTestServer();
    const body = JSON.stringify({ content: 'Saved before the invalid request' });
    const save = head('/api/save', ['Content-Type: application/json', `Content-Length: ${body.length}`]) + body;
    const unfinished = head('/api/save', ['Content-Type: application/json', 'Transfer-Encoding: chunked']);
    for (const invalid of ['broken\r\n\r\n', `${unfinished}zz\r\n`]) {
      const text = await rawExchange(server.port, [get('/api/list') + save + invalid + get('/api/list')]);
      expect(statusesOf(text)).toEqual(['200', '200', '400']);
      expect((await server.app.memories.list({})).total).toBe(1);
    }
  });

  it('are answered intact before malformed bytes', async () => {
    const { open, opened } = gate();
    await using server = await startTestServer({
      memories: (real) => new Proxy(real, { get: (target, name): unknown => (name === 'export' ? halting : Reflect.get(target, name)) }),
    });
    async function* halting() {
      yield { id: 'x', content: 'z'.repeat(100 * KB) };
      await opened;
    }
    const socket = connect(server.port, '127.0.0.1');
    const received: Buffer[] = [];
    socket.on('data', (chunk) => received.push(chunk)).on('error', () => undefined);
    socket.write(get('/api/export') + get('/healthz'));
    await once(socket, 'data');
    socket.write('broken\r\n\r\n');
    await expect.poll(() => server.logged.some(({ msg }) => msg === 'broken request')).toBe(true);
    open();
    await once(socket, 'close');
    const text = Buffer.concat(received).toString();
    expect(statusesOf(text)).toEqual(['200', '200', '400']);
    expect(text.indexOf('HTTP/1.1 200', 1)).toBeGreaterThan(text.indexOf('zzz'));
  });
});
