/** Asking for a store that another process has open, by a file beside its lock: it works before the holder listens, and needs no key. */
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isAlive, thisProcess } from './lock.ts';
import { asStoreError } from './store-error.ts';

const FILE = 'lore.lock.wanted';
/** Longer than a restore takes. A wish that is older keeps nobody from the store. */
const STALE_MS = 600_000;

/**
 * Says that this process wants the store: a holder that yields closes it, and nobody who yields opens it, until the returned function is
 * called or this process ends. Rejects with `filesystem` where the folder cannot be written.
 */
export function wantStore(storePath: string): () => void {
  const file = path.join(storePath, FILE);
  const fresh = `${file}.${process.pid}`;
  try {
    writeFileSync(fresh, JSON.stringify(thisProcess()), { mode: 0o600 });
    renameSync(fresh, file);
  } catch (error) {
    asStoreError('ask for the store')(error);
  }
  return () => {
    if (read(file)?.pid === process.pid) rmSync(file, { force: true });
  };
}

/** Whether a live process other than this one wants the store. Removes what a dead one left. */
export function isStoreWanted(storePath: string): boolean {
  const file = path.join(storePath, FILE);
  const wish = read(file);
  if (wish === undefined || wish.pid === process.pid) return false;
  if (isAlive(wish) && !isOld(file)) return true;
  rmSync(file, { force: true });
  return false;
}

function read(file: string): { pid: number; started: string } | undefined {
  try {
    const { pid, started = '' } = JSON.parse(readFileSync(file, 'utf8')) as { pid?: unknown; started?: string };
    return typeof pid === 'number' ? { pid, started } : undefined;
  } catch {
    return undefined;
  }
}

function isOld(file: string): boolean {
  try {
    return Date.now() - statSync(file).mtimeMs > STALE_MS;
  } catch {
    return true;
  }
}
