import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openCliInProcess, type CliInProcess } from '../helpers/cli-in-process.ts';
import { seed, storedContents } from '../helpers/cli-store.ts';
import { startTestServer } from '../helpers/server.ts';

interface Report {
  readonly dryRun: boolean;
  readonly namespaces: readonly {
    readonly namespace: string;
    readonly new: number;
    readonly steps?: readonly { readonly action: string }[];
  }[];
}

let cli: CliInProcess;
beforeEach(async () => {
  cli = await openCliInProcess();
});
afterEach(() => cli[Symbol.asyncDispose]());

/** Another person on the same machine: the same commands on another store. */
const other = (place: string) => ({ env: { SERVICE_STORAGE_PATH: place } });

describe('lore push and lore pull', () => {
  it('exchange namespaces with a store in a folder, created by a push but not by a pull', async () => {
    const place = join(cli.cwd, 'team');
    await seed(cli, [
      { content: 'mine one', namespace: 'a' },
      { content: 'mine two', namespace: 'a' },
      { content: 'elsewhere', namespace: 'b' },
    ]);
    expect(await cli.run(['pull', place, '--namespace', 'a'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`There is no store at ${place}.`),
    });
    expect(await readdir(cli.cwd)).toEqual([]);
    expect(await cli.run(['push', place, '--namespace', 'a'])).toMatchObject({
      code: 0,
      stdout: `Pushed to ${place}\na: 2 new.\n`,
      stderr: '',
    });
    expect(await cli.run(['push', place, '-n', 'a'])).toMatchObject({ code: 0, stdout: `Nothing to push to ${place}.\n` });
    await cli.run(['save', 'theirs', '--namespace', 'c'], other(place));
    const dry = await cli.run(['pull', place, '--all', '--dry-run']);
    expect(dry.stdout).toMatch(/^[0-9a-f-]{36} {2}new {2}theirs\nWould pull from .*\nc: 1 new\.\n$/);
    expect((await cli.run(['pull', place, '--all', '--json'])).json<Report>()).toMatchObject({
      direction: 'pull',
      dryRun: false,
      namespaces: [
        { namespace: 'a', new: 0 },
        { namespace: 'c', new: 1, newer: 0 },
      ],
    });
    expect((await storedContents(cli)).toSorted()).toEqual(['elsewhere', 'mine one', 'mine two', 'theirs']);
  });

  it('preview in a dry run what a push into an empty folder would send, and create no store', async () => {
    const place = join(cli.cwd, 'team');
    await seed(cli, [
      { content: 'mine one', namespace: 'a' },
      { content: 'elsewhere', namespace: 'b' },
    ]);
    const one = await cli.run(['push', place, '--namespace', 'a', '--dry-run']);
    expect(one).toMatchObject({ code: 0, stderr: `There is no store at ${place} yet; a push creates it.\n` });
    expect(one.stdout).toMatch(/^[0-9a-f-]{36} {2}new {2}mine one\nWould push to .*\na: 1 new\.\n$/);
    const { namespaces } = (await cli.run(['push', place, '--all', '--dry-run', '--json'])).json<Report>();
    expect(namespaces).toMatchObject([
      { namespace: 'a', new: 1, steps: [{ action: 'new' }] },
      { namespace: 'b', new: 1, steps: [{ action: 'new' }] },
    ]);
    expect(await readdir(cli.cwd)).toEqual([]);
  });

  it('work through the servers that have the stores open, with a key where needed', async () => {
    await using team = await startTestServer({
      keys: [{ name: 'bound', access: 'full', namespace: 'a' }],
      storage: { durability: 'process' },
    });
    const key = team.keys.get('bound')!;
    await cli.serveHere();
    await seed(cli, [
      { content: 'mine', namespace: 'a' },
      { content: 'private', namespace: 'b' },
    ]);
    expect(await cli.run(['push', team.url, '--namespace', 'a'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('An API key is required'),
    });
    expect(await cli.run(['push', team.url, '--namespace', 'b', '--key', key])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('bound'),
    });
    const pushed = await cli.run(['push', team.url, '--namespace', 'a'], { env: { SERVICE_API_KEY: key } });
    expect(pushed).toMatchObject({ code: 0, stdout: `Pushed to ${team.url}\na: 1 new.\n` });
    await team.app.memories.save({ content: 'theirs', namespace: 'a' });
    const dry = (await cli.run(['pull', team.url, '--namespace', 'a', '--key', key, '--dry-run', '--json'])).json<Report>();
    expect(dry.namespaces).toMatchObject([{ namespace: 'a', new: 1, steps: [{ action: 'new' }] }]);
    expect((await storedContents(cli)).toSorted()).toEqual(['mine', 'private']);
    expect((await cli.run(['pull', team.url, '--all', '--key', key])).stdout).toBe(`Pulled from ${team.url}\na: 1 new.\n`);
    expect((await storedContents(cli)).toSorted()).toEqual(['mine', 'private', 'theirs']);
  });

  it('report what is newer on the other side, and that the other store is this store', async () => {
    const place = join(cli.cwd, 'team');
    const [id] = await seed(cli, [{ content: 'a fact', namespace: 'a' }]);
    await cli.run(['push', place, '--all']);
    await cli.serveHere(other(place).env);
    const response = await fetch(`${cli.server!.url}/api/${id}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ content: 'a better fact' }),
    });
    expect(response.status).toBe(200);
    expect((await cli.run(['push', place, '--all'])).stdout).toBe(
      `Nothing to push to ${place}.\na: 1 entry is newer there; \`lore pull ${place}\` fetches newer entries.\n`,
    );
    expect((await cli.run(['pull', cli.server!.url, '--all'])).stdout).toBe(`Pulled from ${cli.server!.url}\na: 1 changed.\n`);
    expect(await cli.run(['pull', place], other(place))).toMatchObject({ code: 1, stderr: expect.stringContaining('this store itself') });
    expect(await cli.run(['push', 'ftp://nowhere'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('The other store must be a folder'),
    });
  });
});
