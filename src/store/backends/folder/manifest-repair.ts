/** The small files that describe a table: its versions, and its deleted rows. They are checked whenever a store is opened. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { asStoreError } from '../../errors/store-error.ts';
import { isSum, sumOf, type FileSum } from '../../files/file-sum.ts';
import type { Quarantine } from '../../files/quarantine.ts';
import { replaceFile } from '../../files/sync.ts';
import { correctWrongByte } from '../../files/wrong-byte.ts';
import type { Checkpoint } from '../../format/checkpoint.ts';
import { tableFolder, VERSIONS } from '../../format/manifests.ts';
import { entriesTables } from '../../format/shards.ts';
import { DELETIONS } from '../../format/table-files.ts';
import { correctedMessage, type FileSums } from '../../tables/file-sums.ts';

interface Opening {
  readonly path: string;
  readonly synced: boolean;
  readonly checkpoint: Checkpoint;
  readonly sums: FileSums;
  readonly quarantine: Quarantine;
}

/** Corrects manifests with one wrong byte, for the versions in the checkpoint. The original goes to quarantine and is reported. */
export async function repairManifests({ path: storePath, synced, checkpoint, sums, quarantine }: Opening): Promise<void> {
  const entries = entriesTables(checkpoint.entries?.length ?? 1).map(
    (name, shard) => [name, checkpoint.entries?.[shard]?.version] as const,
  );
  for (const [table, version] of [...entries, ...Object.entries(checkpoint.sides ?? {})]) {
    const files = sums.filesOf(table, version);
    for (const place of await wrongManifests(storePath, { table, files })) {
      const file = path.join(storePath, place);
      const sum = files.get(path.posix.relative(tableFolder(table), place));
      const mended = sum && correctWrongByte(await readFile(file).catch(asStoreError('read the store')), sum);
      if (mended === undefined) continue;
      await quarantine.copy(place);
      await replaceFile(file, mended, { synced }).catch(asStoreError('write the store'));
      quarantine.note({ message: correctedMessage(place, quarantine), mayLose: false });
    }
  }
}

/** Paths of the existing but altered manifests of a table, relative to the store. */
export async function wrongManifests(
  storePath: string,
  { table, files }: { readonly table: string; readonly files: ReadonlyMap<string, FileSum> },
): Promise<string[]> {
  const wrong: string[] = [];
  for (const [file, sum] of files) {
    if (!file.startsWith(`${VERSIONS}/`) && !file.startsWith(`${DELETIONS}/`)) continue;
    const place = `${tableFolder(table)}/${file}`;
    const found = await sumOf(path.join(storePath, place)).catch(unlessMissing);
    if (found !== undefined && !isSum(found, sum)) wrong.push(place);
  }
  return wrong;
}

/** A missing file keeps the table from opening, which reports it. */
function unlessMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') asStoreError('read the store')(error);
}
