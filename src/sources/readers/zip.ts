import { inflateRawSync } from 'node:zlib';
import { LoreError } from '../../memory/errors.ts';
import { MEGABYTE } from './reader.ts';

/** Sizes and offsets: PKWARE, APPNOTE.TXT 6.3.10, sections 4.3.7, 4.3.12 and 4.3.16. */
const LOCAL = { signature: 0x04034b50, size: 30, nameLength: 26, extraLength: 28 } as const;
const CENTRAL = {
  signature: 0x02014b50,
  size: 46,
  flags: 8,
  method: 10,
  packed: 20,
  nameLength: 28,
  extraLength: 30,
  commentLength: 32,
  offset: 42,
} as const;
const END = { signature: 0x06054b50, size: 22, count: 10, offset: 16 } as const;
const MAX_COMMENT_BYTES = 0xffff;
const MAX_FILES = 10_000;
const STORED = 0;
const DEFLATED = 8;

/** A file in an archive. */
export interface PackedFile {
  readonly name: string;
  /** Unpacks the file. Throws `too_large` where it holds more than `maxBytes`, `invalid_input` where it is damaged or locked. */
  bytes(maxBytes: number): Uint8Array;
}

/** Whether the bytes begin as a ZIP archive does. */
export function isZip(bytes: Uint8Array): boolean {
  return bytes.length > END.size && view(bytes).getUint32(0, true) === LOCAL.signature;
}

/** What a ZIP archive holds, without unpacking it. Throws `invalid_input` where it is damaged. `name` begins every message. */
export function filesInZip(bytes: Uint8Array, name: string): PackedFile[] {
  const damaged = (cause?: unknown): LoreError =>
    new LoreError('invalid_input', `${name} is damaged: it is not a whole ZIP archive.`, { cause });
  try {
    const data = view(bytes);
    const end = endRecord(data);
    if (end === undefined) throw damaged();
    const count = data.getUint16(end + END.count, true);
    if (count > MAX_FILES) throw new LoreError('too_large', `${name} holds more than ${MAX_FILES} files.`);
    const files: PackedFile[] = [];
    for (let at = data.getUint32(end + END.offset, true); files.length < count;) {
      if (data.getUint32(at, true) !== CENTRAL.signature) throw damaged();
      const nameBytes = data.getUint16(at + CENTRAL.nameLength, true);
      const header = { bytes, at, name: new TextDecoder().decode(bytes.subarray(at + CENTRAL.size, at + CENTRAL.size + nameBytes)) };
      files.push({ name: header.name, bytes: (maxBytes) => unpacked(header, { archive: name, maxBytes }) });
      at += CENTRAL.size + nameBytes + data.getUint16(at + CENTRAL.extraLength, true) + data.getUint16(at + CENTRAL.commentLength, true);
    }
    return files;
  } catch (error) {
    throw error instanceof RangeError ? damaged(error) : error;
  }
}

const view = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView => new DataView(buffer, byteOffset, byteLength);

/** Where the record is that ends the archive; a comment may follow it. */
function endRecord(data: DataView): number | undefined {
  const last = data.byteLength - END.size;
  for (let at = last; at >= Math.max(0, last - MAX_COMMENT_BYTES); at--) if (data.getUint32(at, true) === END.signature) return at;
  return undefined;
}

interface Header {
  readonly bytes: Uint8Array;
  /** Of the file in the central directory. */
  readonly at: number;
  readonly name: string;
}

function unpacked({ bytes, at, name }: Header, { archive, maxBytes }: { archive: string; maxBytes: number }): Uint8Array {
  const refuse = (why: string, cause?: unknown): LoreError => new LoreError('invalid_input', `${archive} ${why}.`, { cause });
  const tooLarge = (): LoreError =>
    new LoreError('too_large', `${archive} unpacks to more than ${Math.floor(maxBytes / MEGABYTE)} MB (${name}).`);
  try {
    const data = view(bytes);
    if ((data.getUint16(at + CENTRAL.flags, true) & 1) === 1) throw refuse('is locked: it needs a password');
    const local = data.getUint32(at + CENTRAL.offset, true);
    if (data.getUint32(local, true) !== LOCAL.signature) throw refuse('is damaged: it is not a whole ZIP archive');
    const start = local + LOCAL.size + data.getUint16(local + LOCAL.nameLength, true) + data.getUint16(local + LOCAL.extraLength, true);
    const packed = bytes.subarray(start, start + data.getUint32(at + CENTRAL.packed, true));
    const method = data.getUint16(at + CENTRAL.method, true);
    if (method !== STORED && method !== DEFLATED) throw refuse('is compressed in a way that is not read');
    if (method === STORED && packed.length > maxBytes) throw tooLarge();
    // The size that the archive states is not to be believed.
    return method === STORED ? packed : inflateRawSync(packed, { maxOutputLength: Math.max(1, maxBytes) });
  } catch (error) {
    if (error instanceof LoreError) throw error;
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge();
    throw refuse(`is damaged: ${name} in it cannot be unpacked`, error);
  }
}
