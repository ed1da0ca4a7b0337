import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { TargetStatus } from '../../src/integrations/target-states.ts';
import { openCliInProcess, type CliInProcess } from '../helpers/cli-in-process.ts';

const BIN = fileURLToPath(new URL('../../bin/run.js', import.meta.url));

let cli: CliInProcess;
beforeEach(async () => {
  cli = await openCliInProcess();
});
afterEach(() => cli[Symbol.asyncDispose]());

const inHome = (...names: string[]): string => join(cli.home, ...names);
const states = async (): Promise<string[]> => {
  const { integrations } = (await cli.run(['status', '--json'])).json<{ integrations: TargetStatus[] }>();
  return integrations.filter(({ state }) => state !== 'absent').map(({ target, scope, state }) => `${target} ${scope} ${state}`);
};

it('sets up Claude Code by default, once, and undoes it', async () => {
  const first = await cli.run(['setup']);
  expect(first).toMatchObject({ code: 0, stderr: '' });
  expect(first.stdout).toMatch(
    /^Claude Code \(user\)\n {2}created +\S+\.claude\.json \(MCP server\)\n[^]*`lore teardown --target claude` undoes all of it\.\n$/,
  );
  const { mcpServers } = JSON.parse(await readFile(inHome('.claude.json'), 'utf8')) as { mcpServers: object };
  expect(mcpServers).toEqual({ lore: { command: process.execPath, args: [BIN, 'mcp'] } });
  expect(await readFile(inHome('.claude', 'settings.json'), 'utf8')).toContain(`${BIN} hook SessionStart --client claude`);
  expect(await readFile(inHome('.claude', 'CLAUDE.md'), 'utf8')).toContain('memory_recall');
  expect(await cli.run(['setup'])).toMatchObject({ code: 0, stdout: 'Claude Code (user): nothing to do.\n' });
  expect(await states()).toEqual(['claude user installed']);
  expect((await cli.run(['status'])).stdout).toMatch(/^Claude Code +installed \(user\)\nCursor +absent\n/m);
  const back = await cli.run(['teardown']);
  expect(back.stdout.match(/^ {2}removed /gm)).toHaveLength(3);
  await expect(stat(inHome('.claude'))).rejects.toMatchObject({ code: 'ENOENT' });
  expect(await cli.run(['teardown'])).toMatchObject({ code: 0, stdout: 'Nothing to undo.\n' });
});

it('lets agents ask to save only on request, as a setting of this user, and reports it once', async () => {
  expect((await cli.run(['setup'])).stdout).not.toContain('capture.assist');
  const config = async (): Promise<boolean> => {
    const { values } = (await cli.run(['config', '--json'])).json<{ values: { key: string; value: boolean }[] }>();
    return values.find(({ key }) => key === 'capture.assist')!.value;
  };
  expect(await config()).toBe(false);
  expect((await cli.run(['setup', '--assist'])).stdout).toMatch(/^Claude Code .*\nSet capture\.assist in \S+config\.json: true\.\n$/);
  expect(await config()).toBe(true);
  expect((await cli.run(['setup', '--assist'])).stdout).not.toContain('capture.assist');
  expect((await cli.run(['setup', '--no-assist', '--json'])).json()).toMatchObject({ assist: false });
  expect(await config()).toBe(false);
});

it('writes commands that a shell and a client can run', async () => {
  await cli.run(['setup']);
  const { mcpServers } = JSON.parse(await readFile(inHome('.claude.json'), 'utf8')) as {
    mcpServers: { lore: { command: string; args: string[] } };
  };
  const { hooks } = JSON.parse(await readFile(inHome('.claude', 'settings.json'), 'utf8')) as {
    hooks: Record<string, [{ hooks: [{ command: string }] }]>;
  };
  const env = { PATH: process.env['PATH'] ?? '', HOME: cli.home, SERVICE_EMBEDDINGS_PROVIDER: 'builtin' };
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StdioClientTransport({ ...mcpServers.lore, env, cwd: cli.cwd, stderr: 'ignore' }));
  const { tools } = await client.listTools();
  // What the instruction speaks of is there.
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['memory_recall', 'memory_save', 'memory_relate']));
  await client.close();
  // All are written alike (test/integrations/launcher.test.ts), and bin/run.js runs them alike.
  const [first, ...others] = Object.entries(hooks);
  for (const [event, [group]] of [first!, others.at(-1)!]) {
    const shell = spawn('/bin/sh', ['-c', group.hooks[0].command], { env, cwd: cli.cwd, stdio: ['pipe', 'ignore', 'ignore'] });
    shell.stdin.end(JSON.stringify({ hook_event_name: event, session_id: 's', cwd: cli.cwd }));
    expect(await once(shell, 'exit')).toEqual([0, null]);
  }
});

it('sets up several clients for this folder, without hooks', async () => {
  const args = ['setup', '--target', 'cursor', '--target', 'vscode', '--scope', 'project', '--no-hooks', '--json'];
  const ran = await cli.run(args);
  expect(ran.code).toBe(0);
  const { targets } = ran.json<{ targets: { target: string; files: { path: string; action: string; purpose: string }[] }[] }>();
  expect(targets.map(({ target }) => target)).toEqual(['cursor', 'vscode']);
  expect(targets.flatMap(({ files }) => files).map(({ purpose }) => purpose)).toEqual(['server', 'instructions', 'server', 'instructions']);
  expect(targets.flatMap(({ files }) => files).every(({ path, action }) => path.startsWith(cli.cwd) && action === 'create')).toBe(true);
  expect(await states()).toEqual(['cursor project installed', 'vscode project installed']);
  expect((await cli.run(['teardown', '--all'])).code).toBe(0);
  expect(await states()).toEqual([]);
});

