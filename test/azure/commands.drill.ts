import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeContainer, type Container } from '../helpers/azurite.ts';
import { openCli, type Cli, type Ran } from '../helpers/cli.ts';

let container: Container;
let cli: Cli;
beforeAll(async () => {
  [container, cli] = await Promise.all([makeContainer(), openCli()]);
});
afterAll(() => cli[Symbol.asyncDispose]());

function lore(...args: string[]): Promise<Ran> {
  const env = {
    SERVICE_STORAGE_PATH: container.uri,
    SERVICE_STORAGE_OPTIONS: JSON.stringify(container.options),
    SERVICE_EMBEDDINGS_PROVIDER: 'builtin',
  };
  return cli.run(args, { env });
}

describe('commands on a store of object storage', () => {
  it('make it, and find there what other commands saved', async () => {
    expect(await lore('save', 'the kettle whistles at noon')).toMatchObject({ code: 0 });
    const found = await lore('recall', 'kettle', '--json');
    expect(found.json<{ results: { entry: { content: string } }[] }>().results.map(({ entry }) => entry.content)).toEqual([
      'the kettle whistles at noon',
    ]);
  });

  it.each([
    ['backup', 'now'],
    ['backup', 'list'],
    ['backup', 'restore', '2026-01-31T12-00-00.000Z', '--yes'],
  ])('refuse `%s %s`, saying what to do instead', async (...args) => {
    const { code, stderr } = await lore(...args);
    expect(code).toBe(2);
    expect(stderr).toContain('The store is on object storage: Lore makes and restores no backups of it.');
    expect(stderr).toContain('versioning');
  });

  it('refuse to repair it, and to open the page of a server that nothing names', async () => {
    expect((await lore('doctor', '--repair')).stderr).toContain('The store is on object storage: Lore cannot repair its files.');
    const opened = await lore('open', '--print');
    expect(opened.code).toBe(4);
    expect(opened.stderr).toContain('--url');
  });

  it('check it without a word on disks and backups, and show no key', async () => {
    const { stdout } = await lore('doctor', '--json');
    const { surroundings, store, findings } = JSON.parse(stdout) as Record<string, unknown>;
    expect(surroundings).toMatchObject({ onDisk: false });
    expect(surroundings).not.toHaveProperty('disk');
    expect(surroundings).not.toHaveProperty('backupFolder');
    expect(store).toMatchObject({ entries: 1 });
    expect(JSON.stringify(findings)).not.toContain('backup');
    expect((await lore('config')).stdout + stdout).not.toContain(container.options['azure_storage_account_key']);
  });
});
