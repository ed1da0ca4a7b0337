import { statfs } from 'node:fs/promises';

export interface DiskSpace {
  /** Free bytes for this user. */
  readonly free: number;
  /** Total bytes. */
  readonly total: number;
}

const LEAST_BYTES = 500 * 1000 * 1000;
const LEAST_SHARE = 0.02;
/** On a very large disk, 2 % is still plenty. */
const ENOUGH_BYTES = 10 * 1000 * 1000 * 1000;

/** Space of the disk of a folder; undefined if the system does not report it. */
export async function diskSpace(folder: string): Promise<DiskSpace | undefined> {
  try {
    const { bsize, bavail, blocks } = await statfs(folder);
    // Some file systems report no block counts.
    return blocks > 0 ? { free: bsize * bavail, total: bsize * blocks } : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the disk is nearly full: less than 500 MB or 2 % free, and less than 10 GB. */
export function isNearlyFull({ free, total }: DiskSpace): boolean {
  return free < Math.min(ENOUGH_BYTES, Math.max(LEAST_BYTES, LEAST_SHARE * total));
}
