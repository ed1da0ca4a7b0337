import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openCliInProcess, type CliInProcess } from '../helpers/cli-in-process.ts';

let cli: CliInProcess;
let file: string;
beforeEach(async () => {
  cli = await openCliInProcess();
  file = join(cli.cwd, 'lore.config.json');
});
afterEach(() => cli[Symbol.asyncDispose]());

const list = async () => (await cli.run(['trust', '--list', '--json'])).json<{ files: unknown[] }>().files;

it('lore trust prints what the file sets, lists it, and revokes it', async () => {
  await writeFile(file, '{ "log": { "level": "debug" }, "search": { "limit": 3 }, "server": { "port": 7200 } }');
  const deep = join(cli.cwd, 'deep');
  await mkdir(deep);
  const trusted = await cli.run(['trust'], { cwd: deep });
  expect(trusted).toMatchObject({ code: 0, stdout: `Trusted ${file}. It now also sets:\n  log.level = "debug"\n  server.port = 7200\n` });
  expect((await cli.run(['config', '--sources'])).stdout).toMatch(/^server\.port +7200 +\S+lore\.config\.json$/m);
  expect((await cli.run(['trust', '--list'])).stdout).toBe(`FILE${' '.repeat(file.length - 2)}STATE\n${file}  trusted\n`);
  expect(await cli.run(['trust', '--revoke'], { cwd: deep })).toMatchObject({ code: 0, stdout: `No longer trusted: ${file}\n` });
  expect((await cli.run(['config', '--sources'])).stdout).not.toContain('7200');
  expect((await cli.run(['trust', '--list'])).stdout).toBe('No file is trusted.\n');
});

it('lore trust revokes a deleted file by its folder, from anywhere', async () => {
  const gone = join(cli.home, 'gone');
  await mkdir(gone);
  await writeFile(join(gone, 'lore.config.json'), '{ "log": { "level": "debug" } }');
  const trusted = await cli.run(['trust', gone, '--json']);
  expect(trusted.json()).toEqual({ file: join(gone, 'lore.config.json'), trusted: true, keys: [{ key: 'log.level', value: '"debug"' }] });
  await rm(gone, { recursive: true });
  expect(await list()).toEqual([{ path: join(gone, 'lore.config.json'), state: 'missing' }]);
  expect((await cli.run(['trust', '--revoke', gone])).code).toBe(0);
  expect(await list()).toEqual([]);
});

it.each([
  ['no file is there', undefined, [], 1, /There is no lore\.config\.json in .+\nhint: .*lore init/],
  ['the named file is not there', undefined, ['other/lore.config.json'], 1, /There is no file .+other\/lore\.config\.json\./],
  ['the file has a fault', '{ "server": { "port": "high" } }', [], 3, /server\.port = "high" \(.+\): must be a whole number/],
  ['a value of it breaks a rule', '{ "server": { "host": "0.0.0.0" } }', [], 3, /server\.host .+ without an API key/],
  ['the file is no JSON', '{', [], 3, /is not valid JSON/],
  ['nothing is trusted that could be revoked', '{}', ['--revoke'], 1, /is not trusted\.\nhint: .*--list/],
  ['--config names a file', '{}', ['--config', 'lore.config.json'], 1, /always trusted/],
])('lore trust reports an error if %s, and trusts nothing', async (_what, content, args, code, reason) => {
  if (content !== undefined) await writeFile(file, content);
  const ran = await cli.run(['trust', ...args]);
  expect(ran).toMatchObject({ code, stdout: '' });
  expect(ran.stderr).toMatch(reason);
  expect(await list()).toEqual([]);
});

it('lore trust records nothing for a file with only harmless settings', async () => {
  await writeFile(file, '{ "search": { "limit": 3 }, "capture": { "enabled": false } }');
  expect((await cli.run(['trust'])).stdout).toBe(`Nothing to trust: ${file} has only settings that need no trust.\n`);
  expect(await list()).toEqual([]);
});
