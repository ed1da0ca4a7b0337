import { crc32 } from 'node:zlib';
import type { Entry } from '../memory/entry.ts';
import type { EntryVectors, StoredRow } from './rows.ts';
import type { SideRecord } from './side-tables.ts';

/** That an entry is gone; for good, unless it went to the archive. */
export interface Removal {
  readonly op: 'remove';
  readonly id: string;
  readonly writtenAt: number;
  readonly archived?: true;
}

/** One change as the journal keeps it: the whole new version of an entry, that it is gone, or a change of a table beside the entries. */
export type JournalRecord = { readonly op: 'put'; readonly row: StoredRow } | Removal | SideRecord;

/** The part of a record that is text; the numbers of the vectors follow it as they are in memory. */
interface PutHead {
  readonly op: 'put';
  readonly writtenAt: number;
  readonly entry: Entry;
  readonly searchText: string;
  readonly vectors?: { readonly embedder: string; readonly width: number; readonly count: number };
}

type Head = PutHead | Removal | SideRecord;

/** Length and checksum of the payload, 32 bits each, little-endian. */
const FRAME_BYTES = 8;
const LENGTH_BYTES = 4;
const FLOAT_BYTES = 4;

/** Frame: length, CRC-32, then the payload: length of the head, the head as JSON, the vectors as 32-bit floats. */
export function encodeRecord(record: JournalRecord): Buffer {
  const { head, vectors } = record.op === 'put' ? putHead(record.row) : { head: record satisfies Head, vectors: [] };
  const text = Buffer.from(JSON.stringify(head));
  const numbers = vectors.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength));
  const payloadBytes = LENGTH_BYTES + text.length + numbers.reduce((sum, { length }) => sum + length, 0);
  const start = Buffer.alloc(FRAME_BYTES + LENGTH_BYTES);
  start.writeUInt32LE(payloadBytes, 0);
  start.writeUInt32LE(text.length, FRAME_BYTES);
  const bytes = Buffer.concat([start, text, ...numbers]);
  bytes.writeUInt32LE(crc32(bytes.subarray(FRAME_BYTES)), LENGTH_BYTES);
  return bytes;
}

function putHead({ entry, searchText, vectors, writtenAt }: StoredRow): { head: PutHead; vectors: Float32Array[] } {
  if (vectors === undefined) return { head: { op: 'put', writtenAt, entry, searchText }, vectors: [] };
  const all = [vectors.first, ...vectors.further];
  const shape = { embedder: vectors.embedder, width: vectors.first.length, count: all.length };
  return { head: { op: 'put', writtenAt, entry, searchText, vectors: shape }, vectors: all };
}

/** The records of a file, in order, up to the first that was not written whole: what follows a torn one was never acknowledged. */
export function* decodeRecords(bytes: Buffer): Generator<JournalRecord> {
  let at = 0;
  while (bytes.length - at >= FRAME_BYTES + LENGTH_BYTES) {
    const length = bytes.readUInt32LE(at);
    const payload = bytes.subarray(at + FRAME_BYTES, at + FRAME_BYTES + length);
    if (length < LENGTH_BYTES || payload.length < length || crc32(payload) !== bytes.readUInt32LE(at + LENGTH_BYTES)) return;
    yield decodePayload(payload);
    at += FRAME_BYTES + length;
  }
}

function decodePayload(payload: Buffer): JournalRecord {
  const end = LENGTH_BYTES + payload.readUInt32LE(0);
  const head = JSON.parse(payload.toString('utf8', LENGTH_BYTES, end)) as Head;
  if (head.op !== 'put') return head;
  const { entry, searchText, writtenAt } = head;
  return { op: 'put', row: { entry, searchText, writtenAt, vectors: decodeVectors(head, payload.subarray(end)) } };
}

function decodeVectors({ vectors }: PutHead, bytes: Buffer): EntryVectors | undefined {
  if (vectors === undefined) return undefined;
  const { embedder, width, count } = vectors;
  const all = Array.from({ length: count }, (_, nth) => {
    const start = nth * width * FLOAT_BYTES;
    // A copy of its own: floats must be aligned, and the buffer of the whole file must not be kept for them.
    return new Float32Array(new Uint8Array(bytes.subarray(start, start + width * FLOAT_BYTES)).buffer);
  });
  const [first, ...further] = all as [Float32Array, ...Float32Array[]];
  return { embedder, first, further };
}
