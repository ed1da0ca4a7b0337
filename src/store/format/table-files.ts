import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { VERSIONS } from './manifests.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
export const INDEXES = '_indices';
export const DATA = 'data';
export const TRANSACTIONS = '_transactions';
export const DELETIONS = '_deletions';

/**
 * The files that a version of a table needs, relative to the folder of the table, with `/`. The manifest of the version names its data
 * files and the ids of its indexes; other files belong to older versions or are left from a crash.
 */
export async function filesOfVersion(storePath: string, folder: string, manifest: string): Promise<string[]> {
  const root = path.join(storePath, folder);
  const bytes = await readFile(path.join(root, VERSIONS, manifest));
  const found = (await readdir(root, { recursive: true, withFileTypes: true })).flatMap((entry) =>
    entry.isFile() ? [path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep)] : [],
  );
  const isNamed = ([part, name = '']: readonly string[]): boolean =>
    bytes.includes(part === INDEXES ? Buffer.from(name.replaceAll('-', ''), 'hex') : name);
  const told = new Set(found.filter(isNamed).map(([part]) => part));
  const kept = found.filter((parts) => {
    const [part = '', name = ''] = parts;
    if (part === VERSIONS) return name === manifest;
    if (/^\.tmp|#\d+$/.test(parts.at(-1) ?? '')) return false;
    const isToldApart = part === DATA || part === TRANSACTIONS || (part === INDEXES && UUID.test(name));
    // If a manifest names no file of a kind, a later LanceDB may write it differently: then all files are included.
    return !isToldApart || isNamed(parts) || !told.has(part);
  });
  return kept.map((parts) => parts.join('/'));
}
