/** Everything that Lore stores is accessible only to its user, however permissive the system defaults are. */
import type { Dirent } from 'node:fs';
import { chmod, lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Log } from '../../memory/log.ts';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
/** Permissions of group and others. */
const OTHERS = 0o077;
const AT_ONCE = 64;

/** Sets the umask so that new files and folders are private: the engine creates many and takes no mode. */
export function makeNewFilesPrivate(): void {
  try {
    process.umask(OTHERS);
  } catch {
    // Not allowed in a worker thread; the store folder itself is private in any case.
  }
}

/**
 * Removes the permissions of group and others from these folders and files, recursively, for example after a copy by another program.
 * Does not follow links. Logs what cannot be changed. Returns the number of changes.
 */
export async function makePrivate(places: readonly string[], log: Pick<Log, 'warn'>): Promise<number> {
  // Windows has other permissions, which the user's folder passes on.
  if (process.platform === 'win32') return 0;
  let changed = 0;
  const open: string[] = [];
  for (const place of places) {
    for await (const batch of everythingIn(place)) {
      const outcomes = await Promise.all(batch.map(close));
      changed += outcomes.filter((outcome) => outcome === 'changed').length;
      open.push(...batch.filter((_, at) => outcomes[at] === 'open'));
    }
  }
  if (open.length > 0)
    log.warn({ files: open.slice(0, 10), count: open.length }, 'other users may read these files, and their permissions cannot be changed');
  return changed;
}

async function close(at: string): Promise<'closed' | 'changed' | 'open'> {
  const found = await lstat(at).catch(() => undefined);
  if (found === undefined || found.isSymbolicLink() || (found.mode & OTHERS) === 0) return 'closed';
  return chmod(at, found.isDirectory() ? FOLDER_MODE : FILE_MODE).then(
    () => 'changed',
    (error: unknown) => ((error as NodeJS.ErrnoException).code === 'ENOENT' ? 'closed' : 'open'),
  );
}

/** A folder before its contents. Missing paths are skipped. */
async function* everythingIn(place: string): AsyncGenerator<string[]> {
  yield [place];
  const entries: Dirent[] = await readdir(place, { withFileTypes: true }).catch(() => []);
  const at = (entry: Dirent): string => path.join(place, entry.name);
  const files = entries.filter((entry) => !entry.isDirectory()).map(at);
  for (let start = 0; start < files.length; start += AT_ONCE) yield files.slice(start, start + AT_ONCE);
  for (const folder of entries.filter((entry) => entry.isDirectory())) yield* everythingIn(at(folder));
}
