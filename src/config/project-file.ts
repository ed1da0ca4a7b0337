import { readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

// Must not load the schema: hooks read the project file too, and loading takes too long.

export const PROJECT_FILE = 'lore.config.json';
/** A file from a cloned repository must not slow commands down. */
const MAX_BYTES = 64 * 1024;

/** A project file as found. */
export interface ProjectFile {
  /** Path where it was found; a symbolic link is not resolved. */
  readonly path: string;
  /** Undefined if it cannot be used. */
  readonly text: string | undefined;
  /** Why it cannot be used. */
  readonly problem?: string;
}

/** The nearest `lore.config.json` in a folder or above it. Never throws. */
export function findProjectFile(cwd: string): ProjectFile | undefined {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const file = projectFileIn(folder);
    if (file !== undefined || dirname(folder) === folder) return file;
  }
}

/** The `lore.config.json` in a folder. Never throws. */
export function projectFileIn(folder: string): ProjectFile | undefined {
  const path = join(folder, PROJECT_FILE);
  const unusable = (problem: string): ProjectFile => ({ path, text: undefined, problem });
  try {
    const found = statSync(path);
    // A link may point to a device, and reading one may never end.
    if (!found.isFile()) return unusable('is not a file');
    if (found.size > MAX_BYTES) return unusable(`is larger than ${MAX_BYTES / 1024} KB`);
    return { path, text: readFileSync(path, 'utf8') };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown reason';
    return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : unusable(`cannot be read (${code})`);
  }
}
