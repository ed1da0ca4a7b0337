import { basename, dirname, join } from 'node:path';
import { isRemote } from '../memory/store-address.ts';

const LONGEST_NAME = 100;

/** Where the events of hooks wait for a store, and what was counted of them. */
export interface CapturePlace {
  /** For this user alone. */
  readonly folder: string;
  /** Of the file that hooks add to; names of others begin so. */
  readonly name: string;
}

/** Beside a store in a folder; in the data folder of this user for one elsewhere. */
export function capturePlace(storagePath: string, dataFolder: () => string): CapturePlace {
  if (!isRemote(storagePath)) return { folder: join(dirname(storagePath), 'capture'), name: basename(storagePath) };
  return { folder: join(dataFolder(), 'capture'), name: storagePath.replaceAll(/[^a-z0-9]+/gi, '-').slice(-LONGEST_NAME) };
}

/** The file that hooks add to. */
export function spoolFile({ folder, name }: CapturePlace): string {
  return join(folder, `${name}.jsonl`);
}
