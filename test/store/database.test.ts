import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { mergeTable, writeRows } from '../../src/store/cycle.ts';
import { Database } from '../../src/store/database.ts';
import { FreshRows } from '../../src/store/fresh-rows.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { row } from '../helpers/store.ts';

/** What a cycle does with one new row. */
async function cycle(database: Database, content: string): Promise<string> {
  const generation = new FreshRows();
  const added = { ...row(content), writtenAt: Date.now() };
  generation.put(added, false);
  await writeRows(database, generation);
  await mergeTable(database, 0);
  await database.adopt();
  return added.entry.id;
}

describe('a read that takes longer than old versions are kept', () => {
  it('keeps the files of its version while they are merged and cleaned up behind it', async () => {
    await using folder = await temporaryFolder();
    const first = { width: 384, columns: ['id'], visit: () => undefined };
    const database = await Database.open({ path: folder.path, synced: false }, first);
    const id = await cycle(database, 'harbour crane');
    await cycle(database, 'yellow walrus');
    const { snapshot } = database;
    const files = (): Promise<string[]> => readdir(path.join(folder.path, 'entries.lance', 'data'));
    const before = await files();
    await snapshot.during(async () => {
      for (const content of ['dawn cache', 'token deploy', 'train vault']) await cycle(database, content);
      expect(await files()).toEqual(expect.arrayContaining(before));
      expect(await snapshot.rows([id], ['content'])).toMatchObject([{ content: 'harbour crane' }]);
    });
    expect(await database.snapshot.table.countRows()).toBe(5);
    database.close();
  });
});
