import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CONFIG_KEYS } from '../../src/config/keys.ts';
import { openCliInProcess, type CliInProcess } from '../helpers/cli-in-process.ts';

interface Shown {
  readonly namespace: { readonly namespace: string; readonly why: string };
  readonly files: readonly string[];
  readonly values: readonly { readonly key: string; readonly value: unknown; readonly source: string; readonly from?: string }[];
}

let cli: CliInProcess;
let cwd: string;
beforeAll(async () => {
  cli = await openCliInProcess();
  cwd = join(cli.cwd, 'configured');
  await mkdir(cwd);
  await writeFile(join(cwd, 'lore.config.json'), '{ // mine\n "search": { "limit": 7 } }');
});
afterAll(() => cli[Symbol.asyncDispose]());

it('shows every key with its value and source, and the namespace with its reason', async () => {
  const { code, stdout } = await cli.run(['config'], { cwd });
  expect(code).toBe(0);
  for (const { path } of CONFIG_KEYS) expect(stdout).toContain(`${path} `);
  expect(stdout).toMatch(/^search\.limit +7 +project file$/m);
  expect(stdout).toMatch(/^embeddings\.provider +builtin +environment$/m);
  expect(stdout).toMatch(/^server\.port +7007 +default$/m);
  expect(stdout).toMatch(/^Namespace +configured-[0-9a-f]{8} \(the folder .+\)$/m);
});

it('shows the same as JSON', async () => {
  const result = await cli.run(['config', '--json'], { cwd });
  const shown = result.json<Shown>();
  expect(shown.files).toEqual([join(cwd, 'lore.config.json')]);
  expect(shown.namespace.namespace).toMatch(/^configured-/);
  expect(shown.values.find(({ key }) => key === 'search.limit')).toMatchObject({ value: 7, source: 'project file', from: shown.files[0] });
});

it('names the file or variable of each changed setting with --sources', async () => {
  const { stdout } = await cli.run(['config', '--sources'], { cwd });
  expect(stdout).toMatch(new RegExp(`^search\\.limit +7 +${join(cwd, 'lore.config.json')}$`, 'm'));
  expect(stdout).toMatch(/^embeddings\.provider +builtin +SERVICE_EMBEDDINGS_PROVIDER$/m);
  expect(stdout).not.toContain('server.port');
});

it('never shows a secret', async () => {
  const env = { SERVICE_API_KEY: 'very-secret-key' };
  for (const args of [['config'], ['config', '--json'], ['config', '--sources']]) {
    const { stdout, stderr } = await cli.run(args, { env });
    expect(stdout + stderr).not.toContain('very-secret-key');
    expect(stdout).toContain('server.auth.apiKeys');
  }
});

it('validates and reports with --validate', async () => {
  const { code, stdout } = await cli.run(['config', '--validate'], { cwd });
  expect({ code, stdout }).toEqual({ code: 0, stdout: `The configuration is valid. Read: ${join(cwd, 'lore.config.json')}\n` });
  const json = await cli.run(['config', '--validate', '--json'], { cwd });
  expect(json.json()).toEqual({ valid: true, files: [join(cwd, 'lore.config.json')] });
});

it('rejects an unknown variable with --validate and suggests the nearest', async () => {
  const { code, stdout, stderr } = await cli.run(['config', '--validate'], { env: { SERVICE_STORGE_PATH: '/tmp/store' } });
  expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
  expect(stderr).toMatch(/SERVICE_STORGE_PATH.*not a setting of Lore\. Did you mean SERVICE_STORAGE_PATH\?/);
});

it('reads the file of --config, before and after the command', async () => {
  await writeFile(join(cli.cwd, 'other.json'), '{ "search": { "limit": 3 } }');
  for (const args of [
    ['--config', 'other.json', 'config', '--sources'],
    ['config', '--sources', '--config=other.json'],
  ]) {
    expect((await cli.run(args)).stdout).toMatch(/^search\.limit +3 /m);
  }
});

it('warns of unknown variables on stderr', async () => {
  const { stdout, stderr } = await cli.run(['config'], { env: { SERVICE_SERVER_PROT: '1' } });
  expect(stderr).toContain('warning: The variable SERVICE_SERVER_PROT is not a setting');
  expect(stdout).not.toContain('PROT');
});
