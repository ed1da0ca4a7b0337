import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EntryPage } from '../../src/memory/operations/operations.ts';
import { openCliInProcess, type CliInProcess } from '../helpers/cli-in-process.ts';
import { failureOf } from '../helpers/failure.ts';
import { startMcp, type McpProcess } from '../helpers/mcp.ts';
import { modern } from '../helpers/mcp-modern.ts';

let cli: CliInProcess;
let store: string;
beforeEach(async () => {
  cli = await openCliInProcess();
  store = join(cli.home, 'store');
});
afterEach(() => cli[Symbol.asyncDispose]());

const mcp = (args: readonly string[] = [], options: Parameters<typeof startMcp>[2] = {}): Promise<McpProcess> =>
  startMcp(cli, args, { ...options, env: { SERVICE_STORAGE_PATH: store, ...options.env } });
const run = (args: readonly string[]) => cli.run(args, { env: { SERVICE_STORAGE_PATH: store } });
const holder = async (): Promise<{ pid: number; yields?: true; url?: string }> =>
  JSON.parse(await readFile(join(store, 'lore.lock'), 'utf8')) as { pid: number };

const initialize = (capabilities: object = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities, clientInfo: { name: 'test', version: '1' } },
});
const INITIALIZED = { jsonrpc: '2.0', method: 'notifications/initialized' };
const callOf = (name: string, args: Record<string, unknown> = {}) => ({
  jsonrpc: '2.0',
  id: 2,
  method: 'tools/call',
  params: { name, arguments: args },
});
const linesOf = (...messages: readonly object[]): string => messages.map((message) => `${JSON.stringify(message)}\n`).join('');

interface Asked {
  readonly args?: readonly string[];
  readonly env?: Record<string, string>;
  /** Of the client. */
  readonly capabilities?: object;
}

/** What a tool answers a client that asks just this and closes its input; runs in this process. */
async function answerTo(question: ReturnType<typeof callOf>, { args = [], env = {}, capabilities }: Asked): Promise<unknown> {
  const input = linesOf(initialize(capabilities), INITIALIZED, question);
  const { code, stdout } = await cli.run(['mcp', ...args], { input, env });
  expect(code).toBe(0);
  const answers = stdout.split('\n').filter((line) => line.includes('"result"'));
  return answers.map((line) => JSON.parse(line) as { id: number; result: unknown }).find(({ id }) => id === question.id)?.result;
}
const refusal = (words: unknown) => ({ isError: true, content: [{ text: words }] });

