import { expect, it } from 'vitest';
import { silentLog } from '../../../../src/memory/log.ts';
import { SharedWal } from '../../../../src/store/wal/shared/shared-wal.ts';
import { temporaryFolder } from '../../../helpers/folder.ts';
import { createTestLog, openTestLog, removal, removedIds, type TestLog } from '../../../helpers/shared-log.ts';

/** Of a lease: a third passes between two beats. */
const LEASE_MS = 600;
const SAVES = 560;

/** The log as a server that maintains the store has it. */
async function openMaintainer(folder: string): Promise<{ wal: SharedWal; log: TestLog }> {
  const heard: { by?: SharedWal } = {};
  const told: TestLog['told'] = [];
  const { shared } = await openTestLog(folder, {
    leaseMs: LEASE_MS,
    onEvent: (event) => {
      told.push(event);
      heard.by?.hear(event);
    },
  });
  const wal = new SharedWal(shared, { leaseMs: LEASE_MS, mayMaintain: true, log: silentLog, onLost() {} });
  heard.by = wal;
  wal.begin();
  await expect.poll(() => wal.maintains).toBe(true);
  return { wal, log: { shared, told } };
}

it('continues in a new segment if writers leave no time for a checkpoint, and requests one', async () => {
  await using folder = await temporaryFolder();
  await createTestLog(folder.path);
  const { wal, log } = await openMaintainer(folder.path);
  expect(wal.isLong).toBe(false);
  let longest = 0;
  for (let nth = 0; nth < SAVES; nth += 1) {
    while (!(await wal.append([removal(`r${nth}`)], wal.reported)));
    longest = Math.max(longest, log.shared.segmentRows);
  }
  expect(longest).toBeLessThan(SAVES);
  expect(wal.isLong).toBe(true);
  const ids = Array.from({ length: SAVES }, (_, nth) => `r${nth}`);
  expect(removedIds(log.told)).toEqual(ids);
  const late = await openTestLog(folder.path);
  expect(removedIds(late.shared.beginning.events)).toEqual(ids);
  await late.shared.close();
  await wal.close();
});
