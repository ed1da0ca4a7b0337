import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CaptureStats } from '../../src/memory/operations/capture-operations.ts';
import type { Ran } from '../helpers/cli.ts';
import { openCliInProcess, type CliInProcess } from '../helpers/cli-in-process.ts';
import { seed, storedContents } from '../helpers/cli-store.ts';

const DECISION = 'We decided to use Postgres instead of MySQL for the orders service.';

let cli: CliInProcess;
beforeEach(async () => {
  cli = await openCliInProcess();
});
afterEach(() => cli[Symbol.asyncDispose]());

const spool = (): string => path.join(cli.home, '.local', 'share', 'lore', 'capture', 'store.jsonl');
const spooled = async (): Promise<Record<string, unknown>[]> =>
  (await readFile(spool(), 'utf8').catch(() => ''))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const hook = (event: string, payload: unknown, client = 'claude'): Promise<Ran> =>
  cli.run(['hook', event, '--client', client], { input: typeof payload === 'string' ? payload : JSON.stringify(payload) });
/** The same in a process of its own, as a client starts it. */
const hookProcess = (event: string, payload: unknown): Promise<Ran> =>
  cli.process(['hook', event, '--client', 'claude'], { input: typeof payload === 'string' ? payload : JSON.stringify(payload) });
const prompt = (text: string, session = 's1') => ({ session_id: session, cwd: cli.cwd, hook_event_name: 'UserPromptSubmit', prompt: text });
const contents = (): Promise<string[]> => storedContents(cli);
const silent = { code: 0, stdout: '', stderr: '' };

