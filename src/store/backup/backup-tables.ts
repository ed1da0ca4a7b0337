import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { manifestsIn, tableFolder, VERSIONS } from '../format/manifests.ts';
import { shardsOf } from '../format/shards.ts';
import { filesOfVersion } from '../format/table-files.ts';

interface TableFile {
  /** Below the store folder, with `/`. */
  readonly path: string;
  readonly bytes: number;
  readonly isFinal: true;
}

/**
 * The files needed by the tables of a store folder: entry tables at these versions, all other tables at their newest version. Call it
 * only while nothing writes to them.
 */
export async function tableFiles(storePath: string, entries: ReadonlyMap<string, number>): Promise<TableFile[]> {
  const files: TableFile[] = [];
  for (const folder of await readdir(storePath, { withFileTypes: true })) {
    if (!folder.isDirectory()) continue;
    const versions = await readdir(path.join(storePath, folder.name, VERSIONS)).catch(() => undefined);
    if (versions === undefined) continue;
    const name = path.basename(folder.name, tableFolder(''));
    const wanted = entries.get(name);
    // Tables of an earlier or future number of shards.
    if (wanted === undefined && shardsOf(name) !== undefined) continue;
    const manifest = manifestOf(versions, wanted);
    // An auxiliary table that was created and is still empty.
    if (manifest === undefined && wanted === undefined) continue;
    if (manifest === undefined) throw new Error(`${folder.name} has no version ${wanted}`);
    files.push(...(await filesOf({ storePath, folder: folder.name, manifest })));
  }
  return files;
}

/** The manifest of this version, or of the newest. */
function manifestOf(names: readonly string[], version: number | undefined): string | undefined {
  const manifests = manifestsIn(names);
  return (version === undefined ? manifests[0] : manifests.find((manifest) => manifest.version === version))?.name;
}

async function filesOf(table: { storePath: string; folder: string; manifest: string }): Promise<TableFile[]> {
  const { storePath, folder, manifest } = table;
  const files = (await filesOfVersion(storePath, folder, manifest)).map((file) => `${folder}/${file}`);
  return await Promise.all(
    files.map(async (file) => ({ path: file, bytes: (await stat(path.join(storePath, file))).size, isFinal: true as const })),
  );
}
