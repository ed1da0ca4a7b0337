/** Records of data lost by damage, stored with the damaged files, so that a restart does not forget them. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const FILE = 'losses.json';

interface Loss {
  readonly message: string;
  /** Time of detection, epoch milliseconds. */
  readonly at: number;
}

/**
 * The losses that the folders in `quarantine` record, by the name of their folder, oldest first. An unreadable record does not prevent
 * opening the store.
 */
export function recordedLosses(quarantine: string): { readonly name: string; readonly loss: Loss }[] {
  if (!existsSync(quarantine)) return [];
  return readdirSync(quarantine)
    .toSorted()
    .flatMap((name) => lossesIn(path.join(quarantine, name)).map((loss) => ({ name, loss })));
}

/** Adds a loss to the record of a folder, and creates the folder if needed. Throws the error of the file system. */
export function recordLoss(folder: string, loss: Loss): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(path.join(folder, FILE), `${JSON.stringify([...lossesIn(folder), loss], undefined, 2)}\n`, { mode: 0o600 });
}

/** Whether the record still exists. */
export const isRecorded = (folder: string): boolean => existsSync(path.join(folder, FILE));

function lossesIn(folder: string): Loss[] {
  try {
    const found: unknown = JSON.parse(readFileSync(path.join(folder, FILE), 'utf8'));
    return Array.isArray(found) ? found.filter(isLoss) : [];
  } catch {
    return [];
  }
}

function isLoss(value: unknown): value is Loss {
  const { message, at } = (value ?? {}) as Partial<Loss>;
  return typeof message === 'string' && typeof at === 'number';
}
