import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openCliInProcess, type CliInProcess } from '../helpers/cli-in-process.ts';
import { freePort } from '../drills/machine.ts';

let cli: CliInProcess;
beforeEach(async () => {
  cli = await openCliInProcess();
});
afterEach(() => cli[Symbol.asyncDispose]());

const file = () => join(cli.cwd, 'lore.config.json');

const userFile = () => join(cli.home, '.config', 'lore', 'config.json');
const LOOPBACK = ['http://127.0.0.1:7007', 'http://localhost:7007', 'http://[::1]:7007'];
interface Values {
  readonly values: readonly { readonly key: string; readonly value: unknown; readonly source: string }[];
}
const valueOf = async (key: string) => (await cli.run(['config', '--json'])).json<Values>().values.find((value) => value.key === key);

it('writes a commented file that needs no trust, and opens the API to pages of this machine only', async () => {
  const { code, stdout } = await cli.run(['init', '--yes']);
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^Wrote lore\.config\.json \(namespace project-[0-9a-f]{8}\)\.\nSet server\.cors\.origins in .+config\.json: http:\/\/127.+\.\n$/,
  );
  expect(await readFile(file(), 'utf8')).toMatch(/^\/\/ Settings of Lore/);
  const validated = await cli.run(['config', '--validate']);
  expect(validated).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining(file()) });
  expect(await valueOf('server.cors.origins')).toMatchObject({ value: LOOPBACK, source: 'user file' });
});

it('has a server on the configured port with a working page, not readable by other pages, without warnings', async () => {
  const port = await freePort();
  await cli.run(['init', '--yes'], { env: { SERVICE_PORT: port } });
  const server = cli.spawn(['serve', '--json'], { env: { SERVICE_PORT: port } });
  const log = text(server.stderr);
  const call = async (origin?: string): Promise<number> => {
    const headers = origin === undefined ? {} : { origin };
    const answer = await fetch(`http://127.0.0.1:${port}/api/list`, { headers });
    return answer.status;
  };
  await expect.poll(() => call().catch(() => 0)).toBe(200);
  expect(await Promise.all([call(`http://127.0.0.1:${port}`), call(`http://localhost:${port}`), call('https://evil.example')])).toEqual([
    200, 200, 403,
  ]);
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200);
  server.kill('SIGTERM');
  expect(await log).not.toContain('CORS');
});

it('keeps origins and comments of the user file, and replaces * or the origins of --origin', async () => {
  await mkdir(join(userFile(), '..'), { recursive: true });
  await writeFile(userFile(), '{\n  // mine\n  "search": { "limit": 4 },\n  "server": { "cors": { "origins": ["*"] } }\n}\n');
  await cli.run(['init', '--yes']);
  expect(await readFile(userFile(), 'utf8')).toContain('// mine');
  expect(await valueOf('server.cors.origins')).toMatchObject({ value: LOOPBACK });
  await cli.run(['init', '--yes', '--force', '--origin', 'https://a.example']);
  expect(await valueOf('server.cors.origins')).toMatchObject({ value: ['https://a.example'] });
  const again = await cli.run(['init', '--yes', '--force']);
  expect(again.stdout).not.toContain('server.cors.origins');
  expect(await valueOf('server.cors.origins')).toMatchObject({ value: ['https://a.example'] });
  expect(await valueOf('search.limit')).toMatchObject({ value: 4, source: 'user file' });
});

it('takes namespace, origins and key from flags, and does not ask without a terminal', async () => {
  const args = ['init', '--namespace', 'owner/"repo"', '--origin', 'https://a.example', '--origin', 'https://b.example', '--key', '--json'];
  const result = await cli.run(args);
  expect(result.json()).toEqual({
    file: file(),
    namespace: 'owner/"repo"',
    origins: ['https://a.example', 'https://b.example'],
    userFile: userFile(),
    key: expect.stringMatching(/^lore_/),
  });
  expect(await valueOf('memory.namespace')).toMatchObject({ value: 'owner/"repo"', source: 'project file' });
  expect(await valueOf('server.cors.origins')).toMatchObject({ value: ['https://a.example', 'https://b.example'] });
  expect((await cli.run(['auth', 'list', '--json'])).json<{ keys: unknown[] }>().keys).toHaveLength(1);
});

it('writes nothing if the user file is invalid', async () => {
  await mkdir(join(userFile(), '..'), { recursive: true });
  await writeFile(userFile(), '{ "search": ');
  expect(await cli.run(['init', '--yes'])).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining(userFile()) });
  await expect(readFile(file())).rejects.toMatchObject({ code: 'ENOENT' });
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

it('writes nothing for an invalid origin or namespace', async () => {
  for (const args of [
    ['--origin', 'example.com'],
    ['--namespace', ' '],
  ]) {
    expect(await cli.run(['init', '--yes', ...args])).toMatchObject({ code: 5, stdout: '' });
  }
  await expect(readFile(file())).rejects.toMatchObject({ code: 'ENOENT' });
});
