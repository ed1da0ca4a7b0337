import path from 'node:path';
import type { WrongFile } from '../../memory/operations/verification.ts';
import { readChecksums } from '../files/checksums.ts';
import { isSum, sumOf, type FileSum } from '../files/file-sum.ts';
import { readCheckpoint } from '../format/checkpoint.ts';
import { tableFolder } from '../format/manifests.ts';
import { entriesTables } from '../format/shards.ts';
import { DATA, INDEXES } from '../format/table-files.ts';
import { META } from '../format/schema.ts';
import { asStoreError } from '../errors/store-error.ts';

export type FileKind = WrongFile['kind'];

/** A file of a table with its expected checksum. */
export interface KnownFile {
  readonly table: string;
  /** Below the folder of the table, with `/`. */
  readonly file: string;
  readonly sum: FileSum;
}

/** Path relative to the store. */
export const pathInStore = ({ table, file }: Pick<KnownFile, 'table' | 'file'>): string => `${tableFolder(table)}/${file}`;

export const kindOf = ({ file }: Pick<KnownFile, 'file'>): FileKind =>
  file.startsWith(`${DATA}/`) ? 'data' : file.startsWith(`${INDEXES}/`) ? 'index' : 'description';

/** Whether a file has its expected checksum. A missing file does not. */
export async function hasExpectedSum(storePath: string, known: KnownFile): Promise<boolean> {
  try {
    return isSum(await sumOf(path.join(storePath, pathInStore(known))), known.sum);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // An unreadable disk sector counts as damage.
    if (code === 'ENOENT' || code === 'EIO') return false;
    return asStoreError('read the store')(error);
  }
}

/** The files with checksums of a store that is closed or open elsewhere. */
export function knownFiles(storePath: string): KnownFile[] {
  const sums = readSums(storePath);
  const { entries, sides = {} } = checkpointOf(storePath);
  const versions = new Map<string, number | undefined>([
    ...entriesTables(entries?.length ?? 1).map((table, shard) => [table, entries?.[shard]?.version] as const),
    ...Object.entries(sides),
  ]);
  return [...sums].flatMap(([table, known]) => {
    const version = versions.get(table) ?? (table === META ? known[0]?.version : undefined);
    const files = known.find((summed) => summed.version === version)?.files ?? new Map<string, FileSum>();
    return [...files].map(([file, sum]) => ({ table, file, sum }));
  });
}

/** The altered files. For a store in use, files that went out of use in the meantime are left out. */
export async function wrongFiles(storePath: string): Promise<KnownFile[]> {
  const wrong: KnownFile[] = [];
  for (const known of knownFiles(storePath)) if (!(await hasExpectedSum(storePath, known))) wrong.push(known);
  if (wrong.length === 0) return wrong;
  const still = new Set(knownFiles(storePath).map((known) => `${pathInStore(known)} ${known.sum.sha256}`));
  return wrong.filter((known) => still.has(`${pathInStore(known)} ${known.sum.sha256}`));
}

/** A damaged file gives no information; opening the store reports it. */
function readSums(storePath: string): NonNullable<ReturnType<typeof readChecksums>> {
  try {
    return readChecksums(storePath) ?? new Map();
  } catch {
    return new Map();
  }
}

function checkpointOf(storePath: string): ReturnType<typeof readCheckpoint> {
  try {
    return readCheckpoint(storePath);
  } catch {
    return {};
  }
}
