import { basename, dirname, join } from 'node:path';
import { isRemote } from '../memory/store-address.ts';

const LONGEST_NAME = 100;

/** Location of the spooled hook events of a store and of capture statistics. */
export interface CaptureLocation {
  /** Private to this user. */
  readonly folder: string;
  /** Name of the spool file, and prefix of related files. */
  readonly name: string;
}

/** Next to a store in a folder; otherwise in the data folder of this user. */
export function captureLocation(storagePath: string, dataFolder: () => string): CaptureLocation {
  if (!isRemote(storagePath)) return { folder: join(dirname(storagePath), 'capture'), name: basename(storagePath) };
  return { folder: join(dataFolder(), 'capture'), name: storagePath.replaceAll(/[^a-z0-9]+/gi, '-').slice(-LONGEST_NAME) };
}

/** The spool file that hooks append to. */
export function spoolFile({ folder, name }: CaptureLocation): string {
  return join(folder, `${name}.jsonl`);
}
