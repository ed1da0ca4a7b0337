import { expect, it } from 'vitest';
import { connect } from '../../../../src/store/backends/connection.ts';
import { temporaryFolder } from '../../../helpers/folder.ts';
import { createTestLog, HEAD, openTestLog, removal, removedIds, type TestLog } from '../../../helpers/shared-log.ts';

async function segmentsIn(folder: string): Promise<string[]> {
  const connection = await connect(folder);
  const names = await connection.tableNames();
  connection.close();
  return names.filter((name) => name.startsWith('log_'));
}

/** What a maintainer does in one cycle, as far as the log goes. */
async function publishAndSeal({ shared }: TestLog, version: number): Promise<void> {
  const mark = await shared.mark();
  if (mark === undefined) throw new Error('Not the holder.');
  expect(await shared.publish(mark, { ...HEAD, entries: [{ version, rows: 0 }] })).toBe(true);
  expect(await shared.closeSegment()).toBe(true);
}

it('continues after a segment with the same numbers, holder and order', async () => {
  await using folder = await temporaryFolder();
  await createTestLog(folder.path);
  const [first, second] = [await openTestLog(folder.path), await openTestLog(folder.path)];
  expect(await first.shared.takeLease()).toBe(true);
  expect(await first.shared.append([removal('a')])).toBe(true);
  expect(await first.shared.closeSegment()).toBe(true);
  expect(first.shared.segmentRows).toBe(1);
  expect(await first.shared.append([removal('b')])).toBe(true);
  expect(await first.shared.beat()).toBe(true);
  expect(first.shared.isHolder).toBe(true);
  await second.shared.refresh();
  expect(second.told).toEqual(first.told);
  expect(await second.shared.append([removal('c')])).toBe(true);
  const late = await openTestLog(folder.path);
  expect(removedIds(late.shared.beginning.events)).toEqual(['a', 'b', 'c']);
  expect(late.shared.holder?.server).toBe(first.shared.server);
  expect(await segmentsIn(folder.path)).toHaveLength(2);
  await Promise.all([first, second, late].map(({ shared }) => shared.close()));
});

it('decides an append again that came after the end of its segment', async () => {
  await using folder = await temporaryFolder();
  await createTestLog(folder.path);
  const [first, second] = [await openTestLog(folder.path), await openTestLog(folder.path)];
  expect(await first.shared.takeLease()).toBe(true);
  expect(await first.shared.append([removal('a')])).toBe(true);
  expect(await first.shared.closeSegment()).toBe(true);
  expect(await second.shared.append([removal('b')])).toBe(false);
  expect(await second.shared.append([removal('b')])).toBe(true);
  await first.shared.refresh();
  expect(removedIds(first.told)).toEqual(['a', 'b']);
  await Promise.all([first, second].map(({ shared }) => shared.close()));
});

it('loses nothing if segments end during appends', async () => {
  await using folder = await temporaryFolder();
  await createTestLog(folder.path);
  const servers = await Promise.all([1, 2, 3].map(() => openTestLog(folder.path)));
  const [maintainer] = servers;
  expect(await maintainer?.shared.takeLease()).toBe(true);
  let version = 1;
  await Promise.all([
    ...servers.map(async ({ shared }, nth) => {
      for (let count = 0; count < 15; count += 1) while (!(await shared.append([removal(`${nth}:${count}`)])));
    }),
    (async () => {
      for (; version < 5; version += 1) if (maintainer !== undefined) await publishAndSeal(maintainer, version);
    })(),
  ]);
  for (const { shared } of servers) await shared.refresh();
  for (const { told } of servers) expect(told).toEqual(maintainer?.told);
  const ids = removedIds(maintainer?.told ?? []);
  expect(new Set(ids).size).toBe(45);
  expect(ids).toHaveLength(45);
  await Promise.all(servers.map(({ shared }) => shared.close()));
});

