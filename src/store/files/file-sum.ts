import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';

/** The checksums of a file. */
export interface FileSum {
  readonly bytes: number;
  /** Hex. */
  readonly sha256: string;
  /** Locates a single wrong byte. */
  readonly crc32: number;
}

/** Chunk size: a few tens of microseconds of work between two turns of the event loop. */
const CHUNK_BYTES = 128 * 1024;

/** Reads a file in chunks and computes its checksums. Rejects with the error of the file system. */
export async function sumOf(file: string): Promise<FileSum> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(size, 1)));
    const hash = createHash('sha256');
    let [bytes, crc] = [0, 0];
    for (;;) {
      const { bytesRead } = await handle.read(chunk, 0, chunk.length, bytes);
      if (bytesRead === 0) return { bytes, sha256: hash.digest('hex'), crc32: crc };
      const read = chunk.subarray(0, bytesRead);
      hash.update(read);
      crc = crc32(read, crc);
      bytes += bytesRead;
    }
  } finally {
    await handle.close();
  }
}

export const isSum = (a: FileSum, b: Pick<FileSum, 'bytes' | 'sha256'>): boolean => a.bytes === b.bytes && a.sha256 === b.sha256;