describe('mcp', () => {
  it('saves and recalls for a client, and exits with 0 without remains when its input ends', async () => {
    const client = await mcp();
    expect((await client.client.listTools()).tools).toHaveLength(6);
    const { id } = await client.call<{ id: string }>('memory_save', { content: 'The tea is in the kitchen' });
    expect(await client.call('memory_recall', { query: 'where is the tea' })).toMatchObject({ results: [{ id }] });
    // That of the working directory.
    expect(await client.call('memory_health')).toMatchObject({ namespace: expect.stringMatching(/^project-[0-9a-f]{8}$/) });
    expect(await client.end()).toEqual({ code: 0, signal: null });
    expect(client.stderr()).toBe('');
    expect(await failureOf(holder())).toMatchObject({ code: 'ENOENT' });
    expect((await run(['list', '--json'])).json<EntryPage>().entries).toMatchObject([{ id, source: 'mcp' }]);
  });

  it('speaks revision 2026-07-28 to a client that starts with it, and 2025-11-25 to one that falls back', async () => {
    const discover = modern(1, 'server/discover');
    const call = modern(2, 'tools/call', { name: 'memory_save', arguments: { content: 'Tea' } });
    const lines = async (messages: readonly object[]): Promise<object[]> => {
      const child = cli.spawn(['mcp'], { env: { SERVICE_STORAGE_PATH: store } });
      child.stdin.end(linesOf(...messages));
      return (await text(child.stdout))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as object);
    };
    expect(await lines([discover, call])).toMatchObject([
      { id: 1, result: { supportedVersions: ['2026-07-28'], instructions: expect.stringContaining('memory_context'), ttlMs: 3_600_000 } },
      { id: 2, result: { resultType: 'complete', structuredContent: { status: 'stored' } } },
    ]);
    const first = initialize();
    const again = { ...first, id: 3, params: { ...first.params, protocolVersion: '2025-11-25' } };
    const recall = { jsonrpc: '2.0', id: 4, method: 'tools/call', params: { name: 'memory_recall', arguments: {} } };
    expect(await lines([discover, again, INITIALIZED, recall])).toMatchObject([
      { id: 1, result: { supportedVersions: ['2026-07-28'] } },
      { id: 3, result: { protocolVersion: '2025-11-25', serverInfo: { name: 'lore' } } },
      { id: 4, result: { structuredContent: { total: 1 } } },
    ]);
  });

  it('opens the store at the first request, and answers requests received before its input ended', async () => {
    const child = cli.spawn(['mcp'], { env: { SERVICE_STORAGE_PATH: store } });
    child.stdin.write(linesOf(initialize(), { jsonrpc: '2.0', id: 3, method: 'tools/list' }));
    let out = '';
    for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
      out += String(chunk);
      if (out.split('\n').length > 2) break;
    }
    expect(await failureOf(holder())).toMatchObject({ code: 'ENOENT' });
    child.stdin.end(linesOf(INITIALIZED, callOf('memory_save', { content: 'Tea' })));
    out += await text(child.stdout);
    const answers = out.trim().split('\n');
    expect(answers.map((line) => JSON.parse(line) as object)).toMatchObject([
      { id: 1, result: { serverInfo: { name: 'lore' } } },
      { id: 3, result: { tools: expect.any(Array) } },
      { id: 2, result: { structuredContent: { status: 'stored' } } },
    ]);
  });

  it('exits with 0 on SIGTERM and releases the store', async () => {
    const client = await mcp();
    await client.call('memory_save', { content: 'Tea' });
    expect(await endBy(client, 'SIGTERM')).toEqual([0, null]);
    expect(await failureOf(holder())).toMatchObject({ code: 'ENOENT' });
  });

  it('ends when its parent process is gone, even if its input stays open', async () => {
    const script = `const { spawn } = require('node:child_process');
      const child = spawn(process.execPath, process.argv.slice(1), { stdio: [3, 4, 'ignore'], detached: true });
      console.log(child.pid);`;
    const bin = new URL('../../bin/run.js', import.meta.url).pathname;
    const parent = spawn(process.execPath, ['-e', `${script} setInterval(() => {}, 1000);`, bin, 'mcp'], {
      cwd: cli.cwd,
      env: { PATH: process.env['PATH'], HOME: cli.home, SERVICE_STORAGE_PATH: store },
      stdio: ['ignore', 'pipe', 'inherit', 'pipe', 'pipe'],
    });
    const pid = Number(String(((await once(parent.stdout!, 'data')) as [Buffer])[0]));
    expect(isRunning(pid)).toBe(true);
    // It has to be up, or it would not know its parent.
    (parent.stdio[3] as Writable).write(`${JSON.stringify(initialize())}\n`);
    await once(parent.stdio[4]!, 'data');
    parent.kill('SIGKILL');
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  it('refuses an invalid namespace before it answers', async () => {
    const { code, stdout, stderr } = await run(['mcp', '--namespace', ' ']);
    expect([code, stdout]).toEqual([5, '']);
    expect(stderr).toContain('--namespace must not be blank');
  });
});