it('sets up every client used here with --all', async () => {
  expect(await cli.run(['setup', '--all'])).toMatchObject({ code: 2, stderr: expect.stringContaining('--target') });
  await mkdir(inHome('.codex'));
  await mkdir(inHome('.codeium', 'windsurf'), { recursive: true });
  const { stdout } = await cli.run(['setup', '--all']);
  expect(stdout).toMatch(/^Windsurf \(user\)\n[^]*\n\nCodex \(user\)\n/);
  expect(await states()).toEqual(['windsurf user installed', 'codex user installed']);
});

it('shows what would change in a dry run, and changes nothing', async () => {
  await writeFile(inHome('.claude.json'), '{\n  "token": "secret",\n  "theme": "dark"\n}\n');
  const { code, stdout } = await cli.run(['setup', '--dry-run', '--no-hooks', '--no-instructions']);
  expect(code).toBe(0);
  expect(stdout).toContain('+   "theme": "dark",\n+   "mcpServers": {');
  expect(await readFile(inHome('.claude.json'), 'utf8')).not.toContain('mcpServers');
  const asJson = await cli.run(['setup', '--dry-run', '--json']);
  expect(asJson.json<{ dryRun: boolean; targets: [{ files: [{ diff: string[] }] }] }>().targets[0].files[0].diff).toContain(
    '+   "mcpServers": {',
  );
  expect((await cli.run(['setup', '--json'])).stdout).not.toContain('secret');
});

it('refuses a file it cannot parse, with the text to paste, and a read-only file', async () => {
  await writeFile(inHome('.claude.json'), '{ broken');
  const refused = await cli.run(['setup']);
  expect(refused).toMatchObject({ code: 5, stdout: '' });
  expect(refused.stderr).toMatch(
    /not valid JSON: .* at line 1, column \d+\. Nothing was changed\.\nhint: .* by hand:\n\{\n {2}"mcpServers"/,
  );
  await expect(stat(inHome('.claude'))).rejects.toMatchObject({ code: 'ENOENT' });
  await writeFile(inHome('.claude.json'), '{}', { mode: 0o444 });
  await chmod(inHome('.claude.json'), 0o444);
  expect(await cli.run(['setup'])).toMatchObject({ code: 2, stderr: expect.stringContaining('read-only') });
});

it('reports manual edits, keeps them, and removes them with --force', async () => {
  await cli.run(['setup']);
  const path = inHome('.claude.json');
  await writeFile(path, (await readFile(path, 'utf8')).replace('"mcp"', '"mcp", "--verbose"'));
  const status = await cli.run(['status']);
  expect(status.stdout).toMatch(/^Claude Code +changed by hand \(user\)$/m);
  expect(status.stderr).toContain('`lore setup --target claude --force`');
  expect((await cli.run(['setup'])).stderr).toContain('--force replaces it');
  expect((await cli.run(['teardown'])).stderr).toContain('--force removes it');
  expect(await readFile(path, 'utf8')).toContain('--verbose');
  expect((await cli.run(['teardown', '--force'])).stdout).toContain('removed');
  await expect(stat(path)).rejects.toMatchObject({ code: 'ENOENT' });
});

it('refuses an unknown client and both --target and --all', async () => {
  expect(await cli.run(['setup', '--target', 'emacs'])).toMatchObject({
    code: 5,
    stderr: expect.stringContaining('must be one of claude'),
  });
  expect(await cli.run(['setup', '--target', 'claude', '--all'])).toMatchObject({ code: 1, stdout: '' });
  expect(await cli.run(['teardown', '--scope', 'global'])).toMatchObject({ code: 5, stdout: '' });
});

it('writes to the root of the project when called in a subfolder', async () => {
  const deep = join(cli.cwd, 'src', 'deep');
  await mkdir(deep, { recursive: true });
  await mkdir(join(cli.cwd, '.git'));
  await cli.run(['setup', '--target', 'cursor', '--scope', 'project'], { cwd: deep });
  expect(await readFile(join(cli.cwd, '.cursor', 'mcp.json'), 'utf8')).toContain('"lore"');
  await expect(stat(join(deep, '.cursor'))).rejects.toMatchObject({ code: 'ENOENT' });
  expect(await states()).toEqual(['cursor project installed']);
  await cli.run(['teardown', '--target', 'cursor'], { cwd: deep });
  expect(await states()).toEqual([]);
});

it('lists in the home folder what was set up for the project', async () => {
  await cli.run(['setup', '--scope', 'project'], { cwd: cli.home });
  const { stdout } = await cli.run(['status'], { cwd: cli.home });
  expect(stdout).toMatch(/^Claude Code +installed \(project\)$/m);
});

it('prints the manual setup, and changes nothing', async () => {
  const any = await cli.run(['setup', '--print']);
  expect(any.stdout).toMatch(/"mcpServers": \{\n {4}"lore"[^]*run\.js hook EVENT --client claude\n[^]*## Memory \(Lore\)/);
  const zed = await cli.run(['setup', '--print', '--target', 'zed']);
  expect(zed.stdout).toMatch(/^--- \S+settings\.json\n\{\n {2}"context_servers"/);
  expect(await states()).toEqual([]);
});

it('writes a plugin instead of files, and says how to install and remove it', async () => {
  const { stdout } = await cli.run(['setup', '--plugin']);
  expect(stdout).toMatch(/claude plugin marketplace add "\S+plugins\/claude"\nand: claude plugin install lore@lore/);
  expect(await states()).toEqual(['claude user installed']);
  expect((await cli.run(['teardown'])).stdout).toContain('claude plugin uninstall lore@lore');
  expect(await states()).toEqual([]);
});
