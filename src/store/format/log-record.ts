import { crc32 } from 'node:zlib';
import type { Entry } from '../../memory/entry.ts';
import type { StoredResponse } from '../../memory/idempotency.ts';
import type { ArchivedEntry, EntryVersion, Usage } from '../../memory/lifecycle.ts';
import type { Relation } from '../../memory/relation.ts';
import type { Tombstone } from '../../memory/tombstone.ts';
import type { EntryVectors, StoredRow } from './rows.ts';
import { withoutUndefined } from '../../memory/without-undefined.ts';

/** A change of an auxiliary table, in the log. */
export type AuxiliaryRecord =
  | { readonly op: 'side'; readonly table: 'relations'; readonly key: string; readonly value?: Relation }
  | { readonly op: 'side'; readonly table: 'archive'; readonly key: string; readonly value?: ArchivedEntry }
  | { readonly op: 'side'; readonly table: 'history'; readonly key: string; readonly value?: EntryVersion }
  | { readonly op: 'side'; readonly table: 'answers'; readonly key: string; readonly value?: StoredResponse }
  /** Use counts of one of the servers that share a store, added to the known ones. */
  | { readonly op: 'side'; readonly table: 'usage'; readonly key: string; readonly value: Usage };

/** The removal of an entry, for good or into the archive. */
export interface Removal {
  readonly op: 'remove';
  readonly id: string;
  readonly writtenAt: number;
  readonly archived?: true;
  /**
   * The tombstone of a permanent deletion. It is part of this record, so that an earlier version of Lore removes the entry and ignores the
   * rest. A later version of the entry, or its return to the archive, removes the tombstone.
   */
  readonly tombstone?: Omit<Tombstone, 'id'>;
}

/** One change in the log: the whole new version of an entry, its removal, or a change of an auxiliary table. */
export type LogRecord = { readonly op: 'put'; readonly row: StoredRow } | Removal | AuxiliaryRecord;

/** The entry version that a record creates; none for an auxiliary table. */
export function versionsOf(record: LogRecord): readonly { readonly writtenAt: number }[] {
  if (record.op === 'side') return [];
  return [record.op === 'put' ? record.row : record];
}

/** The textual part of a record; the vectors follow it in binary form. */
interface PutHeader {
  readonly op: 'put';
  readonly writtenAt: number;
  readonly entry: Entry;
  readonly searchText: string;
  readonly vectors?: { readonly embedder: string; readonly width: number; readonly count: number };
}

type Header = PutHeader | Removal | AuxiliaryRecord;

/** Length and checksum of the payload, 32 bits each, little-endian. */
const FRAME_BYTES = 8;
const LENGTH_BYTES = 4;
const FLOAT_BYTES = 4;

/** Placement of a record in its append; missing in logs of an earlier Lore. */
interface Placed {
  /** Offset in the file of the first record of the append. */
  readonly at?: number;
  /** Number of records of the append. */
  readonly of?: number;
}

/** The beginning of every record header: a reader searches for it after damage. */
const HEADER_START = Buffer.from('{"op":"');

/** Encodes records that are appended together; either all count or none. */
export function encodeAppend(records: readonly LogRecord[], at: number): Buffer[] {
  return records.map((record) => encodeRecord(record, at, records.length));
}

/** Frame: length, CRC-32, then the payload: length of the header, the header as JSON, the vectors as 32-bit floats. `at`, `of`: see `Placed`. */
export function encodeRecord(record: LogRecord, at: number, of = 1): Buffer {
  const { header, vectors } = record.op === 'put' ? putHeader(record.row) : { header: record satisfies Header, vectors: [] };
  const { op, ...facts } = header;
  const text = Buffer.from(JSON.stringify({ op, at, of, ...facts }));
  const numbers = vectors.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength));
  const payloadBytes = LENGTH_BYTES + text.length + numbers.reduce((sum, { length }) => sum + length, 0);
  const start = Buffer.alloc(FRAME_BYTES + LENGTH_BYTES);
  start.writeUInt32LE(payloadBytes, 0);
  start.writeUInt32LE(text.length, FRAME_BYTES);
  const bytes = Buffer.concat([start, text, ...numbers]);
  bytes.writeUInt32LE(crc32(bytes.subarray(FRAME_BYTES)), LENGTH_BYTES);
  return bytes;
}

function putHeader({ entry, searchText, vectors, writtenAt }: StoredRow): { header: PutHeader; vectors: Float32Array[] } {
  if (vectors === undefined) return { header: { op: 'put', writtenAt, entry, searchText }, vectors: [] };
  const all = [vectors.first, ...vectors.further];
  const shape = { embedder: vectors.embedder, width: vectors.first.length, count: all.length };
  return { header: { op: 'put', writtenAt, entry, searchText, vectors: shape }, vectors: all };
}

