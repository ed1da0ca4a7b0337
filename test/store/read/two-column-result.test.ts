import { connect, Index } from '@lancedb/lancedb';
import type { RecordBatch } from 'apache-arrow';
import { expect, it } from 'vitest';
import { readPairs } from '../../../src/store/read/two-column-result.ts';
import { temporaryFolder } from '../../helpers/folder.ts';

/** Rows of each answer as Arrow reads them and as they are read in place. */
async function bothOf(make: () => AsyncIterable<RecordBatch>, column: string) {
  const byArrow: [number, number, number][] = [];
  for await (const batch of make()) {
    const addresses = batch.getChild('_rowid')!.toArray() as BigUint64Array;
    const values = batch.getChild(column)!.toArray() as Float32Array;
    for (const [nth, address] of addresses.entries()) byArrow.push([Number(address >> 32n), Number(address & 0xffffffffn), values[nth]!]);
  }
  const inPlace: [number, number, number][] = [];
  const isRead = await readPairs(make(), '_rowid', ({ fragment, place }, value) => inPlace.push([fragment, place, value]));
  return { byArrow, inPlace, isRead };
}

// Rows that score the same come in any order.
const sorted = (rows: readonly (readonly number[])[]): string[] => rows.map(String).toSorted((a, b) => a.localeCompare(b));

it('results read in place equal those read by Arrow', async () => {
  await using folder = await temporaryFolder();
  const place = await connect(folder.path);
  const rows = Array.from({ length: 300 }, (_, id) => ({ id, text: `walrus ${id % 7} amber`, vector: [id, 1, id % 3] }));
  const table = await place.createTable('texts', rows.slice(0, 200));
  await table.add(rows.slice(200));
  await table.createIndex('text', { config: Index.fts() });
  const byWords = await bothOf(() => table.query().fullTextSearch('walrus').select(['_rowid', '_score']).limit(120), '_score');
  expect(byWords.isRead).toBe(true);
  expect(byWords.inPlace.length).toBe(120);
  expect(sorted(byWords.inPlace)).toEqual(sorted(byWords.byArrow));
  const near = await bothOf(() => table.query().nearestTo([3, 1, 0]).select(['_distance', '_rowid']).limit(33), '_distance');
  expect(near.inPlace).toEqual(near.byArrow);
  expect(near.inPlace.length).toBe(33);
  const none = await bothOf(() => table.query().fullTextSearch('zebra').select(['_rowid', '_score']).limit(5), '_score');
  expect(none.inPlace).toEqual([]);
  const wide = await bothOf(() => table.query().select(['_rowid', 'id']).limit(5), 'id');
  expect(wide).toMatchObject({ isRead: false, inPlace: [] });
  place.close();
});

it('bytes in another format are left to Arrow', async () => {
  for (const bytes of [Buffer.from('ARROW1'), Buffer.alloc(64), Buffer.alloc(200, 0xff)]) {
    const answers = [bytes, null];
    const raw = { nativeExecute: () => Promise.resolve({ next: () => Promise.resolve(answers.shift()!) }) };
    expect(await readPairs(raw as never, '_rowid', () => expect.unreachable())).toBe(false);
  }
});
