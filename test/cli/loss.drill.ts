import { readdirSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Checkup } from '../../src/cli/checks/checkup.ts';
import type { Health } from '../../src/memory/operations/operations.ts';
import { openCliInProcess, type CliInProcess } from '../helpers/cli-in-process.ts';
import { startMcp } from '../helpers/mcp.ts';

type Said = Pick<Health, 'status' | 'degraded'>;

const STORE = '.local/share/lore/store';

it('a loss by damage is reported alike everywhere, across restarts, until its folder is removed', { timeout: 240_000 }, async () => {
  await using cli = await openCliInProcess();
  await cli.serve();
  const { name: backup } = (await cli.run(['backup', 'now', '--json'])).json<{ name: string }>();
  for (const content of ['first heron', 'second heron', 'third heron']) expect((await cli.run(['save', content])).code).toBe(0);
  await cli.server?.stop();
  const store = join(cli.home, STORE);
  await damageJournal(store);

  const { url } = await cli.serve();
  // The newest backup by now; it has no second heron either.
  await cli.run(['backup', 'now']);
  const [reason = ''] = (await health(url)).degraded;
  const folder = /remove (quarantine\/\S+) from/.exec(reason)?.[1] ?? '';
  expect(reason).toMatch(/bytes of journal\/\S+ cannot be read;.* Changes of its time may be missing\./);
  expect(reason).toContain(`The newest backup from before it was found is ${backup}.`);
  await expectAlike(cli, url, [reason]);

  await cli.server?.stop();
  const { url: later } = await cli.serve();
  expect(await health(later)).toMatchObject({ status: 'healthy', degraded: [reason] });

  await rm(join(store, folder), { recursive: true });
  await expectAlike(cli, later, []);
});

/** HTTP, whose `status` knows one value only, the command line, the doctor and MCP. */
async function expectAlike(cli: CliInProcess, url: string, degraded: readonly string[]): Promise<void> {
  const said = { status: degraded.length === 0 ? 'healthy' : 'degraded', degraded };
  expect(await health(url)).toMatchObject({ ...said, status: 'healthy' });
  expect((await cli.run(['status', '--json'])).json<Said>()).toMatchObject(said);
  const { findings } = (await cli.run(['doctor', '--json'])).json<Checkup>();
  for (const problem of degraded) expect(findings).toContainEqual(expect.objectContaining({ problem }));
  expect(findings.filter(({ problem }) => problem.includes('quarantine'))).toHaveLength(degraded.length === 0 ? 0 : 2);
  await using mcp = await startMcp(cli);
  expect(await mcp.call<Said>('memory_health')).toMatchObject(said);
}

const health = async (url: string): Promise<Said> => (await (await fetch(`${url}/api/health`)).json()) as Said;

async function damageJournal(store: string): Promise<void> {
  for (const name of readdirSync(join(store, 'journal'))) {
    const file = join(store, 'journal', name);
    const bytes = await readFile(file);
    const at = bytes.indexOf('second heron');
    if (at < 0) continue;
    bytes[at]! ^= 1;
    await writeFile(file, bytes);
    return;
  }
  throw new Error('No file of the journal has the entry.');
}
