/**
 * A file next to the lock that announces a starting server. Clients start the MCP server and the first hooks at the same time; a hook waits
 * for an announced server.
 */
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = 'lore.lock.soon';
/** Age at which an announcement is ignored: a server that has not opened the store by then has a problem. */
const STALE_MS = 10_000;

/**
 * Announces that this process will serve the store, until the returned function is called. Does nothing if there is no store yet. Never
 * throws.
 */
export function announceServer(storePath: string): () => void {
  const file = join(storePath, FILE);
  const fresh = `${file}.${process.pid}`;
  try {
    writeFileSync(fresh, String(process.pid), { mode: 0o600 });
    renameSync(fresh, file);
  } catch {
    return () => undefined;
  }
  return () => {
    if (pidIn(file) === process.pid) rmSync(file, { force: true });
  };
}

/** Whether a live process announced itself recently. Never throws. */
export function isServerAnnounced(storePath: string): boolean {
  const file = join(storePath, FILE);
  const pid = pidIn(file);
  if (pid === undefined) return false;
  try {
    process.kill(pid, 0);
    return Math.abs(Date.now() - statSync(file).mtimeMs) < STALE_MS;
  } catch {
    return false;
  }
}

function pidIn(file: string): number | undefined {
  try {
    return Number(readFileSync(file, 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}
