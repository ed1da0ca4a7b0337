import { cp } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { connect } from '../../../src/store/backends/connection.ts';
import { makeCheckpointTables } from '../../../src/store/backends/object-storage/checkpoint-tables.ts';
import { createShared } from '../../../src/store/backends/object-storage/shared-creation.ts';
import { FORMAT_VERSION } from '../../../src/store/format/schema.ts';
import { decodeRecords, encodeRecord } from '../../../src/store/format/log-record.ts';
import type { Store } from '../../../src/store/store.ts';
import { failureOf } from '../../helpers/failure.ts';
import { temporaryFolder } from '../../helpers/folder.ts';
import { Pair } from '../../helpers/shared-store.ts';
import { openTestStore, row, SPACE } from '../../helpers/store.ts';

const deletedAt = Date.now();
const known = ({ auxiliary }: Store): { id: string; at: number }[] => [...auxiliary.tombstones.of('ns')].map(({ id, at }) => ({ id, at }));

describe('a tombstone', () => {
  it('exists after reopening, from the log and from its table', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    const { entry } = await store.entries.insert(row('walrus'));
    await store.entries.remove(entry.id, undefined, { deletedAt });
    // As a process leaves it that is killed: nothing is in a table yet.
    await using copy = await temporaryFolder();
    await cp(folder.path, copy.path, { recursive: true, filter: (file) => !file.includes('lore.lock') });
    await store.close();
    for (const place of [copy.path, folder.path]) {
      const again = await openTestStore(place);
      expect(known(again)).toEqual([{ id: entry.id, at: deletedAt }]);
      await again.optimize();
      expect(await again.auxiliary.tombstoneRows.all()).toEqual([{ id: entry.id, namespace: 'ns', at: deletedAt }]);
      await again.close();
      const third = await openTestStore(place);
      expect(known(third)).toEqual([{ id: entry.id, at: deletedAt }]);
      await third.close();
    }
  });

  it('is never earlier than the last change of its entry, whatever the clock', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    const ahead = deletedAt + 3_600_000;
    const { entry } = await store.entries.insert(row('walrus', { updatedAt: ahead }));
    await store.entries.remove(entry.id, undefined, { deletedAt });
    expect(known(store)).toEqual([{ id: entry.id, at: ahead }]);
    await store.close();
  });

  it('blocks an older version, and ends with a later one', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    const given = row('walrus');
    await store.entries.insert(given);
    await store.entries.remove(given.entry.id, undefined, { deletedAt });
    expect(await failureOf(store.entries.insert(given))).toMatchObject({ code: 'invalid_input' });
    await store.entries.insert({ ...given, entry: { ...given.entry, updatedAt: deletedAt + 1 } });
    expect(known(store)).toEqual([]);
    await store.close();
    const again = await openTestStore(folder.path);
    expect(known(again)).toEqual([]);
    expect(await again.entries.get(given.entry.id)).toMatchObject({ content: 'walrus' });
    await again.close();
  });

  it('ends if the entry is archived again', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    const { entry } = await store.entries.insert(row('walrus'));
    await store.entries.remove(entry.id, undefined, { deletedAt });
    const value = { at: deletedAt, reason: 'expired', run: 'r', entry, relations: [] } as const;
    await store.entries.changes.adopt({ op: 'side', table: 'archive', key: entry.id, value });
    expect(known(store)).toEqual([]);
    await store.close();
  });

  it('removes the entry with history and archived copy, unless changed later', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    const [live, away, later] = [row('live'), row('away'), row('later', { updatedAt: deletedAt + 1 })];
    for (const given of [live, away, later]) await store.entries.insert(given);
    await store.entries.update(live.entry.id, (now) => ({ ...now, entry: { ...now.entry, tags: ['edited'] } }));
    await store.entries.changes.archive(away.entry.id, { at: deletedAt, reason: 'expired', run: 'r' });
    const putTombstone = (id: string, archived: boolean) =>
      store.entries.changes.putTombstone({ id, namespace: 'ns', at: deletedAt }, { archived, place: 'ns' });
    await putTombstone(live.entry.id, false);
    await putTombstone(away.entry.id, true);
    expect(await failureOf(putTombstone(later.entry.id, false))).toMatchObject({ code: 'invalid_input' });
    await store.optimize();
    expect(known(store).map(({ id }) => id)).toEqual([live.entry.id, away.entry.id]);
    expect(await store.auxiliary.history.all()).toEqual([]);
    expect(await store.auxiliary.archive.all()).toEqual([]);
    expect(store.catalog.entries().map(({ id }) => id)).toEqual([later.entry.id]);
    await store.close();
  });

  it('is dropped after its retention with the next flush, and ignored from then on', async () => {
    await using folder = await temporaryFolder();
    let now = deletedAt;
    const store = await openTestStore(folder.path, SPACE, undefined, { tombstones: { keptMs: 1000, now: () => now } });
    const { entry } = await store.entries.insert(row('walrus'));
    await store.entries.remove(entry.id, undefined, { deletedAt });
    await store.optimize();
    expect(await store.auxiliary.tombstoneRows.all()).toHaveLength(1);
    now += 1000;
    expect(known(store)).toEqual([]);
    await store.entries.insert(row('another'));
    await store.optimize();
    expect(await store.auxiliary.tombstoneRows.all()).toEqual([]);
    await store.close();
  });

  it('is part of the removal record, which an earlier version reads as a removal', () => {
    const removal = { op: 'remove', id: 'a', writtenAt: 7, tombstone: { namespace: 'ns', at: deletedAt } } as const;
    expect(decodeRecords(encodeRecord(removal, 0)).records).toEqual([removal]);
  });

  it('survives an older version that restored its entry', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    const { entry } = await store.entries.insert(row('walrus'));
    await store.close();
    const other = await openTestStore(folder.path);
    other.auxiliary.tombstoneRows.set({ id: entry.id, namespace: 'ns', at: deletedAt });
    await other.entries.insert(row('another'));
    await other.optimize();
    await other.close();
    const again = await openTestStore(folder.path);
    expect(known(again)).toEqual([]);
    expect(await again.entries.get(entry.id)).toMatchObject({ content: 'walrus' });
    await again.close();
  });
});

