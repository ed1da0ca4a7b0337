import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openCli, type Cli, type Served } from '../helpers/cli.ts';
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

/** Somebody else is served as if nothing was. */
async function expectServed(url: string): Promise<void> {
  expect((await call(url, 'POST', '/api/save', { content: 'a note of somebody else', namespace: 'faults' })).status).toBe(200);
  const { status, body } = await call(url, 'POST', '/api/recall', { query: 'somebody', namespace: 'faults' });
  expect([status, (body['results'] as unknown[]).length]).toEqual([200, 1]);
}

function expectBounded({ pid }: Served): void {
  expect(peakRss(pid)).toBeLessThan(RSS_LIMIT);
}

const HEAD = 'Host: 127.0.0.1\r\nContent-Type: application/json\r\n';

describe('a server', { timeout: 120_000 }, () => {
  it('takes many large bodies at once within its memory', async () => {
    const server = await serve();
    const content = 'words that take their time to be read and kept '.repeat(9 * 21_000).slice(0, 9 * MIB);
    const big = Array.from({ length: 12 }, async (_, n) =>
      call(server.url, 'POST', '/api/search', { query: `${n} ${content}`, namespace: 'faults' }).then(
        ({ status }) => status,
        () => 0,
      ),
    );
    await expectServed(server.url);
    for (const status of await Promise.all(big)) expect([200, 400, 413, 503]).toContain(status);
    await expectServed(server.url);
    expectBounded(server);
    expect((await server.stop()).code).toBe(0);
  });

  it('refuses an upload that does not end after the limit, and closes it', async () => {
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

  it('answers a million brackets with 400 and lives on', async () => {
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

  it('serves others beside clients that send slowly, stop in the middle or never read, and cuts those', async () => {
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
      socket.write('GET /api/export HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'.repeat(50));
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

  it('holds 500 connections and goes on to serve, and those beyond server.maxConnections do not hurt it', async () => {
    const server = await serve();
    await Promise.all(Array.from({ length: 500 }, () => open(server.url)));
    await expectServed(server.url);
    const further = await Promise.all(Array.from({ length: 60 }, () => open(server.url)));
    await expect.poll(() => further.some(({ destroyed }) => destroyed), { timeout: 20_000 }).toBe(true);
    for (const socket of sockets.splice(0)) socket.destroy();
    await expect
      .poll(
        () =>
          expectServed(server.url).then(
            () => true,
            () => false,
          ),
        { timeout: 20_000 },
      )
      .toBe(true);
    expectBounded(server);
    expect((await server.stop()).code).toBe(0);
  });
});
