import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect as connectTo, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connect } from '../../src/cli/connection.ts';
import { silentLog } from '../../src/memory/log.ts';
import type { EntryPage } from '../../src/memory/operations/operations.ts';
import { testConfig } from '../helpers/app.ts';
import type { Child } from '../helpers/cli.ts';
import { freePort } from '../drills/machine.ts';
import { openCliInProcess, type CliInProcess } from '../helpers/cli-in-process.ts';
import { failureOf } from '../helpers/failure.ts';

const WARN = 40;

let cli: CliInProcess;
beforeEach(async () => {
  cli = await openCliInProcess();
});
afterEach(() => cli[Symbol.asyncDispose]());

const list = async (): Promise<string[]> => (await cli.run(['list', '--json'])).json<EntryPage>().entries.map(({ content }) => content);

describe('serve', () => {
  it('prints its address, store, embedder and namespace, and logs only JSON, warnings included', async () => {
    const child = cli.spawn(['serve', '--port', '0'], { env: { SERVICE_PROT: '7007' } });
    const [stdout, stderr] = [text(child.stdout), text(child.stderr)];
    const url = await holderUrl();
    child.kill('SIGTERM');
    await once(child, 'exit');
    expect(await stdout).toMatch(
      new RegExp(
        `^Lore \\d+\\.\\d+\\.\\d+ is listening on ${url}\nAPI docs +${url}/docs\nStore +/.+\nEmbedder +builtin .+\nNamespace +project-[0-9a-f]{8} \\(.+\\)\n$`,
      ),
    );
    const lines = (await stderr).trimEnd().split('\n');
    const logged = lines.map((line) => JSON.parse(line) as { level: number; msg: string });
    const warnings = logged.filter(({ level }) => level === WARN).map(({ msg }) => msg);
    expect(warnings).toEqual([
      expect.stringContaining('SERVICE_PROT'),
      expect.stringContaining('no API key is set and CORS allows every origin'),
    ]);
    expect(logged.map(({ msg }) => msg)).toContain('stopping: finishing accepted requests');
  });

  /** The URL that `status` finds, as soon as the server is there. */
  async function holderUrl(): Promise<string> {
    for (;;) {
      const { server } = (await cli.run(['status', '--json'])).json<{ server: string | null }>();
      if (server !== null) return server;
    }
  }

  it('does not warn if a key is required', async () => {
    const served = await cli.serve([], { env: { SERVICE_API_KEY: 'secret' } });
    const stderr = text(served.child.stderr);
    expect((await fetch(`${served.url}/api/health`)).status).toBe(401);
    await served.stop();
    expect(await stderr).not.toContain('no API key');
  });

  it('finishes requests in progress on SIGTERM', async () => {
    const served = await cli.serve();
    const under = Array.from({ length: 30 }, (_, n) => save(served.url, `late ${n}`).catch(() => 0));
    // The first answer shows that the others are being worked on.
    await Promise.race(under);
    const stopped = served.stop();
    const acknowledged = (await Promise.all(under)).filter((status) => status === 200).length;
    expect((await stopped).code).toBe(0);
    expect((await cli.run(['list', '--json'])).json<EntryPage>().total).toBeGreaterThanOrEqual(acknowledged);
  });

  it('exits with 2 if another server has the store open, and names it', async () => {
    const { url, pid } = await cli.serveHere();
    const second = await cli.run(['serve', '--port', '0']);
    expect(second).toMatchObject({ code: 2, stdout: '' });
    expect(second.stderr).toContain(`process ${pid}`);
    expect(second.stderr).toContain(url);
  });

  it('exits with 4 if the port is taken, and leaves the store unlocked', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    expect(await cli.run(['serve', '--port', String(port)])).toMatchObject({ code: 4, stderr: expect.stringContaining(String(port)) });
    other.close();
    expect((await cli.run(['save', 'still free'])).code).toBe(0);
  });

  it('exits with 3 if it would be open to the network without a key', async () => {
    const { code, stderr } = await cli.run(['serve', '--port', '0', '--host', '0.0.0.0']);
    expect(code).toBe(3);
    expect(stderr).toContain('without an API key');
  });

  it('exits with 3 on a shared store if the namespace would come from a folder of this machine', async () => {
    const env = { SERVICE_STORAGE_PATH: 'az://memories/team', SERVICE_STORAGE_OPTIONS: 'account_name=nobody' };
    const { code, stderr } = await cli.run(['serve', '--port', '0'], { env });
    expect(code).toBe(3);
    expect(stderr).toMatch(
      /Several servers share this store, but the namespace project-[0-9a-f]{8} is named after a folder of this machine: \/.+/,
    );
    expect(stderr).toContain('SERVICE_MEMORY_NAMESPACE');
  });

  it('takes its port from SERVICE_PORT, answers the API, and serves commands from any folder in their namespace', async () => {
    const port = await freePort();
    const child = cli.spawn(['serve', '--json'], { env: { SERVICE_PORT: port } });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const url = `http://127.0.0.1:${port}`;
    expect(JSON.parse(String(line))).toMatchObject({
      url,
      docs: `${url}/docs`,
      embedder: { provider: 'builtin' },
      namespace: { namespace: expect.stringMatching(/^project-/) },
    });
    const health = (await (await fetch(`${url}/api/health`)).json()) as object;
    expect(health).toMatchObject({ success: true, status: 'healthy', config: { storageType: 'lancedb' } });
    await writeFile(join(cli.home, 'lore.config.json'), '{ "memory": { "namespace": "from-home" } }');
    await cli.run(['save', 'at home'], { cwd: cli.home });
    expect(await list()).toEqual([]);
    expect((await cli.run(['list', '--json'], { cwd: cli.home })).json<EntryPage>().entries).toMatchObject([{ namespace: 'from-home' }]);
  });

  it('recovers every acknowledged write after kill -9, and exits with 0 on SIGINT', async () => {
    const first = await cli.serve();
    for (const content of ['one', 'two', 'three']) expect(await save(first.url, content)).toBe(200);
    expect(await first.stop('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' });
    expect(await list()).toEqual(['three', 'two', 'one']);
    const second = await cli.serve();
    expect(await list()).toEqual(['three', 'two', 'one']);
    await Promise.all(Array.from({ length: 20 }, (_, n) => save(second.url, `text ${n}`)));
    expect(await second.stop('SIGINT')).toEqual({ code: 0, signal: null });
    expect((await cli.run(['list', '--json'])).json<EntryPage>().total).toBe(23);
  });

  it('accepts a new key of `auth generate-key` at run time and refuses a revoked one', async () => {
    const { url } = await cli.serve(['--verbose']);
    const key = (await cli.run(['auth', 'generate-key', '--name', 'k'])).stdout.trim();
    const status = async (headers: Record<string, string> = {}) => (await fetch(`${url}/api/list`, { headers })).status;
    await expect.poll(() => status(), { timeout: 10_000 }).toBe(401);
    expect(await status({ 'x-api-key': key })).toBe(200);
    // The command line beside it needs none: it can read the lock.
    expect((await cli.run(['list'])).code).toBe(0);
    // Any other server wants the key from the environment.
    expect((await cli.run(['list', '--url', url])).code).toBe(3);
    expect((await cli.run(['list', '--url', url], { env: { SERVICE_API_KEY: key } })).code).toBe(0);
    await cli.run(['auth', 'revoke', 'k']);
    await expect.poll(() => status({ 'x-api-key': key }), { timeout: 10_000 }).toBe(401);
  });
});