describe('lore hook without a server', () => {
  it('queues the event for the next process, without secrets, and prints nothing', async () => {
    expect(await hook('UserPromptSubmit', prompt(`${DECISION} The token is ghp_abcdefghijklmnopqrstuvwxyz0123456789`))).toEqual(
      expect.objectContaining(silent),
    );
    const [event] = await spooled();
    expect(event).toMatchObject({ client: 'claude', session: 's1', event: 'prompt', cwd: cli.cwd });
    expect(event?.['text']).toContain('[redacted: github-token]');
    expect((await stat(spool())).mode & 0o777).toBe(0o600);
  });

  it('queues concurrent events of many hooks, one per line', async () => {
    const ran = await Promise.all(
      Array.from({ length: 3 }, (_, at) => hookProcess('UserPromptSubmit', prompt(`${at} ${'x'.repeat(9000)}`))),
    );
    for (const one of ran) expect(one).toEqual(expect.objectContaining(silent));
    expect((await spooled()).map(({ text }) => String(text).slice(0, 1)).toSorted()).toEqual(['0', '1', '2']);
    expect((await stat(spool())).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['no JSON', 'not json'],
    ['half of it', '{"session_id": "s1", "prompt": "We deci'],
    ['nothing', ''],
    ['an array', '[1, 2]'],
    ['null', 'null'],
    ['a payload of other types', '{"session_id": 5, "prompt": {"a": 1}, "cwd": []}'],
  ])('prints nothing and exits with 0 when it gets %s', async (_what, input) => {
    expect(await hook('UserPromptSubmit', input)).toEqual(expect.objectContaining(silent));
    expect(await spooled()).toEqual([]);
  });

  it.each([['Unheard'], [''], ['--unknown-flag']])('prints nothing and exits with 0 at the event %j', async (event) => {
    expect(await cli.run(['hook', event], { input: JSON.stringify({ session_id: 's1' }) })).toEqual(expect.objectContaining(silent));
  });

  it('prints nothing and exits with 0 if the event cannot be queued anywhere', async () => {
    const data = path.join(cli.home, '.local', 'share');
    await mkdir(data, { recursive: true });
    await writeFile(path.join(data, 'lore'), 'a file in the place of the folder');
    expect(await hook('UserPromptSubmit', prompt(DECISION))).toEqual(expect.objectContaining(silent));
  });

  it('prints nothing and exits with 0 with a broken lock file, a lock of a dead process, and a dangling link', async () => {
    const store = path.join(cli.home, '.local', 'share', 'lore', 'store');
    await mkdir(store, { recursive: true });
    const locks = [
      '{',
      '{}',
      JSON.stringify({ pid: 2 ** 22, token: 'x', url: 'http://127.0.0.1:1' }),
      JSON.stringify({ pid: process.pid, token: 'x', url: 'http://127.0.0.1:1' }),
    ];
    for (const lock of locks) {
      await writeFile(path.join(store, 'lore.lock'), lock);
      expect(await hook('UserPromptSubmit', prompt(DECISION))).toEqual(expect.objectContaining(silent));
    }
    expect(await spooled()).toHaveLength(locks.length);
  });

  it('queues the event in time if the server accepts it but never answers', async () => {
    const deaf = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1');
    await once(deaf, 'listening');
    const store = path.join(cli.home, '.local', 'share', 'lore', 'store');
    await mkdir(store, { recursive: true });
    const { port } = deaf.address() as AddressInfo;
    await writeFile(path.join(store, 'lore.lock'), JSON.stringify({ pid: process.pid, token: 'x', url: `http://127.0.0.1:${port}` }));
    expect(await hookProcess('UserPromptSubmit', prompt(DECISION))).toEqual(expect.objectContaining(silent));
    expect(await spooled()).toHaveLength(1);
    deaf.close();
  });

  it('queues the event while a command has the store open', async () => {
    const store = path.join(cli.home, '.local', 'share', 'lore', 'store');
    await mkdir(store, { recursive: true });
    await writeFile(path.join(store, 'lore.lock'), JSON.stringify({ pid: process.pid, token: 'x' }));
    expect(await hook('Stop', { session_id: 's1', last_assistant_message: 'Done.' })).toEqual(expect.objectContaining(silent));
    expect(await spooled()).toHaveLength(1);
  });

  it('reports an oversized event without its content', async () => {
    const payload = { session_id: 's1', tool_name: 'Bash', tool_response: 'x'.repeat(5 * 1024 * 1024) };
    expect(await hook('PostToolUse', payload)).toEqual(expect.objectContaining(silent));
    const [event] = await spooled();
    expect(event).toMatchObject({ event: 'tool', oversized: true });
    expect(JSON.stringify(event).length).toBeLessThan(500);
  });

  it('truncates long texts and keeps the line valid', async () => {
    await hook('PostToolUse', { session_id: 's1', tool_name: 'Bash', tool_response: '\u00e9\n'.repeat(100_000) });
    const [event] = await spooled();
    expect(String(event?.['output'])).toHaveLength(24_000);
  });

  it('does not wait for the end of its input', async () => {
    const child = cli.spawn(['hook', 'UserPromptSubmit']);
    child.stdin.write(JSON.stringify(prompt(DECISION)));
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect([code, (await spooled()).length]).toEqual([0, 1]);
  });

  it('exits with 0 and prints nothing if the rest of its input never comes', async () => {
    const child = cli.spawn(['hook', 'UserPromptSubmit']);
    const said = Promise.all([textOf(child.stdout), textOf(child.stderr)]);
    child.stdin.write('{"session_id": "s1", "prompt": "We deci');
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0);
    expect([await said, await spooled()]).toEqual([['', ''], []]);
  });

  it('lets Cursor continue with its prompt in every case', async () => {
    for (const input of [JSON.stringify({ conversation_id: 'c', prompt: 'x' }), 'no json']) {
      expect(await hook('beforeSubmitPrompt', input, 'cursor')).toMatchObject({ code: 0, stdout: '{"continue":true}\n', stderr: '' });
    }
  });

  it('stores nothing while capture is off', async () => {
    await writeFile(path.join(cli.cwd, 'lore.config.json'), '{"capture": {"enabled": false}}');
    expect(await hook('UserPromptSubmit', prompt(DECISION))).toEqual(expect.objectContaining(silent));
    expect(await spooled()).toEqual([]);
  });

  it('has help with examples', async () => {
    const help = await cli.run(['hook', '--help']);
    expect([help.code, help.stdout]).toEqual([0, expect.stringMatching(/Handle a hook event[^]*EXAMPLES[^]*--client/)]);
  });
});

