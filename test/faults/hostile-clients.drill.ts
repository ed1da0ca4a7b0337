import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openCli, type Cli, type Served } from '../helpers/cli.ts';
import { readExposition, valueOf } from '../helpers/prometheus.ts';
import { startTestServer, type TestServer } from '../helpers/server.ts';
import { call } from './server-calls.ts';

const MIB = 1024 * 1024;
/** What a server may hold in memory here, whatever is sent to it: it starts with about 200 MiB, and 512 connections may send 10 MiB each. */
const RSS_LIMIT = 1024 * MIB;

let cli: Cli;
const sockets: Socket[] = [];
beforeEach(async () => {
  cli = await openCli();
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await cli[Symbol.asyncDispose]();
});

const serve = (env: Record<string, string> = {}): Promise<Served> => cli.serve([], { env });

/** The most that the process ever held, bytes; 0 where the system does not say. */
function peakRss(pid: number): number {
  if (process.platform !== 'linux') return 0;
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
}

async function open(url: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  sockets.push(socket);
  await once(socket, 'connect').catch(() => undefined);
  return socket;
}

function drainedOrClosed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      socket.off('drain', go).off('close', go);
      resolve();
    };
    socket.on('drain', go).on('close', go);
  });
}

/** Of the answer on this connection; 0 where it was closed without one. */
function statusOf(socket: Socket): Promise<number> {
  let heard = '';
  return new Promise((resolve) => {
    socket.on('data', (chunk) => {
      heard += String(chunk);
      const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(heard) ?? [];
      if (status !== undefined) resolve(Number(status));
    });
    socket.once('close', () => resolve(0));
  });
}

/** Somebody else is served as if nothing was. */
async function expectServed(url: string): Promise<void> {
  expect((await call(url, 'POST', '/api/save', { content: 'a note of somebody else', namespace: 'faults' })).status).toBe(200);
  const { status, body } = await call(url, 'POST', '/api/recall', { query: 'somebody', namespace: 'faults' });
  expect([status, (body['results'] as unknown[]).length]).toEqual([200, 1]);
}

async function expectServedSoon(url: string): Promise<void> {
  const isServed = (): Promise<boolean> =>
    expectServed(url).then(
      () => true,
      () => false,
    );
  await expect.poll(isServed, { timeout: 20_000 }).toBe(true);
}

function expectBounded({ pid }: Served): void {
  expect(peakRss(pid)).toBeLessThan(RSS_LIMIT);
}

const HEAD = 'Host: 127.0.0.1\r\nContent-Type: application/json\r\n';
/** Nearly all of a body as large as the server takes: what is in it costs nothing but memory. */
const SPACES = Buffer.alloc(9 * MIB, ' ');
/** More than the 256 MiB that it holds of bodies. */
const LARGE_SAVES = 36;

describe('a server', { timeout: 120_000 }, () => {
  it('accepts large bodies up to its memory limit, refuses others for now, and continues', async () => {
    const server = await serve();
    const clients = await Promise.all(Array.from({ length: LARGE_SAVES }, () => open(server.url)));
    const statuses = clients.map(statusOf);
    for (const [n, socket] of clients.entries()) {
      const start = Buffer.from(`{"content":"large note ${n}","namespace":"crowd"`);
      socket.write(`POST /api/save HTTP/1.1\r\n${HEAD}Content-Length: ${start.length + SPACES.length + 1}\r\n\r\n`);
      socket.write(start);
      socket.write(SPACES);
    }
    // While not one of them is whole.
    expect(await Promise.race(statuses)).toBe(503);
    for (const socket of clients) socket.write('}');
    expect([...new Set(await Promise.all(statuses))].toSorted((a, b) => a - b)).toEqual([200, 503]);
    for (const socket of clients) socket.destroy();
    await expectServedSoon(server.url);
    expectBounded(server);
    expect((await server.stop()).code).toBe(0);
  });

  it('aborts an endless upload after the limit', async () => {
    const server = await serve();
    const socket = await open(server.url);
    let answer = '';
    socket.on('data', (chunk) => {
      answer += String(chunk);
    });
    socket.write(`POST /api/save HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\n`);
    const piece = Buffer.from(`10000\r\n${'x'.repeat(65_536)}\r\n`);
    let sent = 0;
    while (!socket.destroyed && sent < 1024 * MIB) {
      sent += 65_536;
      if (!socket.write(piece)) await drainedOrClosed(socket);
    }
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    // The limit, what a refused client may still send, and what the sockets hold.
    expect(sent).toBeLessThan(64 * MIB);
    await expectServed(server.url);
    expectBounded(server);
  });

  it('answers a million brackets with 400 and continues', async () => {
    const server = await serve();
    const deep = `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`;
    for (const body of [
      deep,
      `{"content":${deep}}`,
      `{"content":"x","tags":${deep}}`,
      `${'{"a":'.repeat(500_000)}1${'}'.repeat(500_000)}`,
    ]) {
      const headers = { 'content-type': 'application/json' };
      expect((await fetch(`${server.url}/api/save`, { method: 'POST', headers, body })).status).toBe(400);
    }
    await expectServed(server.url);
  });

  it('serves others while clients send slowly, stop, or never read, and drops those that do not send', async () => {
    const server = await serve({ SERVICE_SERVER_HEADERS_TIMEOUT_MS: '1000', SERVICE_SERVER_REQUEST_TIMEOUT_MS: '1500' });
    await expectServed(server.url);
    const slow: Socket[] = [];
    for (let n = 0; n < 40; n += 1) {
      const [headers, body, silent] = await Promise.all([open(server.url), open(server.url), open(server.url)]);
      headers.write(`GET /api/list HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: `);
      body.write(`POST /api/save HTTP/1.1\r\n${HEAD}Content-Length: 1000\r\n\r\n{"con`);
      slow.push(headers, body, silent);
    }
    const deaf = await Promise.all(Array.from({ length: 20 }, () => open(server.url)));
    for (const socket of deaf) {
      socket.pause();
      socket.write('GET /api/export HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'.repeat(10));
    }
    const drip = setInterval(() => {
      for (const socket of slow) if (!socket.destroyed) socket.write('a');
    }, 100);
    try {
      await expectServed(server.url);
      await expect.poll(() => slow.filter(({ destroyed }) => !destroyed).length, { timeout: 60_000 }).toBe(0);
      await expectServed(server.url);
    } finally {
      clearInterval(drip);
    }
    expectBounded(server);
    expect((await server.stop()).code).toBe(0);
  });

  it('serves with 500 open connections, and with more than server.maxConnections', async () => {
    const server = await serve();
    await Promise.all(Array.from({ length: 500 }, () => open(server.url)));
    await expectServed(server.url);
    const further = await Promise.all(Array.from({ length: 60 }, () => open(server.url)));
    await expect.poll(() => further.some(({ destroyed }) => destroyed), { timeout: 20_000 }).toBe(true);
    for (const socket of sockets.splice(0)) socket.destroy();
    await expectServedSoon(server.url);
    expectBounded(server);
    expect((await server.stop()).code).toBe(0);
  });
});