it('drops segments older than all checkpoints after a while, and moves the start', async () => {
  await using folder = await temporaryFolder();
  await createTestLog(folder.path);
  const retainMs = 2_000;
  let clock = 0;
  const maintainer = await openTestLog(folder.path, { retainMs, now: () => clock });
  expect(await maintainer.shared.takeLease()).toBe(true);
  for (const version of [2, 3]) {
    expect(await maintainer.shared.append([removal(`${version}`)])).toBe(true);
    await publishAndSeal(maintainer, version);
  }
  clock = retainMs - 1;
  await maintainer.shared.trim();
  expect(await segmentsIn(folder.path)).toHaveLength(3);
  clock = retainMs;
  await maintainer.shared.trim();
  expect(await segmentsIn(folder.path)).toHaveLength(2);
  const late = await openTestLog(folder.path);
  expect(late.shared.beginning).toMatchObject({ checkpoint: { entries: [{ version: 3 }] } });
  expect(removedIds(late.shared.beginning.events)).toEqual([]);
  await late.shared.refresh();
  expect(await late.shared.append([removal('after')])).toBe(true);
  await Promise.all([maintainer, late].map(({ shared }) => shared.close()));
});

it('is lost to a server that was paused until its segment was gone, which reopens', async () => {
  await using folder = await temporaryFolder();
  await createTestLog(folder.path);
  const retainMs = 400;
  let clock = 0;
  const now = (): number => clock;
  const [maintainer, idle, writer] = [
    await openTestLog(folder.path, { retainMs, now }),
    await openTestLog(folder.path, { retainMs, now }),
    await openTestLog(folder.path, { retainMs, now }),
  ];
  expect(await maintainer.shared.takeLease()).toBe(true);
  for (const version of [2, 3]) await publishAndSeal(maintainer, version);
  clock = retainMs;
  await maintainer.shared.trim();
  expect(idle.shared.lost).toBe(false);
  await expect(idle.shared.refresh()).rejects.toMatchObject({ code: 'unavailable' });
  expect(idle.shared.lost).toBe(true);
  // It does not look before it writes, as if it was stopped between the two: what it writes must not be taken for kept.
  await expect(writer.shared.append([removal('into nothing')])).rejects.toMatchObject({ code: 'unavailable' });
  expect(writer.shared.lost).toBe(true);
  const again = await openTestLog(folder.path, { retainMs });
  expect(removedIds(again.shared.beginning.events)).toEqual([]);
  expect(await again.shared.append([removal('a')])).toBe(true);
  await Promise.all([maintainer, idle, writer, again].map(({ shared }) => shared.close()));
});

it('begins a segment that its creator only named', async () => {
  await using folder = await temporaryFolder();
  await createTestLog(folder.path);
  const [first, second] = [await openTestLog(folder.path), await openTestLog(folder.path)];
  expect(await first.shared.takeLease()).toBe(true);
  expect(await first.shared.append([removal('a')])).toBe(true);
  const { storeId, server } = first.shared;
  const connection = await connect(folder.path);
  const [name = ''] = await segmentsIn(folder.path);
  const next = `log_${storeId}_2_00000000`;
  const table = await connection.openTable(name);
  const made = await connection.createEmptyTable(next, await table.schema());
  const seal = { id: 'x', server, kind: 'seal', base: null, term: 2, at: 1, note: JSON.stringify({ next }), payload: null };
  await table.add([seal]);
  connection.close();
  expect(made.name).toBe(next);
  await Promise.all([first.shared.refresh(), second.shared.refresh()]);
  const counted = await Promise.all([first.shared.append([removal('b')]), second.shared.append([removal('c')])]);
  expect(counted.filter(Boolean)).toHaveLength(1);
  await Promise.all([first.shared.refresh(), second.shared.refresh()]);
  expect(second.told).toEqual(first.told);
  expect(removedIds(first.told)).toHaveLength(2);
  await Promise.all([first, second].map(({ shared }) => shared.close()));
});

it('is read in parts if its batches are large, with a known size', async () => {
  await using folder = await temporaryFolder();
  await createTestLog(folder.path);
  const first = await openTestLog(folder.path);
  const ids = ['a', 'b', 'c', 'd', 'e', 'f'].map((letter) => letter.repeat(9_000_000));
  for (const id of ids) expect(await first.shared.append([removal(id)])).toBe(true);
  expect(first.shared.segmentBytes).toBeGreaterThan(54_000_000);
  const late = await openTestLog(folder.path);
  expect(removedIds(late.shared.beginning.events).map((id) => id[0])).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  expect(late.shared.segmentBytes).toBe(first.shared.segmentBytes);
  expect(await late.shared.takeLease()).toBe(true);
  expect(await late.shared.closeSegment()).toBe(true);
  expect(late.shared.segmentBytes).toBe(0);
  await Promise.all([first, late].map(({ shared }) => shared.close()));
});