describe('lore hook with a running server', () => {
  it('sends the event, and the server stores what is worth keeping', async () => {
    await cli.serve([], { env: { SERVICE_CAPTURE_WORKER_INTERVAL_MS: '100' } });
    expect(await hookProcess('UserPromptSubmit', prompt(DECISION))).toMatchObject({ code: 0, stderr: '' });
    await hook('PostToolUse', { session_id: 's1', cwd: cli.cwd, tool_name: 'Read', tool_input: { file_path: 'a' }, tool_response: 'text' });
    await expect.poll(contents, { timeout: 15_000 }).toEqual([DECISION]);
    const stats = async () => (await cli.run(['capture', 'stats', '--json'])).json<CaptureStats>();
    // Twice where the server took it too late for the hook to hear of it: what was laid down then is refused as what it is, once more.
    await expect.poll(async () => (await stats()).byReason['ignored tool'], { timeout: 15_000 }).toBeOneOf([1, 2]);
    expect(await spooled()).toEqual([]);
  });

  it('returns relevant context in the format of the client, and nothing if there is none', async () => {
    await cli.serveHere();
    await seed(cli, [{ content: 'We deploy with make ship; staging first.', tags: ['decision'] }]);
    const { stdout } = await hook('UserPromptSubmit', prompt('how do we deploy to staging?'));
    expect(JSON.parse(stdout)).toEqual({
      hookSpecificOutput: {
        hookEventName: 'UserPromptSubmit',
        additionalContext: expect.stringContaining('We deploy with make ship; staging first.'),
      },
    });
    expect((await hook('UserPromptSubmit', prompt('paint the fence green'))).stdout).toBe('');
    const start = await hook('sessionStart', { conversation_id: 'c', workspace_roots: [cli.cwd] }, 'cursor');
    expect(JSON.parse(start.stdout)).toEqual({ additional_context: expect.stringContaining('make ship') });
    const gemini = await hook('BeforeAgent', { ...prompt('how do we deploy to staging?', 's2'), hook_event_name: 'BeforeAgent' }, 'gemini');
    expect(JSON.parse(gemini.stdout)).toMatchObject({ hookSpecificOutput: { hookEventName: 'BeforeAgent' } });
    expect((await hook('Stop', { session_id: 's1', cwd: cli.cwd, last_assistant_message: 'Done.' })).stdout).toBe('');
  });

  it('loses nothing if the server is killed: the next one stores the event', async () => {
    const served = await cli.serve([], { env: { SERVICE_CAPTURE_WORKER_INTERVAL_MS: '600000' } });
    await hook('UserPromptSubmit', prompt(DECISION));
    await served.stop('SIGKILL');
    await hook('UserPromptSubmit', prompt('From now on all logs are JSON lines.', 's2'));
    await cli.serveHere({ SERVICE_CAPTURE_WORKER_INTERVAL_MS: '100' });
    await expect
      .poll(async () => (await contents()).toSorted(), { timeout: 15_000 })
      .toEqual(['From now on all logs are JSON lines.', DECISION]);
  });
});

describe.each([
  { where: 'without a server', serve: false },
  { where: 'beside a running server', serve: true },
])('lore capture $where', ({ serve }) => {
  it('shows stored and refused texts, and undoes a session', async () => {
    if (serve) await cli.serveHere({ SERVICE_CAPTURE_WORKER_INTERVAL_MS: '600000' });
    const nothing = serve
      ? /Since +nothing was captured yet\nKept +0 entries\nRefused +0\nContext +given 0 times\nWaiting +nothing\n/
      : /^There is no store at .+ yet. The first save creates it\.\n$/;
    expect((await cli.run(['capture', 'stats'])).stdout).toMatch(nothing);
    await hook('UserPromptSubmit', prompt('How is the weather in Oslo today?', 'first'));
    const waiting = serve ? /\nWaiting +\d+ bytes\n/ : /^There is no store .+\nWaiting \d+ bytes: /;
    expect((await cli.run(['capture', 'stats'])).stdout).toMatch(waiting);
    expect((await cli.run(['capture', 'sessions'])).stdout).toBe('No sessions yet.\n');
    await hook('UserPromptSubmit', prompt(DECISION, 'first'));
    await hook('UserPromptSubmit', prompt('Fix the failing test of the orders service.', 'first'));
    expect((await cli.run(['capture', 'stats'])).stdout).toMatch(/Waiting +\d+ bytes/);
    const dry = await cli.run(['capture', 'undo', 'first', '--dry-run']);
    expect([dry.code, dry.stdout]).toEqual([0, '1 entry would be archived.\n']);
    const stats = (await cli.run(['capture', 'stats', '--json'])).json<CaptureStats>();
    expect(stats).toMatchObject({ enabled: true, kept: 1, refused: 2, byKind: { decision: 1 }, byReason: { 'nothing to keep': 2 } });
    expect((await cli.run(['capture', 'sessions'])).stdout).toMatch(
      /^SESSION +CLIENT +NAMESPACE +LAST +KEPT +REFUSED\nfirst +claude +project-\w+ +.* +1 +2\n$/,
    );
    expect(await contents()).toEqual([DECISION]);
    const undone = await cli.run(['capture', 'undo', 'first']);
    expect(undone.stdout).toMatch(/^1 entry archived\.\n`lore archive restore --run [-\da-f]{36}` restores them\.\n$/);
    expect(await contents()).toEqual([]);
    expect((await cli.run(['capture', 'undo', 'first'])).stdout).toBe('No captured entries of the session "first".\n');
    expect((await cli.run(['capture', 'undo'])).code).toBe(1);
    expect((await cli.run(['capture', 'sessions', '--limit', '0'])).code).toBe(5);
  });
});

it('lore capture leaves no files other than its statistics', async () => {
  await hook('UserPromptSubmit', prompt(DECISION));
  await cli.run(['capture', 'undo', 's1']);
  // A hook that had the file open may write to it for a while.
  await cli.run(['capture', 'undo', 's1'], { daysAgo: -1 });
  expect(await readdir(path.dirname(spool()))).toEqual(['store.state.json']);
  await rm(path.dirname(spool()), { recursive: true });
});