async function endBy({ child }: McpProcess, signal: NodeJS.Signals): Promise<readonly [number | null, NodeJS.Signals | null]> {
  const exit = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  child.kill(signal);
  return await exit;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('the namespace of mcp', () => {
  const namespaceOf = async (client: McpProcess): Promise<string> => (await client.call<{ namespace: string }>('memory_health')).namespace;

  it('follows the working folder that the client reports, with the settings of its project file', async () => {
    const [plain, set] = [join(cli.home, 'my plain project'), join(cli.home, 'set')];
    await Promise.all([mkdir(plain), mkdir(set)]);
    await writeFile(join(set, 'lore.config.json'), '{ "memory": { "namespace": "team/walrus" } }');
    const roots = [pathToFileURL(plain).href];
    await using client = await mcp([], { roots });
    expect(await namespaceOf(client)).toMatch(/^my plain project-[0-9a-f]{8}$/);
    roots[0] = pathToFileURL(set).href;
    await client.client.sendRootsListChanged();
    expect(await namespaceOf(client)).toBe('team/walrus');
  });

  it('is CLAUDE_PROJECT_DIR, whatever else the client reports', async () => {
    const project = join(cli.home, 'told');
    await mkdir(project);
    await writeFile(join(project, 'lore.config.json'), '{ "memory": { "namespace": "team/walrus" } }');
    const roots = [pathToFileURL(cli.home).href];
    await using client = await mcp([], { roots, env: { CLAUDE_PROJECT_DIR: project } });
    expect(await namespaceOf(client)).toBe('team/walrus');
    await using astray = await mcp([], { env: { CLAUDE_PROJECT_DIR: join(cli.home, 'gone') } });
    expect(await namespaceOf(astray)).toMatch(/^project-[0-9a-f]{8}$/);
  });

  it('is the one on the command line, whatever the client reports', async () => {
    const asked = {
      args: ['--namespace', 'owner/repo'],
      env: { SERVICE_STORAGE_PATH: store },
      capabilities: { roots: { listChanged: true } },
    };
    const saved = await answerTo(callOf('memory_save', { content: 'Tea' }), asked);
    expect(saved).toMatchObject({ structuredContent: { namespace: 'owner/repo' } });
  });
});

describe('mcp with other processes', () => {
  it('lets commands use its open store, until SIGINT ends it', async () => {
    await using client = await mcp();
    await client.call('memory_save', { content: 'The tea is in the kitchen' });
    expect(await holder()).toMatchObject({ pid: client.child.pid, yields: true });
    expect((await run(['recall', 'tea', '--json'])).json()).toMatchObject({
      results: [{ entry: { content: 'The tea is in the kitchen' } }],
    });
    expect((await run(['save', 'The coffee is in the cellar'])).code).toBe(0);
    expect(await client.call('memory_recall', { query: 'coffee' })).toMatchObject({
      results: [{ content: 'The coffee is in the cellar' }],
    });
    expect(await endBy(client, 'SIGINT')).toEqual([0, null]);
    expect(await failureOf(holder())).toMatchObject({ code: 'ENOENT' });
  });

  it('uses a running server', async () => {
    const served = await cli.serveHere({ SERVICE_STORAGE_PATH: store, SERVICE_API_KEY: 'secret' });
    await using client = await mcp();
    await client.call('memory_save', { content: 'The tea is in the kitchen' });
    expect(await holder()).toMatchObject({ pid: served.pid });
    const [args, search] = [['--url', served.url], callOf('memory_search', { query: 'tea' })];
    expect(await answerTo(search, { args, env: { SERVICE_API_KEY: 'secret' } })).toMatchObject({
      structuredContent: { results: [{ content: 'The tea is in the kitchen' }] },
    });
    expect(await answerTo(search, { args })).toMatchObject(refusal(expect.stringContaining('API key')));
  });

  it('hands the store to a starting server, uses it there, and takes it back when the server ends', async () => {
    await using client = await mcp();
    const { id } = await client.call<{ id: string }>('memory_save', { content: 'Fact 0' });
    const serving = cli.serve([], { env: { SERVICE_STORAGE_PATH: store } });
    let saved = 1;
    for (let server: unknown; server === undefined; saved += 1) {
      await client.call('memory_save', { content: `Fact ${saved}` });
      server = await Promise.race([serving, Promise.resolve()]);
    }
    const served = await serving;
    expect(await holder()).toMatchObject({ pid: served.pid });
    expect(await (await fetch(`${served.url}/api/${id}`)).json()).toMatchObject({ success: true });
    await client.call('memory_save', { content: 'The coffee is in the cellar' });
    expect((await served.stop()).code).toBe(0);
    expect((await client.call<{ total: number }>('memory_list')).total).toBe(saved + 1);
    expect(await holder()).toMatchObject({ pid: client.child.pid, yields: true });
  });

  it('closes the store while a backup is restored, and continues with the restored store', async () => {
    await using client = await mcp();
    const { id } = await client.call<{ id: string }>('memory_save', { content: 'Before the backup' });
    const { name } = (await run(['backup', 'now', '--json'])).json<{ name: string }>();
    await client.call('memory_save', { content: 'After the backup' });
    expect(await run(['backup', 'restore', name, '--yes'])).toMatchObject({ code: 0, stderr: '' });
    expect(await client.call('memory_list')).toMatchObject({ total: 1, entries: [{ id }] });
    expect(await holder()).toMatchObject({ pid: client.child.pid });
    const [kept] = (await readdir(cli.home)).filter((file) => file.startsWith('store.before-restore-'));
    expect((await readdir(join(cli.home, kept!))).filter((file) => file.startsWith('lore.lock'))).toEqual([]);
  });

  it('reports what is wrong with a store that cannot be opened', async () => {
    await writeFile(store, 'a file in the place of the folder');
    const words = expect.stringMatching(/store folder .* cannot be used\. .*lore doctor/) as unknown;
    expect(await answerTo(callOf('memory_list'), { env: { SERVICE_STORAGE_PATH: store, SERVICE_LOG_LEVEL: 'silent' } })).toMatchObject(
      refusal(words),
    );
  });
});
