import { statfs } from 'node:fs/promises';

export interface DiskSpace {
  /** What this user may still write, bytes. */
  readonly free: number;
  /** Bytes in all. */
  readonly total: number;
}

const LEAST_BYTES = 500 * 1000 * 1000;
const LEAST_SHARE = 0.02;
/** Two hundredths of a very large disk are no reason to worry. */
const ENOUGH_BYTES = 10 * 1000 * 1000 * 1000;

/** Of the disk that a folder is on; undefined where the system does not tell. */
export async function diskSpace(folder: string): Promise<DiskSpace | undefined> {
  try {
    const { bsize, bavail, blocks } = await statfs(folder);
    // Some file systems count no blocks at all.
    return blocks > 0 ? { free: bsize * bavail, total: bsize * blocks } : undefined;
  } catch {
    return undefined;
  }
}

/** Whether there is less left than a store soon needs: under 500 MB or two hundredths of the disk, and under 10 GB in any case. */
export function isNearlyFull({ free, total }: DiskSpace): boolean {
  return free < Math.min(ENOUGH_BYTES, Math.max(LEAST_BYTES, LEAST_SHARE * total));
}
