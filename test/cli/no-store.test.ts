import { readdir } from 'node:fs/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Checkup } from '../../src/cli/checks/checkup.ts';
import { openCliInProcess, type CliInProcess } from '../helpers/cli-in-process.ts';
import { storePathOf } from '../helpers/cli-store.ts';

let cli: CliInProcess;
beforeEach(async () => {
  cli = await openCliInProcess();
});
afterEach(() => cli[Symbol.asyncDispose]());

it.each([
  ['status', 0, /^Status +no store yet/m],
  ['config', 0, /^storage\.path /m],
  ['doctor', 0, /^Store +\S+ \(no store yet/m],
  ['stats', 0, /^There is no store at \S+ yet/],
  ['backup list', 0, /^There is no store yet, and no backup/],
  ['capture stats', 0, /^There is no store at \S+ yet/],
  ['trust --list', 0, /^No file is trusted/],
])('lore %s creates no folder if nothing was saved yet, and says so', async (command, code, said) => {
  const env = { SERVICE_PORT: '0' };
  const words = command.split(' ');
  const ran = await cli.run(words, { env });
  expect(ran).toMatchObject({ code, stderr: '' });
  expect(ran.stdout).toMatch(said);
  expect((await cli.run([...words, '--json'], { env })).json()).toBeTypeOf('object');
  expect([await readdir(cli.home), await readdir(cli.cwd)]).toEqual([[], []]);
});

it('reports the missing store in JSON until the first save', async () => {
  const none = (await cli.run(['status', '--json'])).json();
  expect(none).toMatchObject({ server: null, status: 'no store', totalEntries: 0, storage: { path: storePathOf(cli), bytes: 0 } });
  expect((await cli.run(['stats', '--json'])).json()).toMatchObject({ total: 0, namespaces: [] });
  const checkup = (await cli.run(['doctor', '--json'], { env: { SERVICE_PORT: '0' } })).json<Checkup>();
  expect(checkup).toMatchObject({ healthy: true, settings: { isNew: true } });
  expect(checkup).not.toHaveProperty('store');
  await cli.run(['save', 'the first']);
  expect((await cli.run(['status', '--json'])).json()).toMatchObject({ status: 'healthy', totalEntries: 1 });
  expect((await cli.run(['doctor', '--json'], { env: { SERVICE_PORT: '0' } })).json<Checkup>().settings).not.toHaveProperty('isNew');
});