describe('servers that share a store', () => {
  it('know the permanent deletions of each other, also after a later start', async () => {
    await using pair = await Pair.open();
    const { entry } = await pair.first.entries.insert(row('walrus'));
    await pair.contents();
    await pair.second.entries.remove(entry.id, undefined, { deletedAt });
    expect(await pair.contents()).toEqual([]);
    for (const store of [pair.first, pair.second]) expect(known(store)).toEqual([{ id: entry.id, at: deletedAt }]);
    await pair.maintained();
    await pair.first.optimize();
    const third = await pair.add({ name: 'c' });
    expect(known(third)).toEqual([{ id: entry.id, at: deletedAt }]);
  });

  it('create the table in a store of an older version', async () => {
    await using folder = await temporaryFolder();
    const place = path.join(folder.path, 'place');
    await createShared({
      connect: () => connect(place),
      timeoutMs: 20_000,
      format: FORMAT_VERSION,
      settleMs: 0,
      makeTables: async (connection) => {
        const { sides, ...head } = await makeCheckpointTables(connection, { width: SPACE.width, shards: 1 });
        await connection.dropTable('tombstones');
        const { tombstones: _, ...earlier } = sides;
        return { ...head, sides: earlier };
      },
    });
    await using pair = await Pair.open({ place });
    const [first, second] = [row('walrus'), row('otter')];
    for (const { entry } of [first, second]) await pair.first.entries.insert(row(entry.content, { id: entry.id }));
    await pair.first.entries.remove(first.entry.id, undefined, { deletedAt });
    await pair.maintained();
    await pair.first.optimize();
    await pair.second.entries.remove(second.entry.id, undefined, { deletedAt });
    await pair.contents();
    await pair.first.optimize();
    const third = await pair.add({ name: 'c' });
    const ids = [first.entry.id, second.entry.id].toSorted();
    for (const store of [pair.first, pair.second, third])
      expect(
        known(store)
          .map(({ id }) => id)
          .toSorted(),
      ).toEqual(ids);
    expect((await third.auxiliary.tombstoneRows.all()).map(({ id }) => id).toSorted()).toEqual(ids);
  });
});
