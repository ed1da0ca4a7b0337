import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { manifestsIn, tableFolder, VERSIONS } from '../format/manifests.ts';
import { shardsOf } from '../format/shards.ts';

interface TableFile {
  /** Below the store folder, with `/`. */
  readonly path: string;
  readonly bytes: number;
  readonly isFinal: true;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * The files that the tables of a store folder need: those of entries at these versions, by name, and no other ones of entries; every other table at its newest. Only while
 * nothing is written to them. What a folder of a table holds besides (older versions, what a crash left behind) is told apart by the manifest of the
 * version: it names its data files, and holds the ids of its indexes.
 */
export async function tableFiles(storePath: string, entries: ReadonlyMap<string, number>): Promise<TableFile[]> {
  const files: TableFile[] = [];
  for (const folder of await readdir(storePath, { withFileTypes: true })) {
    if (!folder.isDirectory()) continue;
    const versions = await readdir(path.join(storePath, folder.name, VERSIONS)).catch(() => undefined);
    if (versions === undefined) continue;
    const name = path.basename(folder.name, tableFolder(''));
    const wanted = entries.get(name);
    // Of the way the entries were spread before, or will be.
    if (wanted === undefined && shardsOf(name) !== undefined) continue;
    const manifest = manifestOf(versions, wanted);
    // A table beside the entries that was begun and has nothing in it yet.
    if (manifest === undefined && wanted === undefined) continue;
    if (manifest === undefined) throw new Error(`${folder.name} has no version ${wanted}`);
    files.push(...(await filesOf({ storePath, folder: folder.name, manifest })));
  }
  return files;
}

/** The file of this version, or of the newest. */
function manifestOf(names: readonly string[], version: number | undefined): string | undefined {
  const manifests = manifestsIn(names);
  return (version === undefined ? manifests[0] : manifests.find((manifest) => manifest.version === version))?.name;
}

async function filesOf(table: { storePath: string; folder: string; manifest: string }): Promise<TableFile[]> {
  const { storePath, folder, manifest } = table;
  const root = path.join(storePath, folder);
  const bytes = await readFile(path.join(root, VERSIONS, manifest));
  const found = (await readdir(root, { recursive: true, withFileTypes: true })).flatMap((entry) =>
    entry.isFile() ? [path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep)] : [],
  );
  const isNamed = ([part, name = '']: readonly string[]): boolean =>
    bytes.includes(part === '_indices' ? Buffer.from(name.replaceAll('-', ''), 'hex') : name);
  const told = new Set(found.filter(isNamed).map(([part]) => part));
  const kept = found.filter((parts) => {
    const [part = '', name = ''] = parts;
    if (part === VERSIONS) return name === manifest;
    if (/^\.tmp|#\d+$/.test(parts.at(-1) ?? '')) return false;
    const isToldApart = part === 'data' || part === '_transactions' || (part === '_indices' && UUID.test(name));
    // Where a manifest names nothing of a kind, that may be how a later LanceDB writes it: rather too much than too little.
    return !isToldApart || isNamed(parts) || !told.has(part);
  });
  return await Promise.all(
    kept.map(async (parts) => ({
      path: [folder, ...parts].join('/'),
      bytes: (await stat(path.join(root, ...parts))).size,
      isFinal: true as const,
    })),
  );
}
