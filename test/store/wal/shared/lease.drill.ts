import { beforeEach, expect, it } from 'vitest';
import { silentLog } from '../../../../src/memory/log.ts';
import { LeaseKeeper } from '../../../../src/store/wal/shared/lease.ts';
import { temporaryFolder } from '../../../helpers/folder.ts';
import { createTestLog, HEAD, openTestLog, type TestLog } from '../../../helpers/shared-log.ts';

const LEASE_MS = 60_000;

/** How many heartbeats a server has read. */
const beatsOf = ({ told }: TestLog): number => told.filter(({ kind }) => kind === 'beat').length;

/** The time of all servers, which passes where a test says so. */
let clock = 0;
const now = (): number => clock;
beforeEach(() => void (clock = 0));

it('is taken by one of several concurrent servers', async () => {
  await using folder = await temporaryFolder();
  await createTestLog(folder.path);
  const servers = await Promise.all([1, 2, 3].map(() => openTestLog(folder.path)));
  const taken = await Promise.all(servers.map(({ shared }) => shared.takeLease()));
  expect(taken.filter(Boolean)).toHaveLength(1);
  const holder = servers.find(({ shared }) => shared.isHolder)?.shared.server;
  for (const { shared } of servers) {
    await shared.refresh();
    expect(shared.holder?.server).toBe(holder);
  }
  await Promise.all(servers.map(({ shared }) => shared.close()));
});

it('is not taken from a holder that renews it, but from one that does not', async () => {
  await using folder = await temporaryFolder();
  await createTestLog(folder.path);
  const [first, second] = [await openTestLog(folder.path, { now: () => 0 }), await openTestLog(folder.path, { now })];
  expect(await first.shared.takeLease()).toBe(true);
  await second.shared.refresh();
  clock += LEASE_MS;
  expect(await first.shared.beat()).toBe(true);
  // What counts is when this server sees it, not when the holder wrote it.
  expect(await second.shared.takeLease()).toBe(false);
  clock += LEASE_MS - 1;
  expect(await second.shared.takeLease()).toBe(false);
  clock += 1;
  expect(await second.shared.takeLease()).toBe(true);
  await Promise.all([first, second].map(({ shared }) => shared.close()));
});

it('fences off a replaced holder', async () => {
  await using folder = await temporaryFolder();
  await createTestLog(folder.path);
  const [first, second] = [await openTestLog(folder.path), await openTestLog(folder.path, { now })];
  expect(await first.shared.takeLease()).toBe(true);
  const mark = await first.shared.mark();
  await second.shared.refresh();
  clock += LEASE_MS;
  expect(await second.shared.takeLease()).toBe(true);
  expect(first.shared.isHolder).toBe(true);
  expect(await first.shared.publish(mark ?? { segment: 0, row: 0 }, HEAD)).toBe(false);
  expect(first.shared.isHolder).toBe(false);
  expect(await first.shared.mark()).toBeUndefined();
  expect(await first.shared.closeSegment()).toBe(false);
  expect(await first.shared.beat()).toBe(false);
  const late = await openTestLog(folder.path);
  expect(late.shared.beginning.events.filter(({ server }) => server === first.shared.server).map(({ kind }) => kind)).toEqual([
    'lease',
    'mark',
  ]);
  await Promise.all([first, second, late].map(({ shared }) => shared.close()));
});

it('expires for a holder that could not renew it', async () => {
  await using folder = await temporaryFolder();
  await createTestLog(folder.path);
  const { shared } = await openTestLog(folder.path, { now });
  expect(await shared.takeLease()).toBe(true);
  clock += LEASE_MS;
  expect(shared.isHolder).toBe(false);
  expect(shared.holder?.server).toBe(shared.server);
  // Nobody took it meanwhile.
  expect(await shared.takeLease()).toBe(true);
  await shared.close();
});

it('is free at once when its holder releases it', async () => {
  await using folder = await temporaryFolder();
  await createTestLog(folder.path);
  const [first, second] = [await openTestLog(folder.path), await openTestLog(folder.path)];
  expect(await first.shared.takeLease()).toBe(true);
  expect(await second.shared.takeLease()).toBe(false);
  await first.shared.release();
  expect(first.shared.isHolder).toBe(false);
  expect(await second.shared.takeLease()).toBe(true);
  await Promise.all([first, second].map(({ shared }) => shared.close()));
});

it('is renewed by a keeper, and released when that stops', async () => {
  await using folder = await temporaryFolder();
  await createTestLog(folder.path);
  const [first, second] = [await openTestLog(folder.path, { now }), await openTestLog(folder.path, { now })];
  const keepers = [first, second].map(({ shared }) => new LeaseKeeper({ shared, leaseMs: 60, log: silentLog }));
  keepers[0]?.start();
  await expect.poll(() => first.shared.isHolder).toBe(true);
  keepers[1]?.start();
  // Five leases, half a lease at a time. Of the beats after each step the first one may have begun before it, and the last one not have ended.
  for (let steps = 1; steps <= 10; steps += 1) {
    clock += LEASE_MS / 2;
    const before = [first, second].map(beatsOf);
    for (const [index, log] of [first, second].entries()) await expect.poll(() => beatsOf(log)).toBeGreaterThanOrEqual(before[index]! + 3);
  }
  expect(first.shared.isHolder).toBe(true);
  expect(first.told.filter(({ kind }) => kind === 'lease')).toHaveLength(1);
  await keepers[0]?.stop();
  await expect.poll(() => second.shared.isHolder).toBe(true);
  await keepers[1]?.stop();
  await keepers[1]?.stop();
  expect(second.shared.holder).toBeUndefined();
  await Promise.all([first, second].map(({ shared }) => shared.close()));
});
