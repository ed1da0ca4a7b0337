import { fromBufferPromise, type Entry, type ZipFile } from 'yauzl';
import { LoreError } from '../../memory/errors.ts';
import { MEGABYTE } from './reader.ts';

/** Signature of the first file of an archive. */
const FIRST_BYTES = [0x50, 0x4b, 3, 4] as const;
/** Length of the end record of an archive. */
const MIN_BYTES = 22;
const MAX_FILES = 10_000;

/** A packed file of an archive. */
export interface PackedFile {
  readonly name: string;
  /** Unpacks the file. Rejects with `too_large` above `maxBytes`, `invalid_input` if it is damaged or encrypted. */
  bytes(maxBytes: number): Promise<Uint8Array>;
}

/** Whether bytes begin like a ZIP archive. */
export function isZip(bytes: Uint8Array): boolean {
  return bytes.length > MIN_BYTES && FIRST_BYTES.every((byte, at) => bytes[at] === byte);
}

/** Lists the files of a ZIP archive without unpacking it. Rejects with `invalid_input` if it is damaged. `name` begins every message. */
export async function filesInZip(bytes: Uint8Array, name: string): Promise<PackedFile[]> {
  try {
    // Names are only compared, and the stated sizes are not trusted.
    const options = { decodeStrings: false, validateEntrySizes: false };
    const archive = await fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), options);
    if (archive.entryCount > MAX_FILES) throw new LoreError('too_large', `${name} contains more than ${MAX_FILES} files.`);
    const files: PackedFile[] = [];
    for await (const entry of archive.eachEntry()) {
      const file = { archive, entry, name: new TextDecoder().decode(entry.fileNameRaw) };
      files.push({ name: file.name, bytes: (maxBytes) => unpacked(file, { archiveName: name, maxBytes }) });
    }
    return files;
  } catch (error) {
    if (error instanceof LoreError) throw error;
    const isLocked = error instanceof Error && error.message.includes('encryption');
    const why = isLocked ? 'is encrypted: it needs a password' : 'is damaged: it is not a complete ZIP archive';
    throw new LoreError('invalid_input', `${name} ${why}.`, { cause: error });
  }
}

interface FileInArchive {
  readonly archive: ZipFile;
  readonly entry: Entry;
  readonly name: string;
}

async function unpacked(
  { archive, entry, name }: FileInArchive,
  { archiveName, maxBytes }: { archiveName: string; maxBytes: number },
): Promise<Uint8Array> {
  const refuse = (why: string, cause?: unknown): LoreError => new LoreError('invalid_input', `${archiveName} ${why}.`, { cause });
  if (entry.isEncrypted()) throw refuse('is encrypted: it needs a password');
  if (!entry.canDecodeFileData()) throw refuse('uses an unsupported compression method');
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of (await archive.openReadStreamPromise(entry)) as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > maxBytes) {
        const megabytes = Math.floor(maxBytes / MEGABYTE);
        throw new LoreError('too_large', `${archiveName} unpacks to more than ${megabytes} MB (${name}).`);
      }
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof LoreError ? error : refuse(`is damaged: ${name} in it cannot be unpacked`, error);
  }
  return Buffer.concat(chunks, size);
}
