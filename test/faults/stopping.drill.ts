import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openCli, type Cli, type Served } from '../helpers/cli.ts';
import { Acknowledged, call, exported, openImport, storedIds } from './server-calls.ts';

const CLIENTS = 32;
/** However busy the machine is, an answer that takes longer never comes. */
const ANSWER_MS = 30_000;
/** The same of everything else that is waited for. */
const WAIT_MS = 60_000;
/** A server that is told to stop and is there so long after never ends. */
const HANGING_MS = 30_000;
/** What is to be caught while it lasts is looked for so often. */
const LOOK_MS = 2;

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
  /** What the clients were told that are not served any more. */
  readonly refused: string[];
  /** Resolves when no client gets an answer any more. */
  readonly over: Promise<unknown>;
}

/** This many clients that save without a pause until the server is gone. */
function load(url: string): Load {
  const kept = new Acknowledged();
  const cut: string[] = [];
  const refused: string[] = [];
  const client = async (nth: number): Promise<void> => {
    for (let n = 0; ; n += 1) {
      const content = `client ${nth} note ${n}`;
      const outcome = await saveRaw(url, content);
      if (outcome === 'gone') return;
      if (outcome === 'cut') cut.push(content);
      else if (outcome.id !== undefined) kept.saved.set(outcome.id, content);
      else {
        refused.push(outcome.body);
        return;
      }
    }
  };
  return { kept, cut, refused, over: Promise.all(Array.from({ length: CLIENTS }, (_, nth) => client(nth))) };
}

/** `gone`: no answer came; `cut`: it ended in the middle. */
function saveRaw(url: string, content: string): Promise<{ id: string | undefined; body: string } | 'gone' | 'cut'> {
  return new Promise((resolve) => {
    const sent = request(new URL('/api/save', url), { method: 'POST', headers: { 'content-type': 'application/json' } }, (response) => {
      response.once('error', () => resolve('cut'));
      void text(response).then(
        (body) => {
          const isWhole = response.complete && Buffer.byteLength(body) === Number(response.headers['content-length']);
          if (!isWhole) resolve('cut');
          else resolve({ id: (JSON.parse(body) as { ids?: string[] }).ids?.[0], body });
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

/** Looks until it is so. Rejects, in words, where that takes too long. */
async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const limit = performance.now() + WAIT_MS;
  while (!(await isSo())) {
    if (performance.now() > limit) throw new Error(`It did not come about within ${WAIT_MS / 1000} s that ${what}.`);
    await sleep(LOOK_MS);
  }
}

async function untilSaved({ kept, refused }: Load, entries: number): Promise<void> {
  await until(`${entries} saves are acknowledged`, () => {
    if (refused.length === CLIENTS) throw new Error(`No client is served any more: ${refused[0]}`);
    return kept.saved.size > entries;
  });
}

/** Rejects, in words, where the process does not end. */
async function ended<T>(end: Promise<T>): Promise<T> {
  const hanging = sleep(HANGING_MS, undefined, { ref: false }).then(() => {
    throw new Error(`The server was there ${HANGING_MS / 1000} s after it was told to stop.`);
  });
  return await Promise.race([end, hanging]);
}

async function expectOrderlyEnd(server: Served): Promise<void> {
  expect(await ended(server.stop())).toEqual({ code: 0, signal: null });
}

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

async function totalOf(url: string): Promise<number> {
  const { body } = await call(url, 'GET', '/api/list?namespace=faults&limit=1');
  return Number(body['total'] ?? 0);
}

/** One backup after the other, until the server takes no more. */
async function backUpAgainAndAgain(url: string): Promise<void> {
  let isTaken = true;
  while (isTaken) {
    isTaken = await call(url, 'POST', '/api/backups', {}).then(
      ({ status }) => status === 200,
      () => false,
    );
  }
}

describe('a stopping server', { timeout: 120_000 }, () => {
  it('under the load of 32 clients finishes accepted requests, cuts no response and exits with 0 within ten seconds', async () => {
    const server = await serve();
    const under = load(server.url);
    await untilSaved(under, 300);
    await expectOrderlyEnd(server);
    await under.over;
    expect(under.cut).toEqual([]);
    expect(under.kept.differences(await exported(cli, store()))).toEqual([]);
  });

  it('finishes a backup in progress', async () => {
    const server = await serve();
    const under = load(server.url);
    await untilSaved(under, 300);
    const backups = join(cli.home, 'backups', 'store');
    const asked = backUpAgainAndAgain(server.url);
    await until('a backup is being written', async () => (await namesIn(backups)).some((name) => name.endsWith('.partial')));
    await expectOrderlyEnd(server);
    await Promise.all([under.over, asked]);
    expect(under.cut).toEqual([]);
    const names = await namesIn(backups);
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => name.endsWith('.partial'))).toEqual([]);
    const env = { SERVICE_STORAGE_PATH: store() };
    for (const name of names) expect(await cli.run(['backup', 'verify', name], { env })).toMatchObject({ code: 0 });
    expect(under.kept.differences(await exported(cli, store()))).toEqual([]);
  });

  it('loses nothing of an optimize in progress and opens again', async () => {
    const server = await serve();
    const under = load(server.url);
    await untilSaved(under, 300);
    // The journal of what is being written to the table is dropped when that is done; meanwhile there is a second one.
    await until('an optimize is under way', async () => (await namesIn(join(store(), 'journal'))).length > 1);
    await expectOrderlyEnd(server);
    await under.over;
    expect(under.cut).toEqual([]);
    expect(under.kept.differences(await exported(cli, store()))).toEqual([]);
  });

  it('keeps the acknowledged lines of an import in progress', async () => {
    const server = await serve();
    const sent = openImport(server.url);
    const gone = new AbortController();
    const feed = (async () => {
      for (let n = 0; !gone.signal.aborted; n += 1) {
        await sent.send({ content: `imported line ${n}`, namespace: 'faults' });
        if (n % 500 === 0) await sleep(20);
      }
    })();
    await until('a hundred lines are stored', async () => (await totalOf(server.url)) > 100);
    await expectOrderlyEnd(server);
    gone.abort();
    await feed;
    const ids = storedIds(await sent.report);
    const found = new Set((await exported(cli, store())).map(({ id }) => id));
    expect(found.size).toBeGreaterThan(100);
    expect(ids.length).toBeGreaterThan(0);
    expect(ids.filter((id) => !found.has(id))).toEqual([]);
  });

  it('ends at once on a second signal, with all acknowledged writes', async () => {
    const server = await serve();
    const under = load(server.url);
    await untilSaved(under, 100);
    server.child.kill('SIGTERM');
    server.child.kill('SIGINT');
    if (server.child.exitCode === null) await ended(once(server.child, 'exit'));
    expect([0, 1]).toContain(server.child.exitCode);
    await under.over;
    expect(under.kept.differences(await exported(cli, store()))).toEqual([]);
  });
});
