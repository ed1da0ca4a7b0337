import { readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

// Loads no schema: a hook reads the project file too, and has no time for one.

export const PROJECT_FILE = 'lore.config.json';
/** A file that came with a repository must not keep a command busy. */
const MAX_BYTES = 64 * 1024;

/** A project file as it was found. */
export interface ProjectFile {
  /** In the folder where it was found: what a symbolic link leads to does not matter. */
  readonly path: string;
  /** Undefined where it cannot be used. */
  readonly text: string | undefined;
  /** Why it cannot be used. */
  readonly problem?: string;
}

/** The nearest `lore.config.json` in a folder or any folder above it. Never throws. */
export function findProjectFile(cwd: string): ProjectFile | undefined {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const file = projectFileIn(folder);
    if (file !== undefined || dirname(folder) === folder) return file;
  }
}

/** The `lore.config.json` of a folder itself. Never throws. */
export function projectFileIn(folder: string): ProjectFile | undefined {
  const path = join(folder, PROJECT_FILE);
  const unusable = (problem: string): ProjectFile => ({ path, text: undefined, problem });
  try {
    const found = statSync(path);
    // A link may lead to a device, and reading one may never end.
    if (!found.isFile()) return unusable('is not a file');
    if (found.size > MAX_BYTES) return unusable(`is larger than ${MAX_BYTES / 1024} KB`);
    return { path, text: readFileSync(path, 'utf8') };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown reason';
    return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : unusable(`cannot be read (${code})`);
  }
}
