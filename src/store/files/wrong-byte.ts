/** Finds one wrong byte in a file from its CRC-32, and verifies it with its SHA-256. */
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { FileSum } from './file-sum.ts';

/** The remainder after one byte, by the value of the byte. */
const STEP = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  return rest;
});
/** Inverse of the table by the highest byte, which is unique for each value. */
const BYTE_OF = new Uint8Array(256);
for (const [byte, step] of STEP.entries()) BYTE_OF[step >>> 24] = byte;

/**
 * The original bytes if exactly one of these bytes is wrong; undefined if more are. A CRC is linear, so the difference of two checksums
 * depends only on the difference of the bytes. Going back byte by byte finds each position and value that explains it, one position in 16
 * million.
 */
export function correctWrongByte(bytes: Buffer, { bytes: length, sha256, crc32: wanted }: FileSum): Buffer | undefined {
  if (bytes.length !== length) return undefined;
  let difference = (crc32(bytes) ^ wanted) >>> 0;
  if (difference === 0) return undefined;
  for (let at = length - 1; at >= 0; at -= 1) {
    const byte = BYTE_OF[difference >>> 24]!;
    if (STEP[byte] === difference) {
      bytes[at]! ^= byte;
      if (createHash('sha256').update(bytes).digest('hex') === sha256) return bytes;
      bytes[at]! ^= byte;
    }
    difference = (((difference ^ STEP[byte]!) << 8) | byte) >>> 0;
  }
  return undefined;
}
