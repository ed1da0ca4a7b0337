import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { diskSpace } from './disk-space.ts';
import type { Reserve } from './reserve.ts';

/** Whether a folder accepts writes now, without writing: it is writable, and its disk has space. */
export async function isFolderWritable(path: string, reserve: Pick<Reserve, 'requireRoom'>): Promise<boolean> {
  const [mayWrite, hasRoom, space] = await Promise.all([
    access(path, constants.W_OK).then(
      () => true,
      () => false,
    ),
    // Triggers a check of the reserve: a client that waits for readiness sends no write that would notice free space.
    reserve.requireRoom().then(
      () => true,
      () => false,
    ),
    diskSpace(path),
  ]);
  return mayWrite && hasRoom && space?.free !== 0;
}
