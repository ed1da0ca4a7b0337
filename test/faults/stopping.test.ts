import { once } from 'node:events';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openCli, type Cli, type Served } from '../helpers/cli.ts';
import { Acknowledged, call, exported } from './server-calls.ts';

const CLIENTS = 32;
const STOP_LIMIT_MS = 10_000;
/** However busy the machine is, an answer that takes longer never comes. */
const ANSWER_MS = 30_000;

let cli: Cli;
beforeEach(async () => {
  cli = await openCli();
});
afterEach(() => cli[Symbol.asyncDispose]());

const store = (): string => join(cli.home, 'store');
const serve = (): Promise<Served> => cli.serve([], { env: { SERVICE_STORAGE_PATH: store() } });

interface Load {
  readonly kept: Acknowledged;
  /** Answers that began and did not end. */
  readonly cut: string[];
  /** Resolves when no client gets an answer any more. */
  readonly over: Promise<unknown>;
}

/** This many clients that save without a pause until the server is gone. */
function load(url: string): Load {
  const kept = new Acknowledged();
  const cut: string[] = [];
  const client = async (nth: number): Promise<void> => {
    for (let n = 0; ; n += 1) {
      const content = `client ${nth} note ${n}`;
      const outcome = await saveRaw(url, content);
      if (outcome === 'gone') return;
      if (outcome === 'cut') cut.push(content);
      else if (outcome.id === undefined) return;
      else kept.saved.set(outcome.id, content);
    }
  };
  return { kept, cut, over: Promise.all(Array.from({ length: CLIENTS }, (_, nth) => client(nth))) };
}

/** `gone`: no answer came; `cut`: it ended in the middle. */
function saveRaw(url: string, content: string): Promise<{ id: string | undefined } | 'gone' | 'cut'> {
  return new Promise((resolve) => {
    const sent = request(new URL('/api/save', url), { method: 'POST', headers: { 'content-type': 'application/json' } }, (response) => {
      response.once('error', () => resolve('cut'));
      void text(response).then(
        (body) => {
          const isWhole = response.complete && Buffer.byteLength(body) === Number(response.headers['content-length']);
          if (!isWhole) resolve('cut');
          else resolve({ id: (JSON.parse(body) as { ids?: string[] }).ids?.[0] });
        },
        () => resolve('cut'),
      );
    });
    sent.once('error', () => resolve('gone'));
    sent.setTimeout(ANSWER_MS, () => {
      resolve('cut');
      sent.destroy();
    });
    sent.end(JSON.stringify({ content, namespace: 'faults' }));
  });
}

async function untilSaved({ kept }: Load, entries: number): Promise<void> {
  await expect.poll(() => kept.saved.size, { timeout: 60_000, interval: 20 }).toBeGreaterThan(entries);
}

describe('a server that is told to stop', { timeout: 120_000 }, () => {
  it('under the load of 32 clients finishes what it accepted, cuts no answer and ends with 0 within ten seconds', async () => {
    const server = await serve();
    const under = load(server.url);
    await untilSaved(under, 300);
    const at = performance.now();
    expect(await server.stop()).toEqual({ code: 0, signal: null });
    expect(performance.now() - at).toBeLessThan(STOP_LIMIT_MS + 2_000);
    await under.over;
    expect(under.cut).toEqual([]);
    expect(under.kept.differences(await exported(cli, store()))).toEqual([]);
  });

  it('in the middle of a backup and an optimize leaves neither half done', async () => {
    const server = await serve();
    const under = load(server.url);
    await untilSaved(under, 300);
    const backup = call(server.url, 'POST', '/api/backups').catch(() => undefined);
    const compaction = call(server.url, 'POST', '/api/compact', {}).catch(() => undefined);
    expect(await server.stop()).toEqual({ code: 0, signal: null });
    await Promise.all([under.over, backup, compaction]);
    expect(under.cut).toEqual([]);
    const env = { SERVICE_STORAGE_PATH: store() };
    const { backups } = (await cli.run(['backup', 'list', '--json'], { env })).json<{ backups: { name: string }[] }>();
    for (const { name } of backups) expect(await cli.run(['backup', 'verify', name], { env })).toMatchObject({ code: 0 });
    expect(under.kept.differences(await exported(cli, store()))).toEqual([]);
  });

  it('in the middle of an import keeps the lines that it acknowledged', async () => {
    const server = await serve();
    const sent = request(new URL('/api/import', server.url), { method: 'POST', headers: { 'content-type': 'application/x-ndjson' } });
    sent.on('error', () => undefined);
    const answered = new Promise<string>((resolve) => {
      sent.once('close', () => resolve(''));
      sent.once('response', (response) => {
        let body = '';
        response.on('data', (chunk) => {
          body += String(chunk);
        });
        response.once('error', () => undefined);
        response.once('close', () => resolve(body));
      });
    });
    const gone = new AbortController();
    const feed = (async () => {
      for (let n = 0; !gone.signal.aborted; n += 1) {
        sent.write(`${JSON.stringify({ content: `imported line ${n}`, namespace: 'faults' })}\n`);
        if (n % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
        if (n % 500 === 0) await new Promise((resolve) => setTimeout(resolve, 20));
      }
    })();
    await expect
      .poll(async () => (await call(server.url, 'GET', '/api/health')).body['totalMemories'] ?? (await totalOf(server.url)), {
        timeout: 60_000,
      })
      .toBeGreaterThan(100);
    expect(await server.stop()).toEqual({ code: 0, signal: null });
    gone.abort();
    await feed;
    sent.destroy();
    const ids = [...(await answered).matchAll(/"status":"stored"[^\n]*?"id":"([^"]+)"|"id":"([^"]+)"[^\n]*?"status":"stored"/g)].map(
      ([, first, second]) => first ?? second,
    );
    const found = new Set((await exported(cli, store())).map(({ id }) => id));
    expect(found.size).toBeGreaterThan(100);
    expect(ids.filter((id) => id !== undefined && !found.has(id))).toEqual([]);
  });

  it('twice under load ends at once, and what it acknowledged is there', async () => {
    const server = await serve();
    const under = load(server.url);
    await untilSaved(under, 100);
    server.child.kill('SIGTERM');
    server.child.kill('SIGINT');
    if (server.child.exitCode === null) await once(server.child, 'exit');
    expect([0, 1]).toContain(server.child.exitCode);
    await under.over;
    expect(under.kept.differences(await exported(cli, store()))).toEqual([]);
  });
});

async function totalOf(url: string): Promise<number> {
  const { body } = await call(url, 'GET', '/api/list?namespace=faults&limit=1');
  return Number(body['total'] ?? 0);
}
