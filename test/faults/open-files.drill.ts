import { execFileSync } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openCli, type Cli } from '../helpers/cli.ts';
import { has, isRoot, mayMount } from '../helpers/machine.ts';
import { Acknowledged, call, exported } from './server-calls.ts';

let cli: Cli;
beforeEach(async () => {
  cli = await openCli();
});
afterEach(() => cli[Symbol.asyncDispose]());

const hasLimits = has('prlimit');
const hasUsers = isRoot && has('setpriv');

describe.skipIf(!hasLimits)('a server with too few open files (skipped without prlimit)', { timeout: 120_000 }, () => {
  it('recovers when connections are closed, and loses nothing', async () => {
    const store = join(cli.home, 'store');
    const env = { SERVICE_STORAGE_PATH: store, SERVICE_SERVER_MAX_CONNECTIONS: '5000' };
    const server = await cli.serve([], { env, under: ['prlimit', '--nofile=160:160'] });
    const kept = new Acknowledged();
    for (let n = 0; n < 20; n += 1) expect((await kept.save(server.url, `before ${n}`)).status).toBe(200);
    const port = Number(new URL(server.url).port);
    const crowd: Socket[] = [];
    for (let n = 0; n < 300; n += 1) {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      crowd.push(socket);
    }
    const refusals = new Set<number>();
    // Some of these are answered, some refused, some wait in vain.
    await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        const content = `in the crowd ${n}`;
        const headers = { 'content-type': 'application/json' };
        const body = JSON.stringify({ content, namespace: 'faults' });
        const signal = AbortSignal.timeout(1_500);
        const response = await fetch(`${server.url}/api/save`, { method: 'POST', headers, body, signal }).catch(() => undefined);
        if (response?.status === 200) kept.saved.set(((await response.json()) as { ids: [string] }).ids[0], content);
        else if (response !== undefined) refusals.add(response.status);
      }),
    );
    for (const status of refusals) expect(status).toBe(503);
    for (const socket of crowd) socket.destroy();
    await expect
      .poll(
        () =>
          kept.save(server.url, 'after the crowd').then(
            ({ status }) => status,
            () => 0,
          ),
        { timeout: 60_000 },
      )
      .toBe(200);
    const { status } = await call(server.url, 'POST', '/api/recall', { query: 'before', namespace: 'faults' });
    expect(status).toBe(200);
    expect(await server.stop()).toEqual({ code: 0, signal: null });
    expect(kept.differences(await exported(cli, store))).toEqual([]);
  });
});

describe.skipIf(!mayMount)(
  'a store on a read-only file system (skipped where file systems cannot be mounted)',
  { timeout: 120_000 },
  () => {
    it('is refused with one clear line by server and commands, and stays unchanged', async () => {
      const store = join(cli.home, 'store');
      const env = { SERVICE_STORAGE_PATH: store };
      expect((await cli.run(['save', 'written before'], { env })).code).toBe(0);
      execFileSync('mount', ['--bind', store, store]);
      execFileSync('mount', ['-o', 'remount,ro,bind', store]);
      try {
        for (const args of [['serve', '--port', '0'], ['save', 'x'], ['export']]) {
          const { code, stdout, stderr } = await cli.run(args, { env });
          expect([args[0], code, stdout]).toEqual([args[0], 2, '']);
          expect(stderr).toMatch(/^error: .*read-only file system.*\nhint: .*\n$/);
        }
      } finally {
        execFileSync('umount', ['-l', store]);
      }
      expect((await cli.run(['list', '--all'], { env })).stdout).toContain('written before');
    });
  },
);

describe.skipIf(!hasUsers)('a store of another user (skipped unless root, or without setpriv)', { timeout: 120_000 }, () => {
  it('is refused with one clear line that names the folder', async () => {
    const store = join(cli.home, 'store');
    expect((await cli.run(['save', 'of root'], { env: { SERVICE_STORAGE_PATH: store } })).code).toBe(0);
    const home = await mkdtemp(join(tmpdir(), 'lore-nobody-'));
    try {
      await chmod(home, 0o777);
      // The way to the store is open, the store is not.
      for (const folder of [cli.home, join(cli.home, '..')]) await chmod(folder, 0o755);
      const under = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] as const;
      for (const args of [['serve', '--port', '0'], ['list']]) {
        const ran = await cli.run(args, { env: { SERVICE_STORAGE_PATH: store, HOME: home }, cwd: home, under: [...under] });
        expect(ran).toMatchObject({ code: 2, stdout: '' });
        expect(ran.stderr).toMatch(new RegExp(`^error: The store folder ${store} cannot be used\\.\nhint: .*\n$`));
      }
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  });
});
