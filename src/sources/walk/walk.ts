import { type Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { SourcePath } from '../../memory/operations/source-operations.ts';
import { Ignores } from './ignores.ts';
import { nameReason, type NameReason } from './names.ts';

/** Why a file or folder is left out, in words for people. */
export const SKIP_REASONS = {
  ignored: 'left out by .gitignore or .loreignore, or never part of a project',
  repository: 'a repository of its own',
  secret: 'may hold secrets',
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
  /** Below the root, with `/`; of a folder it stands for everything in it. */
  readonly path: string;
  readonly reason: SkipReason;
}

export interface FoundFile {
  /** Below the root, with `/`. */
  readonly path: string;
  readonly bytes: number;
  readonly modifiedMs: number;
}

interface WalkOptions {
  /** Real path of the folder that paths count from. */
  readonly root: string;
  /** A file or folder below the root, with `/`; empty for all. */
  readonly scope: string;
  readonly maxFileBytes: number;
  readonly signal?: AbortSignal | undefined;
}

export interface Walked {
  /** By path, those of a folder before those of the folders in it. */
  readonly files: readonly FoundFile[];
  readonly skipped: readonly Skipped[];
}

/**
 * The files of a project that may be indexed, by their names and sizes; their content is not looked at. Symbolic links are not followed: what
 * they lead to is found where it is, or is none of the project's. Rejects with what the operating system says where the scope is not there.
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

/** The folders in a folder that are to be walked next. */
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
    // Every repository has it, so it is not reported.
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
