import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openCli, type RunOptions } from '../helpers/cli.ts';
import { SERVICE_KEY, startLanceService, type LanceService } from '../helpers/lancedb-service.ts';

const on = ({ url }: LanceService, key: string | undefined = SERVICE_KEY): RunOptions => ({
  env: { SERVICE_STORAGE_PATH: 'db://team', SERVICE_STORAGE_OPTIONS: `hostOverride=${url}`, LANCEDB_API_KEY: key },
});

describe('the command line on a store in LanceDB Cloud', () => {
  it('uses the server that has the store, finds entries saved before a kill, and flushes them', async () => {
    await using service = await startLanceService();
    await using cli = await openCli();
    const server = await cli.serve([], on(service));
    service.isBusy = true;
    expect((await cli.run(['save', 'The ferry leaves at noon'], on(service))).code).toBe(0);
    await server.stop('SIGKILL');
    expect(await service.rows('entries')).toEqual([]);
    service.isBusy = false;
    const found = await cli.run(['recall', 'when does the ferry leave', '--json'], on(service));
    expect(found.stdout).toContain('The ferry leaves at noon');
    const again = await cli.serve([], on(service));
    await expect.poll(async () => (await service.rows('entries')).length, { timeout: 15_000 }).toBe(1);
    expect((await again.stop()).code).toBe(0);
  });

  it('makes backups at the given location, and restores one into a folder', async () => {
    await using service = await startLanceService();
    await using cli = await openCli();
    const { env } = on(service);
    const options = { env: { ...env, SERVICE_STORAGE_BACKUP_PATH: join(cli.home, 'backups') } };
    await cli.run(['save', 'The ferry leaves at noon'], options);
    const { name } = (await cli.run(['backup', 'now', '--json'], options)).json<{ name: string }>();
    expect((await cli.run(['backup', 'verify', name], options)).stdout).toBe(`${name} is whole: 1 entry.\n`);
    const to = join(cli.home, 'restored');
    const restored = await cli.run(['backup', 'restore', name, '--to', to], options);
    expect(restored.stdout).toContain(`set storage.path to ${to}`);
    expect((await cli.run(['list', '--all'], { env: { SERVICE_STORAGE_PATH: to } })).stdout).toContain('The ferry leaves at noon');
  });

  it('reports what is missing or wrong, and what to do', async () => {
    await using service = await startLanceService();
    await using cli = await openCli();
    const without = await cli.run(['list'], on(service, ''));
    expect([without.code, without.stderr]).toEqual([expect.any(Number), expect.stringContaining('LANCEDB_API_KEY') as string]);
    expect(without.code).not.toBe(0);
    const wrong = await cli.run(['list'], on(service, 'sk_wrong'));
    expect(wrong.stderr).toContain('LanceDB Cloud denies access to this key');
    expect(wrong.stderr).not.toContain('sk_wrong');
    const backup = await cli.run(['backup', 'now'], on(service));
    expect(backup.stderr).toContain('The store is in LanceDB Cloud: no location for its backups is set.');
    const repair = await cli.run(['doctor', '--repair', '--dry-run'], on(service));
    expect(repair.stderr).toContain('Lore cannot repair its files');
    const shown = await cli.run(['config'], on(service));
    expect(shown.stdout).toContain('db://team');
    expect(shown.stdout).not.toContain(service.url);
  });
});
