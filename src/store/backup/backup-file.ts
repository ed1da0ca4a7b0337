import { createHash, type Hash } from 'node:crypto';
import { constants, createReadStream, createWriteStream } from 'node:fs';
import { copyFile, link, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { sumOf } from '../files/file-sum.ts';

/** Makes a hard link, or a copy if links are not possible. Rejects if both fail. */
export async function linkOrCopy(from: string, to: string): Promise<'linked' | 'copied'> {
  try {
    await link(from, to);
    return 'linked';
  } catch (error) {
    if (!NO_LINKS.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    await copyFile(from, to, constants.COPYFILE_FICLONE);
    return 'copied';
  }
}

const NO_LINKS = new Set(['EXDEV', 'EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK', 'EOPNOTSUPP', 'EINVAL']);

/** Copies the first `bytes` of a file, compressed if `gzip`. Resolves with the SHA-256 (hex) of the original bytes. */
export async function writeFileCopy(from: string, to: string, { bytes, gzip }: { bytes: number; gzip: boolean }): Promise<string> {
  const hash = createHash('sha256');
  const source = bytes === 0 ? Readable.from([]) : createReadStream(from, { end: bytes - 1 });
  const target = createWriteStream(to, { mode: 0o600 });
  if (gzip) await pipeline(source, hashing(hash), createGzip(), target);
  else await pipeline(source, hashing(hash), target);
  return hash.digest('hex');
}

/** Writes text to a file, compressed. Resolves with the SHA-256 (hex) and the length of the text. */
export async function writeText(text: AsyncIterable<string>, to: string): Promise<{ sha256: string; bytes: number }> {
  const sum = new TextSum();
  await pipeline(Readable.from(sum.of(text)), createGzip(), createWriteStream(to, { mode: 0o600 }));
  return sum.result();
}

/** Length and SHA-256 of a stream that passes through. */
export class TextSum {
  readonly #hash = createHash('sha256');
  #bytes = 0;

  async *of(text: AsyncIterable<string | Uint8Array>): AsyncGenerator<Buffer> {
    for await (const piece of text) {
      const bytes = typeof piece === 'string' ? Buffer.from(piece) : Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
      this.#hash.update(bytes);
      this.#bytes += bytes.length;
      yield bytes;
    }
  }

  /** Known once the stream has ended. */
  result(): { sha256: string; bytes: number } {
    return { sha256: this.#hash.digest('hex'), bytes: this.#bytes };
  }
}

/** SHA-256 (hex) and length of a file, or with `gzip` of its uncompressed contents. */
export async function fileSum(file: string, { gzip }: { gzip: boolean }): Promise<{ sha256: string; bytes: number }> {
  if (!gzip) return await sumOf(file);
  const hash = createHash('sha256');
  let bytes = 0;
  await pipeline(createReadStream(file), createGunzip(), async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) {
      hash.update(chunk);
      bytes += chunk.length;
    }
  });
  return { sha256: hash.digest('hex'), bytes };
}

/** Writes the contents of a backup file to another file. Resolves with the SHA-256 (hex) of the written bytes. */
export async function readFileCopy(from: string, to: string, { gzip }: { gzip: boolean }): Promise<string> {
  const hash = createHash('sha256');
  await mkdir(path.dirname(to), { recursive: true, mode: 0o700 });
  const target = createWriteStream(to, { mode: 0o600 });
  if (gzip) await pipeline(createReadStream(from), createGunzip(), hashing(hash), target);
  else await pipeline(createReadStream(from), hashing(hash), target);
  return hash.digest('hex');
}

function hashing(hash: Hash): (chunks: AsyncIterable<Buffer>) => AsyncGenerator<Buffer> {
  return async function* (chunks) {
    for await (const chunk of chunks) {
      hash.update(chunk);
      yield chunk;
    }
  };
}