/** A record in a file. */
interface PlacedRecord extends Placed {
  readonly record: LogRecord;
  readonly end: number;
}

/** The contents of a log file. */
export interface LogText {
  readonly records: readonly LogRecord[];
  /** Number of unreadable bytes that are not the rest of an interrupted write; 0 for none. */
  readonly damagedBytes: number;
}

/**
 * The records of a file, in order. An incomplete last append was never acknowledged and is skipped silently. If an earlier append is
 * damaged, the rest of that append is skipped too, because one change may consist of several records, and reading continues with the next
 * append.
 */
export function decodeRecords(bytes: Buffer): LogText {
  const records: LogRecord[] = [];
  let damagedBytes = 0;
  /** The last append, as far as it was read. */
  let last = { at: -1, of: 0, read: 0 };
  for (let at = 0; at < bytes.length;) {
    const found = recordAt(bytes, at);
    if (found !== undefined) {
      records.push(found.record);
      last = { at: found.at ?? -1, of: found.of ?? 0, read: found.at === last.at ? last.read + 1 : 1 };
      at = found.end;
      continue;
    }
    const next = nextAppend(bytes, at) ?? bytes.length;
    const damaged = next < bytes.length || !isTorn(bytes, at) ? next - at : 0;
    if (damaged > 0) last = { at: -1, of: 0, read: 0 };
    damagedBytes += damaged;
    at = next;
  }
  const isCut = last.read < last.of;
  return { records: isCut ? records.slice(0, -last.read) : records, damagedBytes };
}

/** Whether the rest of a file looks like one interrupted write: truncated, or zeros at its end. */
function isTorn(bytes: Buffer, at: number): boolean {
  if (bytes.length - at < FRAME_BYTES + LENGTH_BYTES) return true;
  const endsEarly = at + FRAME_BYTES + bytes.readUInt32LE(at) > bytes.length || bytes.readUInt32LE(bytes.length - LENGTH_BYTES) === 0;
  return endsEarly && readableAfter(bytes, at).next().done === true;
}

/** Position of the next append after unreadable bytes. */
function nextAppend(bytes: Buffer, after: number): number | undefined {
  for (const { place, at } of readableAfter(bytes, after)) if (at === place) return place;
  return undefined;
}

/** The records after unreadable bytes. */
function* readableAfter(bytes: Buffer, after: number): Generator<PlacedRecord & { readonly place: number }, undefined> {
  for (let header = bytes.indexOf(HEADER_START, after); header !== -1; header = bytes.indexOf(HEADER_START, header + 1)) {
    const place = header - FRAME_BYTES - LENGTH_BYTES;
    const found = place > after ? recordAt(bytes, place) : undefined;
    if (found !== undefined) yield { ...found, place };
  }
  return undefined;
}

function recordAt(bytes: Buffer, at: number): PlacedRecord | undefined {
  if (bytes.length - at < FRAME_BYTES + LENGTH_BYTES) return undefined;
  const length = bytes.readUInt32LE(at);
  const payload = bytes.subarray(at + FRAME_BYTES, at + FRAME_BYTES + length);
  if (length < LENGTH_BYTES || payload.length < length || crc32(payload) !== bytes.readUInt32LE(at + LENGTH_BYTES)) return undefined;
  return { ...decodePayload(payload), end: at + FRAME_BYTES + length };
}

function decodePayload(payload: Buffer): Omit<PlacedRecord, 'end'> {
  const end = LENGTH_BYTES + payload.readUInt32LE(0);
  const { at, of, ...header } = JSON.parse(payload.toString('utf8', LENGTH_BYTES, end)) as Header & Placed;
  const placed = { ...withoutUndefined({ at, of }) };
  if (header.op !== 'put') return { record: header, ...placed };
  const { entry, searchText, writtenAt } = header;
  return { record: { op: 'put', row: { entry, searchText, writtenAt, vectors: decodeVectors(header, payload.subarray(end)) } }, ...placed };
}

function decodeVectors({ vectors }: PutHeader, bytes: Buffer): EntryVectors | undefined {
  if (vectors === undefined) return undefined;
  const { embedder, width, count } = vectors;
  const all = Array.from({ length: count }, (_, nth) => {
    const start = nth * width * FLOAT_BYTES;
    // A copy, because floats must be aligned and the buffer of the whole file must not be retained.
    return new Float32Array(new Uint8Array(bytes.subarray(start, start + width * FLOAT_BYTES)).buffer);
  });
  const [first, ...further] = all as [Float32Array, ...Float32Array[]];
  return { embedder, first, further };
}
