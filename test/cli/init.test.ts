import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openCli, type Cli } from '../helpers/cli.ts';

let cli: Cli;
beforeEach(async () => {
  cli = await openCli();
});
afterEach(() => cli[Symbol.asyncDispose]());

const file = () => join(cli.cwd, 'lore.config.json');

it('writes a commented file that loads, with the detected namespace', async () => {
  const { code, stdout } = await cli.run(['init', '--yes']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Wrote lore\.config\.json \(namespace project-[0-9a-f]{8}\)\.\n$/);
  expect(await readFile(file(), 'utf8')).toMatch(/^\/\/ Settings of Lore/);
  const validated = await cli.run(['config', '--validate']);
  expect(validated).toMatchObject({ code: 0, stdout: expect.stringContaining(file()) });
});

it('takes namespace, origins and key from flags, and asks nothing without a terminal', async () => {
  const args = ['init', '--namespace', 'owner/"repo"', '--origin', 'https://a.example', '--origin', 'https://b.example', '--key', '--json'];
  const result = await cli.run(args);
  expect(result.json()).toEqual({
    file: file(),
    namespace: 'owner/"repo"',
    origins: ['https://a.example', 'https://b.example'],
    key: expect.stringMatching(/^lore_/),
  });
  const values = (await cli.run(['config', '--json'])).json<{ values: { key: string; value: unknown }[] }>().values;
  expect(values).toContainEqual(expect.objectContaining({ key: 'memory.namespace', value: 'owner/"repo"' }));
  expect(values).toContainEqual(expect.objectContaining({ key: 'server.cors.origins', value: ['https://a.example', 'https://b.example'] }));
  expect((await cli.run(['auth', 'list', '--json'])).json<{ keys: unknown[] }>().keys).toHaveLength(1);
});

it('never overwrites a file without --force', async () => {
  await writeFile(file(), '{ "search": { "limit": 4 } }');
  const refused = await cli.run(['init', '--yes', '--key']);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('--force') });
  expect(await readFile(file(), 'utf8')).toContain('"limit": 4');
  expect((await cli.run(['auth', 'list'])).stdout).toContain('No keys.');
  expect((await cli.run(['init', '--yes', '--force'])).code).toBe(0);
  expect(await readFile(file(), 'utf8')).not.toContain('"limit": 4');
});

it('writes nothing for a bad origin or namespace', async () => {
  for (const args of [
    ['--origin', 'example.com'],
    ['--namespace', ' '],
  ]) {
    expect(await cli.run(['init', '--yes', ...args])).toMatchObject({ code: 5, stdout: '' });
  }
  await expect(readFile(file())).rejects.toMatchObject({ code: 'ENOENT' });
});
