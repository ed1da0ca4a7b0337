import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeContainer, type Container } from '../helpers/azurite.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { openSharedStore } from '../helpers/shared-store.ts';
import { openCli, type Cli, type Ran } from '../helpers/cli.ts';

/** As long as the commands assume. */
const LEASE_MS = 15_000;

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

describe('commands on a store in object storage', () => {
  it('create the store, and find what other commands saved', async () => {
    expect(await lore('save', 'the kettle whistles at noon')).toMatchObject({ code: 0 });
    const found = await lore('recall', 'kettle', '--json');
    expect(found.json<{ results: { entry: { content: string } }[] }>().results.map(({ entry }) => entry.content)).toEqual([
      'the kettle whistles at noon',
    ]);
  });

  it.each([
    ['backup', 'now'],
    ['backup', 'list'],
    ['backup', 'restore', '2026-01-31T12-00-00.000Z', '--to', 'az://memories/new'],
  ])('refuse `%s %s` if no backup location is set, and say what to set', async (...args) => {
    const { code, stderr } = await lore(...args);
    expect(code).toBe(2);
    expect(stderr).toContain('The store is on object storage: no location for its backups is set.');
    expect(stderr).toContain('storage.backupPath');
  });

  it('refuse to restore a backup over the store, and to create a store at an impossible location', async () => {
    const name = '2026-01-31T12-00-00.000Z';
    const { code, stderr } = await lore('backup', 'restore', name, '--yes');
    expect(code).toBe(2);
    expect(stderr).toContain('restore the backup to a new location; it never replaces this store');
    expect((await lore('backup', 'restore', name, '--to', 'https://elsewhere/new')).stderr).toContain('--to must be a folder, or a URI');
  });

  it('refuse to repair the store, and to open the page without a server address', async () => {
    expect((await lore('doctor', '--repair')).stderr).toContain('The store is on object storage: Lore cannot repair its files.');
    const opened = await lore('open', '--print');
    expect(opened.code).toBe(4);
    expect(opened.stderr).toContain('--url');
  });

  it('report that entries have had no backup for a week, and what to set', async () => {
    const other = await makeContainer();
    const env = { SERVICE_STORAGE_PATH: other.uri, SERVICE_STORAGE_OPTIONS: JSON.stringify(other.options) };
    const line = JSON.stringify({ content: 'From last year', metadata: { timestamp: '2025-01-01T00:00:00Z' } });
    await cli.run(['import', '-', '--format', 'jsonl'], { env, input: line });
    const { code, stdout } = await cli.run(['doctor', '--json'], { env });
    expect(code).toBe(1);
    const { findings } = JSON.parse(stdout) as { findings: unknown[] };
    expect(findings).toEqual([
      {
        about: 'backups',
        problem: expect.stringContaining('There is no backup') as string,
        fix: expect.stringContaining('Set storage.backupPath') as string,
      },
    ]);
    expect((await cli.run(['doctor'], { env })).stdout).toContain('none: storage.backupPath is not set');
  });

  it('do not report a missing server, because another machine may run one', async () => {
    const { stdout } = await lore('doctor', '--status');
    expect(stdout).toMatch(/^Server +none named; others may use this store, --url asks one$/m);
  });

  it('report that they cannot see the versioning, and name the command that shows it', async () => {
    const command = 'az storage account blob-service-properties show --account-name ACCOUNT';
    const shown = `Lore cannot see it; \`${command}\` shows it`;
    expect((await lore('doctor', '--status')).stdout).toMatch(new RegExp(`^Versioning +${shown}$`, 'm'));
    expect((await lore('doctor')).stdout).toMatch(
      new RegExp(`^Versioning +${shown}. If it is on, deleted data stays there, and costs`, 'm'),
    );
    const versioning = { state: 'unknown', command };
    expect((await lore('doctor', '--status', '--json')).json()).toMatchObject({ versioning });
    // What cannot be seen is no finding.
    expect((await lore('doctor', '--json')).json()).toMatchObject({ healthy: true, store: { versioning } });
  });

  it('report how many servers use it, without counting themselves', async () => {
    const servers = async (): Promise<unknown> => (await lore('doctor', '--status', '--json')).json<{ storage: unknown }>().storage;
    expect(await servers()).toMatchObject({ servers: 0 });
    await using own = await temporaryFolder();
    const { options } = container;
    const stores = [
      await openSharedStore(container.uri, own.path, { options, name: 'a', leaseMs: LEASE_MS }),
      await openSharedStore(container.uri, own.path, { options, name: 'b', leaseMs: LEASE_MS }),
    ];
    await expect.poll(() => Promise.all(stores.map((store) => store.catchUp().then(() => store.figures.servers)))).toEqual([2, 2]);
    expect(await servers()).toMatchObject({ servers: 2 });
    expect((await lore('doctor', '--status')).stdout).toMatch(/^Servers +2$/m);
    expect((await lore('doctor')).stdout).toMatch(/^Servers +2$/m);
    await stores[1]?.close();
    expect(await servers()).toMatchObject({ servers: 1 });
    await stores[0]?.close();
  });

  it('check the store without findings on disks and backups, and show no key', async () => {
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
