import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';

/** Size of all files in a folder in bytes. Files deleted in the meantime do not count. */
export async function folderSize(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(
        async (entry) =>
          await stat(path.join(entry.parentPath, entry.name)).then(
            ({ size }) => size,
            () => 0,
          ),
      ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
