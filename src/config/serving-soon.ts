/** A client starts its MCP server and its first hooks at the same moment. The server says by a file beside the lock that it will answer soon, so that a hook waits for it. */
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = 'lore.lock.soon';
/** A server that has not opened the store by then has trouble, and nobody waits for it. */
const STALE_MS = 10_000;

/** Says that this process is about to answer for the store, until the returned function is called. Says nothing where there is no store yet. Never throws. */
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

/** Whether a live process has said a moment ago that it will answer for the store. Never throws. */
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
