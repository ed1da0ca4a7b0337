import { once } from 'node:events';
import { renameSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { announceServer } from '../../src/config/server-announcement.ts';
import type { CaptureStats } from '../../src/memory/operations/capture-operations.ts';
import type { Ran } from '../helpers/cli.ts';
import { openCliInProcess, type CliInProcess } from '../helpers/cli-in-process.ts';
import { seed, storePathOf } from '../helpers/cli-store.ts';

const DECISION = { content: 'We deploy with make ship; staging first.', tags: ['decision'] };

let cli: CliInProcess;
beforeEach(async () => {
  cli = await openCliInProcess();
});
afterEach(() => cli[Symbol.asyncDispose]());

const folder = (): string => path.join(storePathOf(cli), 'contexts');
/** Everything that is kept, as text. */
const kept = async (): Promise<string> => {
  const names = await readdir(folder()).catch(() => []);
  return (await Promise.all(names.map((name) => readFile(path.join(folder(), name), 'utf8')))).join('\n');
};
const hook = (event: string, payload: object, client = 'claude', how: 'run' | 'process' = 'run'): Promise<Ran> =>
  cli[how](['hook', event, '--client', client], { input: JSON.stringify(payload) });
/** What a session that begins now is told; empty where that is nothing. */
const start = async (client = 'claude', how: 'run' | 'process' = 'run'): Promise<string> => {
  const { cwd } = cli;
  const session = client === 'cursor' ? { conversation_id: 's', workspace_roots: [cwd] } : { session_id: 's', source: 'startup', cwd };
  const ran = await hook(client === 'cursor' ? 'sessionStart' : 'SessionStart', session, client, how);
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  if (ran.stdout === '') return '';
  const said = JSON.parse(ran.stdout) as { additional_context?: string; hookSpecificOutput?: { additionalContext: string } };
  return said.additional_context ?? said.hookSpecificOutput!.additionalContext;
};

it('gives the context of a project after its server has ended, to this user only, and of this project only', async () => {
  const served = await cli.serveHere();
  await seed(cli, [DECISION, { content: 'The other project ships on Fridays.', tags: ['decision'], namespace: 'other' }]);
  await served.stop();
  for (const client of ['claude', 'cursor', 'codex']) expect(await start(client)).toContain(DECISION.content);
  expect(await start('claude', 'process')).toContain(DECISION.content);
  expect(await start()).not.toContain('Fridays');
  expect(await start('windsurf')).toBe('');
  for (const name of await readdir(folder())) expect((await stat(path.join(folder(), name))).mode & 0o777).toBe(0o600);
  expect((await stat(folder())).mode & 0o777).toBe(0o700);
});

it('gives global entries to a project without entries of its own', async () => {
  await seed(cli, [{ content: 'Always answer in British English.', tags: ['preference'], namespace: 'global' }]);
  expect(await start()).toContain('British English');
});

it('gives the context after the server was killed, without entries forgotten just before', async () => {
  const served = await cli.serve();
  const [first] = await seed(cli, [DECISION, { content: 'The launch is on the fifth of May.', tags: ['decision'] }]);
  await expect.poll(kept, { timeout: 15_000 }).toContain('fifth of May');
  expect((await cli.run(['forget', first!, '--yes'])).code).toBe(0);
  await served.stop('SIGKILL');
  expect(await kept()).not.toContain(DECISION.content);
  expect(await start()).not.toContain(DECISION.content);
  await cli.run(['list']);
  const again = await cli.serve();
  await expect.poll(kept, { timeout: 15_000 }).toContain('fifth of May');
  await again.stop('SIGKILL');
  const said = await start();
  expect(said).toContain('fifth of May');
  expect(said).not.toContain(DECISION.content);
});

it.each([
  ['removes for good', (id: string) => [id]],
  ['puts away', () => ['--tag', 'old']],
])('gives nothing that a command without a server %s', async (_what, named) => {
  const [first] = await seed(cli, [
    { ...DECISION, tags: ['decision', 'old'] },
    { content: 'The launch is on the fifth of May.', tags: ['decision'] },
  ]);
  expect(await start()).toContain(DECISION.content);
  expect((await cli.run(['forget', ...named(first!), '--yes'])).code).toBe(0);
  expect(await kept()).not.toContain(DECISION.content);
  expect(await start()).toContain('fifth of May');
});

it('stores no secret, whatever the settings', async () => {
  await writeFile(path.join(cli.cwd, 'lore.config.json'), '{"memory": {"redactSecrets": "never"}}');
  await seed(cli, [{ content: 'We use the token ghp_abcdefghijklmnopqrstuvwxyz0123456789 for releases.', tags: ['decision'] }]);
  expect(await kept()).toContain('[redacted: github-token]');
  expect(await kept()).not.toContain('ghp_');
});

it('ignores a torn file and a file of another namespace', async () => {
  await seed(cli, [DECISION]);
  const [name] = (await readdir(folder())) as [string];
  for (const text of ['{"namespace": "x', JSON.stringify({ namespace: 'elsewhere', text: 'No.' }), '[]']) {
    await writeFile(path.join(folder(), name), text);
    expect(await start()).toBe('');
  }
});

it('counts given and missed contexts', async () => {
  await hook('UserPromptSubmit', { session_id: 's', cwd: cli.cwd, prompt: 'how do we deploy to staging?' });
  await start();
  await cli.serveHere({ SERVICE_CAPTURE_WORKER_INTERVAL_MS: '100' });
  await seed(cli, [DECISION]);
  expect(await start()).toContain('make ship');
  const stats = async (): Promise<CaptureStats['contexts']> =>
    (await cli.run(['capture', 'stats', '--json'])).json<CaptureStats>().contexts;
  await expect.poll(stats, { timeout: 15_000 }).toEqual({ given: 1, missed: { late: 0, 'no server': 2 } });
  expect((await cli.run(['capture', 'stats'])).stdout).toMatch(/^Context +given 1 time, missed 2: no server 2$/m);
});

it('ends in time with a server that never answers, reports that, and gives the stored context', async () => {
  await seed(cli, [DECISION]);
  const deaf = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1');
  await once(deaf, 'listening');
  await mkdir(storePathOf(cli), { recursive: true });
  const { port } = deaf.address() as AddressInfo;
  const lock = { pid: process.pid, token: 'x', url: `http://127.0.0.1:${port}` };
  await writeFile(path.join(storePathOf(cli), 'lore.lock'), JSON.stringify(lock));
  expect(await start('claude', 'process')).toContain(DECISION.content);
  const prompt = { session_id: 's', cwd: cli.cwd, prompt: 'how do we deploy to staging?' };
  expect(await hook('UserPromptSubmit', prompt, 'claude', 'process')).toMatchObject({ code: 0, stdout: '', stderr: '' });
  const spool = await readFile(path.join(storePathOf(cli), '..', 'capture', 'store.jsonl'), 'utf8');
  expect(spool.trim().split('\n')).toHaveLength(1);
  expect(JSON.parse(spool)).toMatchObject({ event: 'prompt', text: prompt.prompt, missed: 'late' });
  deaf.close();
});

it('waits before a prompt for a server that announced it will answer soon', async () => {
  await cli.serveHere();
  await seed(cli, [DECISION]);
  const lock = path.join(storePathOf(cli), 'lore.lock');
  await rename(lock, `${lock}.away`);
  const withdraw = announceServer(storePathOf(cli));
  const asking = hook('UserPromptSubmit', { session_id: 's', cwd: cli.cwd, prompt: 'how do we deploy to staging?' });
  setTimeout(() => renameSync(`${lock}.away`, lock), 100);
  expect((await asking).stdout).toContain(DECISION.content);
  withdraw();
});

it('queues the event and exits with 0 when the client ends it', async () => {
  const child = cli.spawn(['hook', 'UserPromptSubmit']);
  const payload = JSON.stringify({ session_id: 's', cwd: cli.cwd, prompt: 'how do we deploy? '.repeat(50_000) });
  // More than a pipe holds: when it is written the hook is reading, and listens to signals. Before that a signal ends any process.
  await new Promise((resolve) => child.stdin.write(payload.slice(0, -1), resolve));
  child.kill('SIGTERM');
  expect(await once(child, 'close')).toEqual([0, null]);
});
