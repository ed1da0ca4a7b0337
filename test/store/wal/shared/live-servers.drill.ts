import { beforeEach, expect, it } from 'vitest';
import { silentLog } from '../../../../src/memory/log.ts';
import { LeaseKeeper } from '../../../../src/store/wal/shared/lease.ts';
import { temporaryFolder } from '../../../helpers/folder.ts';
import { createTestLog, openTestLog, removal } from '../../../helpers/shared-log.ts';

const LEASE_MS = 60_000;
/** After this time without a sign of life a server does not count. */
const SILENT_MS = 5 * LEASE_MS;

/** The time of all servers, which passes where a test says so. */
let clock = 0;
const now = (): number => clock;
beforeEach(() => void (clock = 0));

it('counts servers with and without the lease, but no command that only saves', async () => {
  await using folder = await temporaryFolder();
  await createTestLog(folder.path);
  const [first, second, command] = [await openTestLog(folder.path), await openTestLog(folder.path), await openTestLog(folder.path)];
  expect(first.shared.servers).toBe(0);
  await first.shared.takeLease();
  await second.shared.renewPresence();
  while (!(await command.shared.append([removal('a')])));
  await first.shared.refresh();
  expect([first, second, command].map(({ shared }) => shared.servers)).toEqual([2, 2, 2]);
  expect(first.shared.isHolder).toBe(true);
  // It is never seen, so it has nothing to end.
  await command.shared.release();
  const late = await openTestLog(folder.path);
  expect(late.shared.servers).toBe(2);
  await Promise.all([first, second, command, late].map(({ shared }) => shared.close()));
});

it('stops counting a server at once when it stops, and a killed one after five lease times', async () => {
  await using folder = await temporaryFolder();
  await createTestLog(folder.path);
  const servers = [
    await openTestLog(folder.path, { now }),
    await openTestLog(folder.path, { now }),
    await openTestLog(folder.path, { now }),
  ];
  const [holder, stopped, killed] = servers.map(({ shared }) => shared);
  await holder?.takeLease();
  await stopped?.renewPresence();
  await killed?.renewPresence();
  await holder?.refresh();
  expect(holder?.servers).toBe(3);
  await stopped?.release();
  await holder?.refresh();
  expect(holder?.servers).toBe(2);
  await killed?.close();
  clock += SILENT_MS;
  expect(await holder?.beat()).toBe(true);
  expect(holder?.servers).toBe(2);
  clock += 1;
  expect(holder?.servers).toBe(1);
  await Promise.all([holder?.close(), stopped?.close()]);
});

it('keeps counting an idle server by its heartbeat', async () => {
  await using folder = await temporaryFolder();
  await createTestLog(folder.path);
  const [first, second] = [await openTestLog(folder.path, { now }), await openTestLog(folder.path, { now })];
  await first.shared.takeLease();
  const keeper = new LeaseKeeper({ shared: second.shared, leaseMs: 60, log: silentLog });
  keeper.start();
  await expect.poll(() => second.shared.servers).toBe(2);
  // Longer than a server without a sign of life counts; half a lease after one another, so that the holder keeps it.
  for (let beats = 1; beats <= 12; beats += 1) {
    clock += LEASE_MS / 2;
    await first.shared.beat();
    await expect.poll(() => second.told.filter(({ kind }) => kind === 'beat')).toHaveLength(beats);
  }
  await expect.poll(() => first.shared.refresh().then(() => first.shared.servers)).toBe(2);
  expect(first.shared.isHolder).toBe(true);
  expect(first.told.map(({ server }) => server)).not.toContain(second.shared.server);
  await keeper.stop();
  await first.shared.refresh();
  expect(first.shared.servers).toBe(1);
  await Promise.all([first, second].map(({ shared }) => shared.close()));
});
