/**
 * Requests a store from the process that has it open, by a file next to its lock: this works before the holder listens, and needs no key.
 */
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { processState, thisProcess, type ProcessIdentity } from './process-identity.ts';
import { asStoreError } from '../errors/store-error.ts';

const FILE = 'lore.lock.wanted';
/** Longer than a restore takes. An older request blocks nobody. */
const STALE_MS = 600_000;
/** The same for a process in another container, which cannot be checked: longer than anyone waits for the store. */
const ELSEWHERE_STALE_MS = 30_000;

/**
 * Requests the store for this process: a yielding holder closes it, and no yielding process opens it, until the returned function is
 * called or this process ends. Rejects with `filesystem` if the folder cannot be written.
 */
export function requestHandover(storePath: string): () => void {
  const file = path.join(storePath, FILE);
  const fresh = `${file}.${process.pid}`;
  try {
    writeFileSync(fresh, JSON.stringify(thisProcess()), { mode: 0o600 });
    renameSync(fresh, file);
  } catch (error) {
    asStoreError('ask for the store')(error);
  }
  return () => {
    if (isThisProcess(read(file))) rmSync(file, { force: true });
  };
}

/** Whether another live process wants the store. Removes requests of dead ones. */
export function isStoreWanted(storePath: string): boolean {
  const file = path.join(storePath, FILE);
  const request = read(file);
  if (request === undefined || isThisProcess(request)) return false;
  const verdict = processState(request);
  if (verdict !== 'dead' && !isOlder(file, verdict === 'alive' ? STALE_MS : ELSEWHERE_STALE_MS)) return true;
  rmSync(file, { force: true });
  return false;
}

const isThisProcess = (request: ProcessIdentity | undefined): boolean => request?.pid === process.pid && processState(request) === 'alive';

function read(file: string): ProcessIdentity | undefined {
  try {
    const mark = JSON.parse(readFileSync(file, 'utf8')) as Partial<ProcessIdentity>;
    return typeof mark.pid === 'number' ? { ...mark, pid: mark.pid, started: mark.started ?? '' } : undefined;
  } catch {
    return undefined;
  }
}

function isOlder(file: string, ms: number): boolean {
  try {
    return Date.now() - statSync(file).mtimeMs > ms;
  } catch {
    return true;
  }
}
