import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { silentLog } from '../../../src/memory/log.ts';
import { writeRows } from '../../../src/store/compaction/flush.ts';
import { Database } from '../../../src/store/tables/database.ts';
import type { EntriesTable } from '../../../src/store/tables/entries-table.ts';
import { FolderTables } from '../../../src/store/backends/folder/folder-tables.ts';
import { CheckpointKeeper } from '../../../src/store/format/checkpoint.ts';
import { Memtable } from '../../../src/store/memtable/memtable.ts';
import { mergeCompletely, pruneTable } from '../../../src/store/tables/merging.ts';
import { Quarantine } from '../../../src/store/files/quarantine.ts';
import { FileSums } from '../../../src/store/tables/file-sums.ts';
import { temporaryFolder } from '../../helpers/folder.ts';
import { row } from '../../helpers/store.ts';

/** Longer than the handles of a version stay open after the reads have moved on. */
const RETIRED_MS = 6000;

/** What a cycle that cleans up does with one new row. */
async function cycle(database: Database, content: string): Promise<string> {
  const memtable = new Memtable();
  const added = { ...row(content), writtenAt: Date.now() };
  memtable.put(added, false);
  const [table] = database.tables as [EntriesTable];
  const { version: before } = table.snapshot;
  await writeRows(database, [memtable]);
  await mergeCompletely(table.writer);
  // A process that dies here begins with this one again.
  expect((await table.writer.listVersions()).map(({ version }) => version)).toContain(before);
  await database.adopt();
  const newest = table.snapshot.version;
  await pruneTable(table.writer, table.oldestInUse ?? Date.now());
  expect(await table.writer.version()).toBe(newest);
  return added.entry.id;
}

function place(storePath: string): FolderTables {
  const synced = false;
  const head = new CheckpointKeeper(storePath, {}, { synced });
  const quarantine = new Quarantine(storePath, silentLog);
  const sums = FileSums.load({ path: storePath, synced, quarantine });
  return new FolderTables({ path: storePath, synced, checkpoint: head, quarantine, sums, shards: 1 });
}

describe('a read that takes longer than old versions are kept', () => {
  afterEach(() => vi.useRealTimers());

  it('keeps the files of its version while later ones are merged and cleaned up', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await using folder = await temporaryFolder();
    const first = { width: 384, columns: ['id'], visit: () => undefined };
    const database = await Database.open(place(folder.path), first);
    const id = await cycle(database, 'harbour crane');
    await cycle(database, 'yellow walrus');
    const { view } = database;
    const files = (): Promise<string[]> => readdir(path.join(folder.path, 'entries.lance', 'data'));
    const before = await files();
    await view.during(async () => {
      for (const content of ['dawn cache', 'token deploy', 'train vault']) await cycle(database, content);
      expect(await files()).toEqual(expect.arrayContaining(before));
      expect(await view.rows([id], ['content'])).toMatchObject([{ content: 'harbour crane' }]);
    });
    expect(database.view.size).toBe(5);
    await cycle(database, 'fog bell');
    vi.advanceTimersByTime(RETIRED_MS);
    await cycle(database, 'last buoy');
    const after = new Set(await files());
    expect(before.filter((file) => after.has(file))).toEqual([]);
    database.close();
  });
});

describe('interrupted work on the table', () => {
  it('is reverted before columns for another model are added', async () => {
    await using folder = await temporaryFolder();
    const first = { width: 384, columns: ['id'], visit: () => undefined };
    const database = await Database.open(place(folder.path), first);
    await cycle(database, 'harbour crane');
    await database.tables[0]!.writer.delete('true');
    await database.ensureVectorColumns(3);
    expect(database.view.size).toBe(1);
    expect(database.columnsFor(3).first).toBe('embedding_3');
    database.close();
  });
});