describe('a client that does not read', { timeout: 120_000 }, () => {
  const STALL_MS = 2_500;
  const DEAF = 20;
  const EXPORT = 'GET /api/export HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';
  const LIST = 'GET /api/list?limit=100 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';

  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ stallMs: STALL_MS });
    // Far more than the sockets between a server and a client hold.
    for (let n = 0; n < 20; n += 1) await server.save(`large note ${n} ${' '.repeat(MIB)} to its end`);
  }, 120_000);
  afterAll(() => server.close());

  const inFlight = async (): Promise<number | undefined> =>
    valueOf(readExposition((await server.call('GET', '/metrics')).text), 'lore_http_requests_in_flight');
  const linesOf = (path: string): Record<string, unknown>[] => server.logged.filter((line) => line['path'] === path);

  it('is disconnected, and its requests are cancelled', async () => {
    const before = await inFlight();
    for (let n = 0; n < DEAF; n += 1) {
      const socket = await open(server.url);
      socket.pause();
      // Some ask on without having read anything: that is not looked at before its turn, which never comes.
      socket.write(n % 4 === 0 ? LIST : EXPORT.repeat(3));
    }
    await expect.poll(() => linesOf('/api/list').length, { timeout: 60_000 }).toBe(DEAF / 4);
    await expect.poll(() => linesOf('/api/export').filter(({ aborted }) => aborted === true).length, { timeout: 60_000 }).toBe(DEAF * 0.75);
    expect(await inFlight()).toBe(before);
    expect(server.logged.filter(({ level }) => Number(level) >= 50)).toEqual([]);
    await expectServed(server.url);
  });

  it('for less than the limit gets the whole response', async () => {
    const socket = await open(server.url);
    socket.write(EXPORT.replace('\r\n\r\n', '\r\nConnection: close\r\nx-request-id: slow\r\n\r\n'));
    let [received, pauses] = [0, 0];
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      received += chunk.length;
      if (received < (pauses + 1) * 3 * MIB) continue;
      pauses += 1;
      await sleep(700);
    }
    // Longer in all than it may stand still.
    expect(pauses * 700).toBeGreaterThan(STALL_MS);
    expect(received).toBeGreaterThan(20 * MIB);
    await expect.poll(() => linesOf('/api/export').find(({ requestId }) => requestId === 'slow')).not.toHaveProperty('aborted');
  });

  it('because nothing was sent yet is not disconnected', async () => {
    const late = (real: TestServer['app']['memories']) => async () => {
      await sleep(500);
      return await real.namespaces();
    };
    await using busy = await startTestServer({
      stallMs: 100,
      memories: (real) =>
        new Proxy(real, { get: (target, name): unknown => (name === 'namespaces' ? late(target) : Reflect.get(target, name)) }),
    });
    expect((await busy.call('GET', '/api/namespaces')).status).toBe(200);
  });
});