describe('serve with a request that never ends', () => {
  const hang = async (url: string): Promise<void> => {
    const socket = connectTo(Number(new URL(url).port), '127.0.0.1');
    socket.on('error', () => {});
    socket.write('POST /api/save HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{');
    await once(socket, 'connect');
    // Answered by a later connection: by then the server has seen this one.
    await fetch(`${url}/api/health`);
  };

  it('ends at once on a second signal', async () => {
    const served = await cli.serve(['--verbose']);
    await hang(served.url);
    served.child.kill('SIGINT');
    const ended = once(served.child, 'exit');
    // The port is closed as soon as the first signal was taken.
    await expect.poll(() => fetch(`${served.url}/healthz`).then(String, () => 'closed'), { timeout: 10_000 }).toBe('closed');
    served.child.kill('SIGINT');
    expect(await ended).toEqual([1, null]);
  });
});

describe('commands at the same time', () => {
  it('wait for one another instead of failing', async () => {
    const runs = await Promise.all([cli.process(['save', 'a']), cli.process(['save', 'b']), cli.run(['save', 'c'])]);
    expect(runs.map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, 'Saved.\n'],
      [0, 'Saved.\n'],
      [0, 'Saved.\n'],
    ]);
    expect((await list()).sort()).toEqual(['a', 'b', 'c']);
  });

  it('time out and name the process that has the store open, while a server waits for it', async () => {
    const holder = await openImport();
    const loaded = testConfig(cli.home, { 'storage.path': join(cli.home, '.local', 'share', 'lore', 'store') });
    const refused = await failureOf(connect(loaded, { log: silentLog, url: undefined, key: undefined, holderWaitMs: 200 }));
    expect(refused).toMatchObject({ code: 'filesystem', message: expect.stringContaining(`process ${holder.pid}`) });
    const starting = cli.serve();
    holder.stdin.end('{"content":"first"}\n');
    const { url } = await starting;
    expect(await save(url, 'second')).toBe(200);
    expect(await list()).toEqual(['second', 'first']);
  });

  /** A command that has the store open for as long as its input stays open. */
  async function openImport(): Promise<Child> {
    const child = cli.spawn(['import', '-', '--verbose']);
    // What the input is must be known first.
    child.stdin.write(
      '{"lore":{"format":1,"exportedAt":"2026-01-31T12:00:00.000Z","embedder":{"fingerprint":"none","width":1},"entries":1}}\n',
    );
    let stderr = '';
    child.stderr.on('data', (chunk) => {
      stderr += String(chunk);
    });
    await expect.poll(() => stderr, { timeout: 20_000 }).toContain('The store is open in this process.');
    return child;
  }
});

async function save(url: string, content: string): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}/api/save`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ content, namespace: await namespace(url) }),
  });
  await response.arrayBuffer();
  return response.status;
}

async function namespace(url: string): Promise<string> {
  const { config } = (await (await fetch(`${url}/api/health`)).json()) as { config: { namespace: string } };
  return config.namespace;
}
