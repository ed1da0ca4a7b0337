import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openCliInProcess, type CliInProcess } from '../helpers/cli-in-process.ts';
import { openCli } from '../helpers/cli.ts';
import { seed, storedContents } from '../helpers/cli-store.ts';
import { startTestServer } from '../helpers/server.ts';

let cli: CliInProcess;
beforeEach(async () => {
  cli = await openCliInProcess();
});
afterEach(() => cli[Symbol.asyncDispose]());

/** Another person on the same machine: the same commands on another store. */
const other = (place: string) => ({ env: { SERVICE_STORAGE_PATH: place } });

/** As `lore edit` does, which needs somebody at an editor: through a server for as long as that takes. */
async function edit(id: string, content: string, place?: string): Promise<void> {
  await cli.serveHere(place === undefined ? {} : other(place).env);
  const server = cli.server!;
  const init = { method: 'PATCH', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ content }) };
  expect((await fetch(`${server.url}/api/${id}`, init)).status).toBe(200);
  await server.stop();
}

describe('a permanent deletion', () => {
  it('also reaches the store in a folder by a push, and is not undone by a pull', async () => {
    const place = join(cli.cwd, 'team');
    const [gone] = await seed(cli, [
      { content: 'mine one', namespace: 'a' },
      { content: 'mine two', namespace: 'a' },
    ]);
    await cli.run(['push', place, '--all']);
    await cli.run(['forget', gone!, '--permanently', '--yes']);
    const dry = await cli.run(['push', place, '--all', '--dry-run']);
    expect(dry.stdout).toBe(`${gone}  removed  mine one\nWould push to ${place}\na: 1 deleted for good.\n`);
    expect((await cli.run(['pull', place, '--all'])).stdout).toBe(
      `Nothing to pull from ${place}.\na: 1 entry is newer here; \`lore push ${place}\` sends newer entries.\n`,
    );
    expect((await cli.run(['push', place, '--all'])).stdout).toBe(`Pushed to ${place}\na: 1 deleted for good.\n`);
    expect((await cli.run(['list', '--all', '--json'], other(place))).json<{ total: number }>().total).toBe(1);
    expect((await cli.run(['push', place, '--all'])).stdout).toBe(`Nothing to push to ${place}.\n`);
  });

  it('includes a manual relation', async () => {
    const place = join(cli.cwd, 'team');
    const [from, to] = await seed(cli, [
      { content: 'mine one', namespace: 'a' },
      { content: 'mine two', namespace: 'a' },
    ]);
    await cli.run(['relate', from!, 'references', to!]);
    expect((await cli.run(['push', place, '--all'])).stdout).toContain('1 relation.');
    await cli.run(['unrelate', from!, 'references', to!]);
    expect((await cli.run(['push', place, '--all', '--dry-run'])).stdout).toContain(`${from}  no longer references  ${to}\n`);
    expect((await cli.run(['push', place, '--all'])).stdout).toBe(`Pushed to ${place}\na: 1 relation deleted.\n`);
  });

  it('is pulled even if its namespace is empty now', async () => {
    const place = join(cli.cwd, 'team');
    const [gone] = await seed(cli, [{ content: 'the only one', namespace: 'a' }]);
    await cli.run(['push', place, '--all']);
    await cli.run(['forget', gone!, '--permanently', '--yes'], other(place));
    expect((await cli.run(['pull', place, '--all'])).stdout).toBe(`Pulled from ${place}\na: 1 deleted for good.\n`);
    expect(await storedContents(cli)).toEqual([]);
  });

  it('is recorded in a store that never had the entry, which then refuses it', async () => {
    const [team, third] = [join(cli.cwd, 'team'), join(cli.cwd, 'third')];
    const [gone] = await seed(cli, [
      { content: 'slip', namespace: 'a' },
      { content: 'rest', namespace: 'a' },
    ]);
    await cli.run(['push', third, '--all']);
    await cli.run(['forget', gone!, '--permanently', '--yes']);
    expect((await cli.run(['push', team, '--all'])).stdout).toBe(`Pushed to ${team}\na: 1 new, 1 deletion recorded.\n`);
    expect((await cli.run(['push', team, '--all'], other(third))).stdout).toContain('Nothing to push');
    expect((await cli.run(['pull', team, '--all'], other(third))).stdout).toBe(`Pulled from ${team}\na: 1 deleted for good.\n`);
  });

  it('works through the server with the store open, and survives a kill', async () => {
    await using real = await openCli();
    const first = await real.serve();
    const response = await fetch(`${first.url}/api/save`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ content: 'on the server', namespace: 'a' }),
    });
    const { ids } = (await response.json()) as { ids: string[] };
    expect((await cli.run(['pull', first.url, '--all'])).stdout).toContain('a: 1 new.');
    expect((await fetch(`${first.url}/api/${ids[0]!}`, { method: 'DELETE' })).status).toBe(200);
    await first.stop('SIGKILL');
    const second = await real.serve();
    expect((await cli.run(['push', second.url, '--namespace', 'a'])).stdout).toContain('Nothing to push');
    expect((await cli.run(['pull', second.url, '--namespace', 'a'])).stdout).toContain('a: 1 deleted for good.');
    expect(await storedContents(cli)).toEqual([]);
    await second.stop('SIGKILL');
  });

  it('is still known after a restore from backup', async () => {
    const place = join(cli.cwd, 'team');
    const [gone] = await seed(cli, [{ content: 'mine one', namespace: 'a' }]);
    await cli.run(['push', place, '--all']);
    await cli.run(['forget', gone!, '--permanently', '--yes']);
    const { name } = (await cli.run(['backup', 'now', '--json'])).json<{ name: string }>();
    await seed(cli, [{ content: 'after the backup', namespace: 'a' }]);
    expect(await cli.run(['backup', 'restore', name, '--yes'])).toMatchObject({ code: 0 });
    expect((await cli.run(['pull', place, '--all'])).stdout).toContain('Nothing to pull');
    expect((await cli.run(['push', place, '--all'])).stdout).toContain('a: 1 deleted for good.');
  });

  it('is not shown to a key bound to another namespace', async () => {
    await using team = await startTestServer({
      keys: [{ name: 'bound', access: 'full', namespace: 'a' }],
      storage: { durability: 'process' },
    });
    const { ids } = await team.app.memories.save({ content: 'elsewhere', namespace: 'b' });
    await team.app.memories.forget(ids[0]!);
    const ask = async (body: object) =>
      await fetch(`${team.url}/api/sync/stamps`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': team.keys.get('bound')! },
        body: JSON.stringify({ tombstones: true, ids, ...body }),
      });
    expect(await (await ask({ namespace: 'a' })).json()).toMatchObject({ stamps: [] });
    expect((await ask({ namespace: 'b' })).status).toBe(403);
  });
});

