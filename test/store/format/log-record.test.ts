import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decodeRecords, encodeAppend, encodeRecord, versionsOf, type LogRecord } from '../../../src/store/format/log-record.ts';
import { row } from '../../helpers/store.ts';

const vectors = {
  embedder: 'test/words/3/1',
  first: Float32Array.of(0.25, -1, 3),
  further: [Float32Array.of(1, 2, 3), Float32Array.of(4, 5, 6)],
};
const put = (content: string, more?: Parameters<typeof row>[2]): LogRecord => ({
  op: 'put',
  row: { ...row(content, {}, more), writtenAt: 7 },
});
const removal: LogRecord = { op: 'remove', id: 'gone', writtenAt: 8 };
const archived: LogRecord = { op: 'remove', id: 'away', writtenAt: 9, archived: true };
const beside: LogRecord = { op: 'side', table: 'relations', key: 'one' };

/** A file as it is written: each group of records is appended at once. */
function fileOf(...appends: readonly (readonly LogRecord[])[]): Buffer {
  let file = Buffer.alloc(0);
  for (const records of appends) {
    const at = file.length;
    file = Buffer.concat([file, ...encodeAppend(records, at)]);
  }
  return file;
}

/** The same file with one bit of another value. */
function damaged(file: Buffer, at: number): Buffer {
  const copy = Buffer.from(file);
  copy[at]! ^= 1;
  return copy;
}

/** As an earlier Lore wrote it: without the place of its append. */
function unplaced(record: LogRecord): Buffer {
  const text = Buffer.from(JSON.stringify(record));
  const payload = Buffer.concat([Buffer.alloc(4), text]);
  payload.writeUInt32LE(text.length, 0);
  const frame = Buffer.alloc(8);
  frame.writeUInt32LE(payload.length, 0);
  frame.writeUInt32LE(crc32(payload), 4);
  return Buffer.concat([frame, payload]);
}

describe('a log record', () => {
  it('is read as it was written, with its vectors', () => {
    const records = [
      put('Überall 🐟', vectors),
      removal,
      put('no model yet', 'pending'),
      archived,
      beside,
      put('short', { ...vectors, further: [] }),
    ];
    expect(decodeRecords(fileOf(records))).toEqual({ records, damagedBytes: 0 });
    expect(decodeRecords(fileOf(...records.map((record) => [record])))).toEqual({ records, damagedBytes: 0 });
    expect(decodeRecords(Buffer.alloc(0))).toEqual({ records: [], damagedBytes: 0 });
  });

  it('is read from a log of an earlier version', () => {
    expect(decodeRecords(Buffer.concat([unplaced(removal), unplaced(beside)]))).toEqual({ records: [removal, beside], damagedBytes: 0 });
  });

  it('has its own vectors, which do not keep the whole file in memory', () => {
    const [record] = decodeRecords(fileOf([put('x', vectors)])).records as [Extract<LogRecord, { op: 'put' }>];
    expect(record.row.vectors!.first.buffer.byteLength).toBe(12);
  });

  it('creates an entry version, except records of auxiliary tables', () => {
    const stored = put('x');
    expect(versionsOf(stored)).toEqual([(stored as Extract<LogRecord, { op: 'put' }>).row]);
    expect(versionsOf(removal)).toEqual([removal]);
    expect(versionsOf(beside)).toEqual([]);
  });
});

describe('a log file', () => {
  /** A file of two appends, and the first of them. */
  const written = () => ({
    first: fileOf([put('one', vectors), removal]),
    file: fileOf([put('one', vectors), removal], [put('two', vectors)]),
  });
  const idsOf = (bytes: Buffer): string[] =>
    decodeRecords(bytes).records.map((record) => (record.op === 'put' ? record.row.entry.content : record.op));

  it('truncated anywhere has every complete append, nothing of the last one, and no damage', () => {
    const { first } = written();
    const file = Buffer.concat([first, ...encodeAppend([put('two', vectors), beside, removal], first.length)]);
    for (let length = 0; length <= file.length; length += 1) {
      const { records, damagedBytes } = decodeRecords(file.subarray(0, length));
      const whole = length === file.length ? 5 : length >= first.length ? 2 : 0;
      expect([length, records.length, damagedBytes]).toEqual([length, whole, 0]);
    }
  });

  it('of an earlier version, truncated, has every complete record, without a count', () => {
    const bytes = Buffer.concat([unplaced(removal), unplaced(beside)]);
    expect(decodeRecords(bytes.subarray(0, -1))).toEqual({ records: [removal], damagedBytes: 0 });
  });

  it('with a damaged record length keeps readable records of its append, and reports it', () => {
    const append = encodeAppend([put('one', vectors), removal, beside], 0);
    // The highest byte of the length: the record seems to reach beyond the end.
    const place = append[0]!.length + 3;
    const bytes = damaged(Buffer.concat(append), place);
    expect([idsOf(bytes), decodeRecords(bytes).damagedBytes]).toEqual([['one'], append[1]!.length + append[2]!.length]);
  });

  it('ending with zeros counts as truncated', () => {
    const { first, file } = written();
    for (const length of [first.length, first.length + 4, first.length + 20, file.length - 5]) {
      const zeros = Buffer.alloc(file.length - length);
      const bytes = Buffer.concat([file.subarray(0, length), zeros]);
      expect([length, idsOf(bytes), decodeRecords(bytes).damagedBytes]).toEqual([length, ['one', 'remove'], 0]);
    }
  });

  it('damaged in its last record reports that', () => {
    const { first, file } = written();
    expect(decodeRecords(damaged(file, first.length + 30))).toMatchObject({ damagedBytes: file.length - first.length });
    expect(idsOf(damaged(file, first.length + 30))).toEqual(['one', 'remove']);
  });

  it('damaged in the middle skips the rest of that append, and continues with the next', () => {
    const { first, file } = written();
    const afterOne = encodeRecord(put('one', vectors), 0, 2).length;
    for (const place of [0, 4, 12, 40, afterOne - 1]) {
      const bytes = damaged(file, place);
      expect([place, idsOf(bytes), decodeRecords(bytes).damagedBytes]).toEqual([place, ['two'], first.length]);
    }
    const second = damaged(file, afterOne + 30);
    expect([idsOf(second), decodeRecords(second).damagedBytes]).toEqual([['one', 'two'], first.length - afterOne]);
  });

  it('damaged after content that looks like a record continues with a real one', () => {
    const { first } = written();
    const lookalike = fileOf([put('{"op":"remove","id":"x"} {"op":"')], [removal]);
    expect(idsOf(damaged(lookalike, 4))).toEqual(['remove']);
    // A record, whole but in the wrong place, as content would be that is a piece of another journal.
    const elsewhere = Buffer.concat([
      damaged(first, 12),
      encodeRecord(removal, 12_345),
      encodeRecord(beside, first.length + encodeRecord(removal, 12_345).length),
    ]);
    expect(idsOf(elsewhere)).toEqual(['side']);
  });

  it('of an earlier version, damaged, is not read beyond the damage', () => {
    const bytes = damaged(Buffer.concat([unplaced(removal), unplaced(beside)]), 20);
    expect(decodeRecords(bytes)).toEqual({ records: [], damagedBytes: bytes.length });
  });
});
