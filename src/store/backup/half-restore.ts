import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, renameSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';

const ABANDONED_AFTER_MS = 3_600_000;

const draftPrefix = (storePath: string): string => `.${path.basename(storePath)}.restoring-`;
const keptPrefix = (storePath: string): string => `${path.basename(storePath)}.before-restore-`;

/** Where the store of a backup is made before it takes the place of the present one. */
export function draftPath(storePath: string): string {
  return path.join(path.dirname(storePath), `${draftPrefix(storePath)}${randomBytes(4).toString('hex')}`);
}

/** Where the present store stays. */
export function keptPath(storePath: string): string {
  return path.join(path.dirname(storePath), `${keptPrefix(storePath)}${new Date().toISOString().replaceAll(':', '-')}`);
}

/**
 * Puts the store back that a restore had moved aside when it was killed, before the other one was in its place: there is no store then, and a
 * new one must not be begun.
 */
export function undoHalfRestore(storePath: string): void {
  if (existsSync(storePath)) return;
  const kept = beside(storePath, keptPrefix(storePath)).toSorted().at(-1);
  if (kept !== undefined && beside(storePath, draftPrefix(storePath)).length > 0) renameSync(kept, storePath);
}

/** Removes what restores that were killed have left, as far as no other one can still be at work on it. */
export async function dropAbandonedDrafts(storePath: string): Promise<void> {
  for (const draft of beside(storePath, draftPrefix(storePath))) {
    if (Date.now() - statSync(draft).mtimeMs > ABANDONED_AFTER_MS) await rm(draft, { recursive: true, force: true });
  }
}

function beside(storePath: string, prefix: string): string[] {
  const folder = path.dirname(storePath);
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) => (name.startsWith(prefix) ? [path.join(folder, name)] : []));
}
