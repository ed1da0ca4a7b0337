import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Entry } from '../../src/memory/entry.ts';
import type { EntryHistory } from '../../src/memory/operations/lifecycle-operations.ts';
import type { EntryPage } from '../../src/memory/operations/operations.ts';
import { makeContainer, objectsOf, type Container } from '../helpers/azurite.ts';
import { openCli, type Cli, type Ran, type Served } from '../helpers/cli.ts';
import { seed, storedContents } from '../helpers/cli-store.ts';

let container: Container;
let cli: Cli;
let id: string;
beforeAll(async () => {
  [container, cli] = await Promise.all([makeContainer(), openCli()]);
  [id] = (await seed(cli, [
    { content: 'a fact', namespace: 'a' },
    { content: 'elsewhere', namespace: 'b' },
  ])) as [string];
});
afterAll(() => cli[Symbol.asyncDispose]());

/** In a store of this machine, by default that of the user; how to reach object storage is in its settings. */
function lore(args: readonly string[], path?: string): Promise<Ran> {
  return cli.run(args, { env: settings(path) });
}

function settings(path?: string): Record<string, string> {
  return {
    SERVICE_STORAGE_OPTIONS: JSON.stringify(container.options),
    SERVICE_STORAGE_LOCAL_PATH: join(cli.home, 'notes'),
    ...(path !== undefined && { SERVICE_STORAGE_PATH: path }),
  };
}

async function entriesOf(path?: string): Promise<readonly Entry[]> {
  return (await lore(['list', '--all', '--sort=createdAt', '--json'], path)).json<EntryPage>().entries;
}

const contentsOf = async (path?: string): Promise<string[]> => (await entriesOf(path)).map(({ content }) => content).toSorted();

async function changed(server: Served, content: string): Promise<void> {
  const response = await fetch(`${server.url}/api/${id}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ content }),
  });
  expect(response.status).toBe(200);
}

/** What the history of the entry keeps in a store. */
async function earlierContents(path?: string): Promise<string> {
  return JSON.stringify((await lore(['history', id, '--json'], path)).json<EntryHistory>());
}

describe('lore push and lore pull with a store on object storage', () => {
  it('create nothing if there is no store when they pull or do a dry run, here or on object storage', async () => {
    const refused = { code: 1, stdout: '', stderr: expect.stringContaining(`There is no store at ${container.uri}.`) };
    expect(await lore(['pull', container.uri, '--all'])).toMatchObject(refused);
    expect(await lore(['pull', container.uri, '--all', '--dry-run'])).toMatchObject(refused);
    const foreseen = await lore(['push', container.uri, '--all', '--dry-run']);
    expect(foreseen).toMatchObject({ code: 0, stderr: `There is no store at ${container.uri} yet; a push creates it.\n` });
    expect(foreseen.stdout).toContain(`Would push to ${container.uri}\na: 1 new.\nb: 1 new.\n`);
    expect(await objectsOf(container)).toEqual([]);
    expect(existsSync(join(cli.home, 'notes'))).toBe(false);
  });

  it('create it by the first push, and have nothing to do the second time', async () => {
    expect(await lore(['push', container.uri, '--all'])).toMatchObject({
      code: 0,
      stdout: `Pushed to ${container.uri}\na: 1 new.\nb: 1 new.\n`,
      stderr: '',
    });
    expect((await objectsOf(container)).length).toBeGreaterThan(0);
    expect(await lore(['push', `${container.uri}/`, '--all'])).toMatchObject({
      code: 0,
      stdout: `Nothing to push to ${container.uri}/.\n`,
    });
    expect(await contentsOf(container.uri)).toEqual(['a fact', 'elsewhere']);
  });

  it('do not treat the address as a folder, and keep notes where the settings say', async () => {
    expect(await readdir(cli.cwd)).toEqual([]);
    expect((await readdir(join(cli.home, 'notes'))).length).toBeGreaterThan(0);
  });

  it('copy everything into an empty store', async () => {
    const colleague = join(cli.home, 'colleague');
    expect(await lore(['pull', container.uri, '--all'], colleague)).toMatchObject({
      code: 0,
      stdout: `Pulled from ${container.uri}\na: 1 new.\nb: 1 new.\n`,
    });
    expect(await contentsOf(colleague)).toEqual(['a fact', 'elsewhere']);
  });

  it('keep the later change, also through the servers of both, and record the other in the history', async () => {
    const team = await cli.serve([], {
      env: { ...settings(container.uri), SERVICE_STORAGE_LOCAL_PATH: join(cli.home, 'team'), SERVICE_MEMORY_NAMESPACE: 'team' },
    });
    const own = await cli.serve([], { env: settings() });
    await changed(team, 'a fact of the team');
    await changed(own, 'a fact of mine');
    const pushed = (await lore(['push', container.uri, '--all'])).stdout;
    expect(pushed).toMatch(`Pushed to ${container.uri}\na: 1 changed.\na: 1 entry was edited on both sides; the later edit won.`);
    expect(pushed).toContain('"a fact of the team"');
    expect(await earlierContents(container.uri)).toContain('a fact of the team');
    expect(await contentsOf(container.uri)).toEqual(['a fact of mine', 'elsewhere']);
    await changed(own, 'a fact of mine, again');
    await changed(team, 'the last word of the team');
    expect((await lore(['push', container.uri, '--all'])).stdout).toBe(
      `Nothing to push to ${container.uri}.\na: 1 entry is newer there; \`lore pull ${container.uri}\` fetches newer entries.\n`,
    );
    const pulled = (await lore(['pull', container.uri, '--all'])).stdout;
    expect(pulled).toMatch(`Pulled from ${container.uri}\na: 1 changed.\na: 1 entry was edited on both sides; the later edit won.`);
    expect(pulled).toContain('"a fact of mine, again"');
    expect((await storedContents(cli)).toSorted()).toEqual(['elsewhere', 'the last word of the team']);
    expect(await earlierContents()).toContain('a fact of mine, again');
    expect((await own.stop()).code).toBe(0);
    expect((await team.stop()).code).toBe(0);
  }, 180_000);

  it('report that a store is this same store, and what prevents access to another', async () => {
    expect(await lore(['push', container.uri], container.uri)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('this store itself'),
    });
    const missing = await lore(['pull', 'az://not-there/lore', '--all']);
    expect(missing.code).not.toBe(0);
    expect(missing.stderr).toContain('The bucket or container does not exist.');
    expect((await lore(['pull', 'az://key@not-there/lore', '--all'])).code).toBe(1);
  });
});
