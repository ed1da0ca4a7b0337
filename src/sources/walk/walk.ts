import { type Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { SourcePath } from '../../memory/operations/source-operations.ts';
import { Ignores } from './ignores.ts';
import { nameReason, type NameReason } from './names.ts';

/** Reasons for skipping a file or folder, in words. */
export const SKIP_REASONS = {
  ignored: 'ignored by .gitignore or .loreignore, or never indexed',
  repository: 'a separate repository',
  secret: 'may contain secrets',
  lockfile: 'lockfile',
  generated: 'generated or minified',
  binary: 'not text in UTF-8',
  large: 'larger than index.maxFileSizeKB',
  empty: 'empty',
  link: 'symbolic link',
  name: 'a name that cannot be stored',
  unreadable: 'cannot be read',
} as const;
export type SkipReason = keyof typeof SKIP_REASONS;

export interface Skipped {
  /** Path relative to the root, with `/`; a folder stands for all its content. */
  readonly path: string;
  readonly reason: SkipReason;
}

export interface FoundFile {
  /** Path relative to the root, with `/`. */
  readonly path: string;
  readonly bytes: number;
  readonly modifiedMs: number;
}

interface WalkOptions {
  /** Real path of the root folder. */
  readonly root: string;
  /** A file or folder relative to the root, with `/`; empty for all. */
  readonly scope: string;
  readonly maxFileBytes: number;
  readonly signal?: AbortSignal | undefined;
}

export interface Walked {
  /** By path, files of a folder before those of its subfolders. */
  readonly files: readonly FoundFile[];
  readonly skipped: readonly Skipped[];
}

/**
 * Finds the indexable files of a project by name and size, without reading content. Does not follow symbolic links: their target is found
 * at its own path or is outside the project. Rejects with the operating system's error if the scope does not exist.
 */
export async function walk(options: WalkOptions): Promise<Walked> {
  const { root, scope } = options;
  const found = { files: [] as FoundFile[], skipped: [] as Skipped[] };
  const ignores = new Ignores(root);
  const stats = await lstat(join(root, scope));
  if (scope !== '' && ignores.has(scope, stats.isDirectory())) {
    found.skipped.push({ path: scope, reason: 'ignored' });
    return found;
  }
  if (stats.isDirectory()) {
    const folders = [scope];
    for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
      options.signal?.throwIfAborted();
      folders.push(...(await walkFolder(folder, { ...options, ignores, found })));
    }
  } else await look(scope, { ...options, found });
  return found;
}

interface Found {
  readonly files: FoundFile[];
  readonly skipped: Skipped[];
}

/** Walks a folder; returns its subfolders to walk next. */
async function walkFolder(folder: string, options: WalkOptions & { readonly ignores: Ignores; readonly found: Found }): Promise<string[]> {
  const { root, ignores, found } = options;
  let children: Dirent[];
  try {
    children = await readdir(join(root, folder), { withFileTypes: true });
  } catch {
    found.skipped.push({ path: folder, reason: 'unreadable' });
    return [];
  }
  if (folder !== '' && folder !== options.scope && children.some(({ name }) => name === '.git')) {
    found.skipped.push({ path: folder, reason: 'repository' });
    return [];
  }
  const folders: string[] = [];
  for (const child of children.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    // Not reported: every repository has it.
    if (child.name === '.git') continue;
    const path = folder === '' ? child.name : `${folder}/${child.name}`;
    if (ignores.hasItself(path, child.isDirectory())) found.skipped.push({ path, reason: 'ignored' });
    else if (child.isSymbolicLink()) found.skipped.push({ path, reason: 'link' });
    else if (child.isDirectory()) folders.push(path);
    else if (child.isFile()) await look(path, options);
  }
  return folders;
}

async function look(path: string, { root, maxFileBytes, found }: WalkOptions & { readonly found: Found }): Promise<void> {
  const named: NameReason | 'name' | undefined = SourcePath.safeParse(path).success ? nameReason(path) : 'name';
  if (named !== undefined) return void found.skipped.push({ path, reason: named });
  const stats = await lstat(join(root, path)).catch(() => undefined);
  if (stats === undefined) return void found.skipped.push({ path, reason: 'unreadable' });
  const reason: SkipReason | undefined = stats.size > maxFileBytes ? 'large' : stats.size === 0 ? 'empty' : undefined;
  if (reason === undefined) found.files.push({ path, bytes: stats.size, modifiedMs: stats.mtimeMs });
  else found.skipped.push({ path, reason });
}
