import { connect } from '@lancedb/lancedb';
import { expect, it } from 'vitest';
import { makeContainer } from '../helpers/azurite.ts';
import { gate } from '../helpers/gate.ts';
import { createTestLog, HEAD, openTestLog, removal, removedIds } from '../helpers/shared-log.ts';
import { unreliableWay } from './unreliable-way.ts';

it('keeps a batch once and reports success if the response got lost after the write', async () => {
  const { uri, options } = await makeContainer();
  await using way = await unreliableWay({ name: '', uri, options });
  await createTestLog(() => connect(uri, { storageOptions: { ...options } }));
  const writer = await openTestLog(() => connect(uri, { storageOptions: { ...way.options } }));
  const reader = await openTestLog(() => connect(uri, { storageOptions: { ...options } }));
  for (const id of ['a', 'b', 'c']) {
    way.next({ kind: 'lost answer' });
    expect(await writer.shared.append([removal(id)])).toBe(true);
  }
  expect(way.struck()).toBe(3);
  await reader.shared.refresh();
  expect(removedIds(reader.told)).toEqual(['a', 'b', 'c']);
  expect(writer.told).toEqual(reader.told);
  await Promise.all([writer, reader].map(({ shared }) => shared.close()));
});

it('lets a maintainer continue after its responses got lost', async () => {
  const { uri, options } = await makeContainer();
  await using way = await unreliableWay({ name: '', uri, options });
  await createTestLog(() => connect(uri, { storageOptions: { ...options } }));
  const { shared } = await openTestLog(() => connect(uri, { storageOptions: { ...way.options } }));
  way.next({ kind: 'lost answer' });
  expect(await shared.takeLease()).toBe(true);
  way.next({ kind: 'lost answer' });
  expect(await shared.beat()).toBe(true);
  way.next({ kind: 'lost answer' });
  const mark = await shared.mark();
  expect(mark).toBeDefined();
  way.next({ kind: 'lost answer' });
  expect(await shared.publish(mark ?? { segment: 0, row: 0 }, { ...HEAD, entries: [{ version: 2, rows: 0 }] })).toBe(true);
  expect(way.struck()).toBe(4);
  const late = await openTestLog(() => connect(uri, { storageOptions: { ...options } }));
  expect(late.shared.beginning).toMatchObject({ mark, checkpoint: { entries: [{ version: 2 }] } });
  await Promise.all([shared.close(), late.shared.close()]);
});

it('gives up a batch that the store does not accept in time, and reports it if it arrives later', async () => {
  const { uri, options } = await makeContainer();
  await using way = await unreliableWay({ name: '', uri, options });
  await createTestLog(() => connect(uri, { storageOptions: { ...options } }));
  const { shared, told } = await openTestLog(() => connect(uri, { storageOptions: { ...way.options } }), { timeoutMs: 4_000 });
  const release = gate();
  way.next({ kind: 'held', until: release.opened });
  await expect(shared.append([removal('late')])).rejects.toMatchObject({ code: 'unavailable' });
  expect(told).toEqual([]);
  release.open();
  while (told.length === 0) await shared.refresh();
  expect(removedIds(told)).toEqual(['late']);
  expect(await shared.append([removal('next')])).toBe(true);
  expect(removedIds(told)).toEqual(['late', 'next']);
  await shared.close();
});

it('gives up a batch at once when another came first, however long the engine tries to write it', async () => {
  const { uri, options } = await makeContainer();
  await using way = await unreliableWay({ name: '', uri, options });
  await createTestLog(() => connect(uri, { storageOptions: { ...options } }));
  const writer = await openTestLog(() => connect(uri, { storageOptions: { ...way.options } }));
  const other = await openTestLog(() => connect(uri, { storageOptions: { ...options } }));
  const release = gate();
  way.next({ kind: 'held', until: release.opened });
  const late = writer.shared.append([removal('late')]);
  await expect.poll(() => way.struck()).toBe(1);
  expect(await other.shared.append([removal('a')])).toBe(true);
  // The commit is held all this time.
  expect(await late).toBe(false);
  expect(removedIds(writer.told)).toEqual(['a']);
  expect(await writer.shared.append([removal('b')])).toBe(true);
  const held = writer.shared.segmentRows;
  release.open();
  await expect.poll(async () => (await writer.shared.refresh(), writer.shared.segmentRows)).toBe(held + 1);
  expect(await writer.shared.append([removal('c')])).toBe(true);
  await other.shared.refresh();
  expect(removedIds(other.told)).toEqual(['a', 'b', 'c']);
  expect(writer.told).toEqual(other.told);
  await Promise.all([writer, other].map(({ shared }) => shared.close()));
});
