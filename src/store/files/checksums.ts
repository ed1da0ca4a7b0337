/** The file next to the tables with the checksums of their files, because LanceDB keeps none. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { FileSum } from './file-sum.ts';

/**
 * A version of a table with the checksums of its files, by path relative to the folder of the table. Files without a checksum are left
 * out.
 */
export interface VersionSums {
  readonly version: number;
  readonly files: ReadonlyMap<string, FileSum>;
}

/**
 * By table: the last version with checksums and the previous one, because a process that dies between writing this file and the
 * checkpoint starts with that.
 */
export type StoreSums = ReadonlyMap<string, readonly VersionSums[]>;

export const CHECKSUMS_FILE = 'checksums.json';
/** Incremented if an earlier Lore could no longer read the format. */
const FORMAT = 1;

type Written = Readonly<
  Record<string, readonly { readonly version: number; readonly files: Record<string, readonly [number, string, number]> }[]>
>;

/**
 * The stored checksums; undefined if there are none, or if a later version of Lore wrote them. Throws `SyntaxError` if the file is
 * altered, or the error of the file system.
 */
export function readChecksums(storePath: string): StoreSums | undefined {
  const text = readText(path.join(storePath, CHECKSUMS_FILE));
  if (text === undefined) return undefined;
  const { format, sha256, tables } = JSON.parse(text) as { format?: unknown; sha256?: unknown; tables?: Written };
  if (typeof format === 'number' && format > FORMAT) return undefined;
  if (tables === undefined || sha256 !== digest(JSON.stringify(tables))) throw new SyntaxError(`${CHECKSUMS_FILE} was altered`);
  return new Map(
    Object.entries(tables).map(([name, versions]) => [
      name,
      versions.map(({ version, files }) => ({
        version,
        files: new Map(Object.entries(files).map(([file, [bytes, sum, crc32]]) => [file, { bytes, sha256: sum, crc32 }])),
      })),
    ]),
  );
}

/** Replaces the checksum file. The name is durable after the folder is synced, which writing the checkpoint does. */
export async function writeChecksums(storePath: string, sums: StoreSums, { synced }: { readonly synced: boolean }): Promise<void> {
  const tables: Written = Object.fromEntries(
    [...sums].map(([name, versions]) => [
      name,
      versions.map(({ version, files }) => ({
        version,
        files: Object.fromEntries([...files].map(([file, { bytes, sha256, crc32 }]) => [file, [bytes, sha256, crc32] as const])),
      })),
    ]),
  );
  const text = JSON.stringify(tables);
  const file = path.join(storePath, CHECKSUMS_FILE);
  await writeFile(`${file}.new`, `{"format":${FORMAT},"sha256":"${digest(text)}","tables":${text}}`, { mode: 0o600, flush: synced });
  await rename(`${file}.new`, file);
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
