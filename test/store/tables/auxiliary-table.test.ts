import { connect, type Connection } from '@lancedb/lancedb';
import { expect, it } from 'vitest';
import type { AuxiliaryShape } from '../../../src/store/tables/auxiliary-rows.ts';
import { FOLDER } from '../../../src/store/backends/abilities.ts';
import { AuxiliaryTable } from '../../../src/store/tables/auxiliary-table.ts';
import { temporaryFolder } from '../../helpers/folder.ts';

interface Note {
  readonly key: string;
  readonly text: string;
  readonly size: number;
}

const SHAPE: AuxiliaryShape<Note> = {
  name: 'notes',
  keyOf: ({ key }) => key,
  columns: [
    { name: 'text', of: ({ text }) => text },
    { name: 'size', of: ({ size }) => size },
  ],
  numbers: ['size'],
};

const note = (key: string, text = `text of ${key}`): Note => ({ key, text, size: text.length });
const sorted = (notes: readonly Note[]): string[] => notes.map(({ key, text }) => `${key}: ${text}`).toSorted();

async function rowsOf(connection: Connection): Promise<number> {
  return await (await connection.openTable('notes')).countRows();
}

it('a new value is added without a lookup, and returned unchanged', async () => {
  await using folder = await temporaryFolder();
  const connection = await connect(folder.path);
  const table = new AuxiliaryTable(SHAPE, connection, FOLDER);
  for (const key of ['a', 'b', 'ü 世界']) table.set(note(key), { isNew: true });
  await table.flush();
  // Nothing was deleted: creating the table is one version, adding to it another.
  expect(await table.version()).toBe(2);
  expect(sorted(await table.all())).toEqual(['a: text of a', 'b: text of b', 'ü 世界: text of ü 世界']);
  expect((await table.cells()).find(({ key }) => key === 'a')).toEqual({ key: 'a', text: 'text of a', size: 9 });
  table.set(note('a', 'another'));
  await table.flush();
  expect(sorted(await table.all())).toEqual(['a: another', 'b: text of b', 'ü 世界: text of ü 世界']);
  expect(await rowsOf(connection)).toBe(3);
  table.close();
  connection.close();
});

it('rows of an interrupted run exist once after the next', async () => {
  await using folder = await temporaryFolder();
  const connection = await connect(folder.path);
  const table = new AuxiliaryTable(SHAPE, connection, FOLDER);
  table.set(note('a'), { isNew: true });
  table.freeze();
  await table.write();
  // The run failed later on: what it had sealed is written again, with what came meanwhile.
  table.set(note('b'), { isNew: true });
  table.set(note('a', 'changed meanwhile'));
  table.freeze();
  await table.write();
  table.dropFrozen();
  expect(sorted(await table.all())).toEqual(['a: changed meanwhile', 'b: text of b']);
  expect(await rowsOf(connection)).toBe(2);
  table.close();
  connection.close();
});

it('rows removed before they were written, and added again, exist once', async () => {
  await using folder = await temporaryFolder();
  const connection = await connect(folder.path);
  const table = new AuxiliaryTable(SHAPE, connection, FOLDER);
  table.set(note('a'));
  await table.flush();
  table.delete('a');
  // Whoever asks the graph finds nothing of this key any more, but the table has it.
  table.set(note('a', 'again'), { isNew: true });
  await table.flush();
  expect(sorted(await table.all())).toEqual(['a: again']);
  expect(await rowsOf(connection)).toBe(1);
  table.close();
  connection.close();
});
