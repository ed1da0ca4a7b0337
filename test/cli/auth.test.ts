import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openCliInProcess, type CliInProcess } from '../helpers/cli-in-process.ts';

let cli: CliInProcess;
beforeEach(async () => {
  cli = await openCliInProcess();
});
afterEach(() => cli[Symbol.asyncDispose]());

it('prints a new key once, alone on stdout, and stores only its digest', async () => {
  const { code, stdout, stderr } = await cli.run(['auth', 'generate-key', '--name', 'laptop']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^lore_[\w-]{43}\n$/);
  expect(stderr).toContain('not shown again');
  const name = (await readdir(cli.home, { recursive: true })).find((path) => path.endsWith('keys.json'));
  const file = join(cli.home, name ?? 'keys.json');
  expect(await readFile(file, 'utf8')).not.toContain(stdout.trim());
  expect((await stat(file)).mode & 0o077).toBe(0);
});

it('lists and revokes keys by name', async () => {
  const made = await cli.run(['auth', 'generate-key', '--name', 'dash', '--read-only', '--namespace', 'owner/repo', '--json']);
  expect(made.json()).toMatchObject({ name: 'dash', access: 'read', namespace: 'owner/repo', key: expect.stringMatching(/^lore_/) });
  const list = await cli.run(['auth', 'list']);
  expect(list.stdout).toMatch(/^dash +[0-9a-f]{12} +read +owner\/repo +\d{4}-/m);
  const json = await cli.run(['auth', 'list', '--json']);
  expect(json.json()).toEqual({ keys: [expect.objectContaining({ name: 'dash' })] });
  expect(json.stdout).not.toContain('sha256');
  expect((await cli.run(['auth', 'revoke', 'dash'])).stdout).toBe('Revoked dash.\n');
  expect((await cli.run(['auth', 'list'])).stdout).toContain('No keys.');
});

it('refuses a name that is taken, a bad namespace and an unknown key', async () => {
  await cli.run(['auth', 'generate-key', '--name', 'one']);
  expect(await cli.run(['auth', 'generate-key', '--name', 'one'])).toMatchObject({ code: 5, stdout: '' });
  expect(await cli.run(['auth', 'generate-key', '--namespace', ''])).toMatchObject({ code: 5, stdout: '' });
  expect(await cli.run(['auth', 'revoke', 'two'])).toMatchObject({ code: 1, stderr: expect.stringContaining('lore auth list') });
});
