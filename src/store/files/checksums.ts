/** The file beside the tables that says what the bytes of their files are: LanceDB keeps no checksums of its own. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { FileSum } from './file-sum.ts';

/** A version of a table, and the sums of its files by their paths below the folder of the table. A file of which there is none is left out. */
export interface VersionSums {
  readonly version: number;
  readonly files: ReadonlyMap<string, FileSum>;
}

/** By table: the version that was summed last, and the one before it, as a process that dies between this file and the head begins with that. */
export type StoreSums = ReadonlyMap<string, readonly VersionSums[]>;

export const CHECKSUMS_FILE = 'checksums.json';
/** Raised when an earlier Lore could no longer read what is written. */
const FORMAT = 1;

type Written = Readonly<
  Record<string, readonly { readonly version: number; readonly files: Record<string, readonly [number, string, number]> }[]>
>;

/** Undefined where there is none, or what is there is of a later Lore. Throws `SyntaxError` where it is not what was written, or what the file system throws. */
export function readChecksums(storePath: string): StoreSums | undefined {
  const text = readText(path.join(storePath, CHECKSUMS_FILE));
  if (text === undefined) return undefined;
  const { format, sha256, tables } = JSON.parse(text) as { format?: unknown; sha256?: unknown; tables?: Written };
  if (typeof format === 'number' && format > FORMAT) return undefined;
  if (tables === undefined || sha256 !== digest(JSON.stringify(tables))) throw new SyntaxError(`${CHECKSUMS_FILE} is not what was written`);
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

/** Puts it in the place of the one before. The name survives a power cut once the folder is synced, which writing the head does. */
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