describe('a store offline for longer than deletions are remembered', () => {
  it('is warned by a pull, also in a dry run, that old entries may have been deleted here', async () => {
    await using real = await openCli();
    const place = join(real.cwd, 'team');
    const save = async (text: string) =>
      (await real.run(['save', text, '--namespace', 'a', '--json'], { daysAgo: 400 })).json<{ ids: string[] }>().ids[0]!;
    const gone = await save('deleted long ago');
    await save('kept');
    expect(await real.run(['push', place, '--all'], { daysAgo: 399 })).toMatchObject({ code: 0 });
    expect(await real.run(['forget', gone, '--permanently', '--yes'], { daysAgo: 300 })).toMatchObject({ code: 0 });
    for (const dryRun of [true, false]) {
      const { stdout } = await real.run(['pull', place, '--all', ...(dryRun ? ['--dry-run'] : [])]);
      expect(stdout).toMatch(
        /a: 1 of the new entries may have been deleted here long ago: they are older than \d{4}-\d\d-\d\d, and earlier deletions are no longer known here \(sync\.tombstoneDays\)\.\n/,
      );
    }
  });
});

describe('a conflict', () => {
  interface Report {
    readonly namespaces: readonly {
      readonly conflicts: readonly { readonly id: string; readonly text?: string; readonly undo: string }[];
    }[];
  }

  it('is listed with the losing edit and the command to restore it, in the dry run and in the report', async () => {
    const place = join(cli.cwd, 'team');
    const [id] = await seed(cli, [{ content: 'the key is under the pot', namespace: 'a' }]);
    await cli.run(['push', place, '--all']);
    await edit(id!, 'the key is with Ana');
    await edit(id!, 'the key is with Ben', place);
    const lines = new RegExp(
      `  ${id}  "the key is with Ana", edited here [-\\d]+ [:\\d]+, there [-\\d]+ [:\\d]+; \`lore history ${id} --undo\` restores it\\.\n`,
    );
    const dry = await cli.run(['pull', place, '--all', '--dry-run']);
    expect(dry.stdout).toContain('a: 1 entry was edited on both sides; the later edit would win. Lost here:\n');
    expect(dry.stdout).toMatch(lines);
    expect((await cli.run(['pull', place, '--all', '--dry-run', '--json'])).json<Report>().namespaces[0]?.conflicts).toEqual([
      { id, lostAt: expect.any(Number), wonAt: expect.any(Number), text: 'the key is with Ana', undo: `lore history ${id} --undo` },
    ]);
    const pulled = await cli.run(['pull', place, '--all']);
    expect(pulled.stdout).toContain('a: 1 entry was edited on both sides; the later edit won. Lost here:\n');
    expect(pulled.stdout).toMatch(lines);
    expect(await cli.run(['history', id!, '--undo'])).toMatchObject({ code: 0 });
    expect(await storedContents(cli)).toEqual(['the key is with Ana']);
    expect((await cli.run(['pull', place, '--all'])).stdout).not.toContain('edited on both sides');
  });

  it('of a push is resolved in the other store, and the command says so', async () => {
    const place = join(cli.cwd, 'team');
    const [id] = await seed(cli, [{ content: 'one', namespace: 'a' }]);
    await cli.run(['push', place, '--all']);
    await edit(id!, 'theirs', place);
    await edit(id!, 'mine');
    const { stdout } = await cli.run(['push', place, '--all']);
    expect(stdout).toContain('Lost there:\n');
    expect(stdout).toContain(`"theirs", edited there`);
    expect(stdout).toContain(`\`SERVICE_STORAGE_PATH=${place} lore history ${id} --undo\``);
    await cli.run(['history', id!, '--undo'], other(place));
    expect((await cli.run(['get', id!, '--json'], other(place))).stdout).toContain('theirs');
  });
});
