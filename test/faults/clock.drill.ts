import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openCli, type Cli } from '../helpers/cli.ts';
import { has } from '../helpers/machine.ts';
import { Acknowledged, call, everything } from './server-calls.ts';

/** The library behind the program `faketime`: it reads the offset from a file again and again, so the clock can be set while a process runs. */
const LIBRARY = has('faketime') ? faketimeLibrary() : undefined;
const YEAR_S = 365 * 86_400;

function faketimeLibrary(): string | undefined {
  const folders = ['/usr/lib', '/usr/local/lib', '/usr/lib64'].filter(existsSync);
  const found = folders.flatMap((folder) => [folder, ...readdirSync(folder).map((name) => join(folder, name))]);
  return found.map((folder) => join(folder, 'faketime/libfaketime.so.1')).find(existsSync);
}

let cli: Cli;
beforeEach(async () => {
  cli = await openCli();
});
afterEach(() => cli[Symbol.asyncDispose]());

describe.skipIf(LIBRARY === undefined)(
  'a clock that changes while the server runs (skipped without faketime)',
  { timeout: 180_000 },
  () => {
    it('by years in either direction loses, archives and reorders nothing, also after a restart', async () => {
      const store = join(cli.home, 'store');
      const backups = join(cli.home, 'backups');
      const clock = join(cli.home, 'clock');
      const set = (seconds: number): void => writeFileSync(clock, `${seconds < 0 ? '' : '+'}${seconds}`);
      set(0);
      const env = { SERVICE_STORAGE_PATH: store, SERVICE_STORAGE_BACKUP_PATH: backups, SERVICE_SERVER_RATE_LIMIT_ENABLED: 'true' };
      const faked = {
        ...env,
        LD_PRELOAD: LIBRARY,
        FAKETIME_TIMESTAMP_FILE: clock,
        FAKETIME_NO_CACHE: '1',
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
      };
      const server = await cli.serve([], { env: faked });
      const kept = new Acknowledged();
      const yearOf = async (): Promise<number> =>
        new Date(String((await call(server.url, 'GET', '/api/health?form=guide')).body['timestamp'])).getFullYear();
      const year = await yearOf();
      const order: string[] = [];
      for (const [round, offset] of [0, 10 * YEAR_S, -6 * YEAR_S, 20 * YEAR_S, 0].entries()) {
        set(offset);
        expect(Math.abs((await yearOf()) - year - Math.round(offset / YEAR_S))).toBeLessThanOrEqual(1);
        for (let n = 0; n < 3; n += 1) {
          const content = `round ${round} note ${n} of the sundial`;
          expect((await kept.save(server.url, content)).status).toBe(200);
          order.unshift(content);
        }
        expect((await call(server.url, 'POST', '/api/compact', {})).status).toBe(200);
        expect(await listed(server.url)).toEqual(order);
        const found = await call(server.url, 'POST', '/api/recall', { query: 'sundial', namespace: 'faults', limit: 50 });
        expect((found.body['results'] as unknown[]).length).toBe(order.length);
        expect((await cli.run(['backup', 'now'], { env })).code).toBe(0);
      }
      expect((await cli.run(['list', '--all'], { env })).code).toBe(0);
      const { body } = await call(server.url, 'GET', '/api/backups');
      expect((body['backups'] as unknown[]).length).toBe(5);
      expect(await server.stop()).toEqual({ code: 0, signal: null });

      const second = await cli.serve([], { env });
      expect(kept.differences(await everything(second.url))).toEqual([]);
      expect(await listed(second.url)).toEqual(order);
      const [id = ''] = kept.saved.keys();
      const patched = await call(second.url, 'PATCH', `/api/${id}`, { content: 'changed with the clock right again' });
      expect(patched.status).toBe(200);
      kept.saved.set(id, 'changed with the clock right again');
      await second.stop('SIGKILL');
      const third = await cli.serve([], { env });
      expect(kept.differences(await everything(third.url))).toEqual([]);
      expect(await third.stop()).toEqual({ code: 0, signal: null });
    });

    it('by a lot leaves an old lock ineffective and a held lock effective', async () => {
      const env = { SERVICE_STORAGE_PATH: join(cli.home, 'store') };
      const ahead = { ...env, LD_PRELOAD: LIBRARY, FAKETIME: '+9y', FAKETIME_DONT_FAKE_MONOTONIC: '1' };
      const killed = await cli.serve([], { env: ahead });
      expect((await call(killed.url, 'POST', '/api/save', { content: 'from years ahead', namespace: 'faults' })).status).toBe(200);
      expect((await cli.run(['serve', '--port', '0'], { env })).code).toBe(2);
      await killed.stop('SIGKILL');
      // What a takeover that was killed left, in the future of the clock that is right.
      const gate = join(cli.home, 'store', 'lore.lock.takeover');
      mkdirSync(gate);
      utimesSync(gate, new Date(Date.now() + YEAR_S * 9000), new Date(Date.now() + YEAR_S * 9000));
      const next = await cli.serve([], { env });
      expect((await everything(next.url)).map(({ content }) => content)).toEqual(['from years ahead']);
      expect(await next.stop()).toEqual({ code: 0, signal: null });
    });
  },
);

/** Contents as they are listed, newest first. */
async function listed(url: string): Promise<string[]> {
  const { body } = await call(url, 'GET', '/api/list?namespace=faults&limit=100');
  return (body['entries'] as { content: string }[]).map(({ content }) => content);
}
