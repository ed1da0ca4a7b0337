import { describe, expect, it } from 'vitest';
import { FlushPolicy } from '../../../src/store/compaction/flush-policy.ts';
import { Memtables } from '../../../src/store/memtable/memtable.ts';
import { row } from '../../helpers/store.ts';

const MIB = 1024 * 1024;

/** What the rows beside a table of so many entries call for; the rows take about so many megabytes. */
function backlogOf({ entries, megabytes }: { entries: number; megabytes: number }): FlushPolicy {
  const memtables = new Memtables();
  const large = { ...row('x', {}, 'pending'), searchText: '' };
  for (let nth = 0; memtables.bytes < megabytes * MIB; nth += 1) {
    const entry = { ...large.entry, id: `${nth}`, content: 'x'.repeat(MIB / 8) };
    memtables.active.put({ ...large, entry, writtenAt: nth }, false);
  }
  return new FlushPolicy({ tables: { abilities: { compaction: true } }, memtables, auxiliary: { waiting: 0 }, rows: () => entries });
}

describe('few but large rows', () => {
  it.each([
    { entries: 1000, megabytes: 15, isUrgent: false, isFull: false },
    { entries: 1000, megabytes: 17, isUrgent: true, isFull: false },
    { entries: 1000, megabytes: 129, isUrgent: true, isFull: true },
    // Writing them costs the same as writing what 3,125 usual rows take.
    { entries: 100_000, megabytes: 20, isUrgent: false, isFull: false },
    { entries: 100_000, megabytes: 26, isUrgent: true, isFull: false },
    { entries: 400_000, megabytes: 60, isUrgent: false, isFull: false },
    { entries: 400_000, megabytes: 66, isUrgent: true, isFull: false },
  ])('are flushed next to $entries entries by size: $megabytes MB', ({ entries, megabytes, ...expected }) => {
    const { isUrgent, isFull } = backlogOf({ entries, megabytes });
    expect({ isUrgent, isFull }).toEqual(expected);
  });
});

/** What so many short rows call for beside so many entries, with so many relations and other records. */
function shortRows({ entries, rows, records = 0 }: { entries: number; rows: number; records?: number }): FlushPolicy {
  const memtables = new Memtables();
  const short = row('x', {}, 'pending');
  for (let nth = 0; nth < rows; nth += 1)
    memtables.active.put({ ...short, entry: { ...short.entry, id: `${nth}` }, writtenAt: nth }, false);
  return new FlushPolicy({ tables: { abilities: { compaction: true } }, memtables, auxiliary: { waiting: records }, rows: () => entries });
}

describe('the flush threshold for idle times grows with the store', () => {
  it.each([
    { entries: 1000, rows: 255, isDue: false },
    { entries: 1000, rows: 256, isDue: true },
    // 256 saves, each with four relations, do not rebuild the indexes.
    { entries: 10_000, rows: 256, records: 1024, isDue: false },
    { entries: 10_000, rows: 624, isDue: false },
    { entries: 10_000, rows: 625, isDue: true },
    { entries: 10_000, rows: 500, records: 2000, isDue: true },
    { entries: 1_000_000, rows: 1024, isDue: true },
  ])('$rows rows and $entries entries: $isDue', ({ isDue, ...waiting }) => {
    expect(shortRows(waiting).isDue).toBe(isDue);
  });
});
