import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, renameSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LoreError } from '../../memory/errors.ts';
import { mayBeHeld } from '../lock/lock.ts';
import { HOUR_MS } from '../../memory/durations.ts';

const ABANDONED_AFTER_MS = HOUR_MS;
/** How long a restore may be between its two renames: they take less than a millisecond, but the machine may be busy. */
const PATIENCE_MS = 10_000;
const POLL_MS = 5;

const draftPrefix = (storePath: string): string => `.${path.basename(storePath)}.restoring-`;
const keptPrefix = (storePath: string): string => `${path.basename(storePath)}.before-restore-`;

/** Path at which a restored store is built before it replaces the current one. */
export function draftPath(storePath: string): string {
  return path.join(path.dirname(storePath), `${draftPrefix(storePath)}${randomBytes(4).toString('hex')}`);
}

/** Path at which the current store is kept. */
export function previousPath(storePath: string): string {
  return path.join(path.dirname(storePath), `${keptPrefix(storePath)}${new Date().toISOString().replaceAll(':', '-')}`);
}

/**
 * Moves the store back if a restore was killed after it had renamed it and before the new one was in place. Without this, a new store
 * would be created. Throws `filesystem` if the restore may still be running.
 */
export function undoUnfinishedRestore(storePath: string): void {
  const kept = movedAside(storePath);
  if (kept === undefined) return;
  if (mayBeHeld(kept)) {
    throw new LoreError('filesystem', `Another process is replacing the store ${storePath}.`, {
      hint: 'Try again when it has finished.',
    });
  }
  try {
    renameSync(kept, storePath);
  } catch (error) {
    // The restore was still running and has finished.
    if (!existsSync(storePath)) throw error;
  }
}

/**
 * Resolves when no running restore is between its two renames. For that moment there is no store, and none must be created.
 */
export async function afterRunningRestore(storePath: string): Promise<void> {
  for (const giveUp = performance.now() + PATIENCE_MS; performance.now() < giveUp; await sleep(POLL_MS)) {
    const kept = movedAside(storePath);
    if (kept === undefined || !mayBeHeld(kept)) return;
  }
}

/** The store path, if it is missing while its replacement exists. */
function movedAside(storePath: string): string | undefined {
  if (existsSync(storePath) || beside(storePath, draftPrefix(storePath)).length === 0) return undefined;
  return beside(storePath, keptPrefix(storePath)).toSorted().at(-1);
}

/** Removes leftovers of killed restores, if no restore can be using them. */
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
