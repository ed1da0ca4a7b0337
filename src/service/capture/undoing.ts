import { randomUUID } from 'node:crypto';
import type { Clock } from '../../memory/clock.ts';
import type { Source } from '../../memory/entry.ts';
import type { CaptureUndoReport, CaptureUndoRequest } from '../../memory/operations/capture-operations.ts';
import type { Store } from '../../store/store.ts';
import type { WriteLimiter } from '../write-limiter.ts';
import { ignoreMissing } from './superseding.ts';

const READ_AT_ONCE = 200;

interface Parts {
  readonly store: Store;
  readonly clock: Clock;
  readonly limiter: WriteLimiter;
  /** Yields to other work. */
  readonly pause: () => Promise<void>;
}

/** Undoes the capture of a session: archives its entries, or deletes them for good. */
export async function undo(
  parts: Parts,
  { session, namespace, permanent = false, dryRun = false }: CaptureUndoRequest,
  source: Source,
): Promise<CaptureUndoReport> {
  const { store, limiter, clock, pause } = parts;
  const ids = await capturedIn(parts, session, namespace);
  const report = { session, dryRun, permanent, entries: ids.length };
  if (dryRun || ids.length === 0) return report;
  const { changes } = store.entries;
  const run = randomUUID();
  const note = { at: clock.now(), reason: 'forgotten', run } as const;
  const takeBack = (id: string) =>
    permanent ? changes.remove(id, undefined, { deletedAt: note.at }) : changes.archive(id, note, { by: source });
  for (const id of ids) {
    await limiter.many({ changes: 1, chars: 0 }, () => takeBack(id).catch(ignoreMissing));
    await pause();
  }
  return { ...report, ...(!permanent && { run }) };
}

/** Existing entries that a session captured. */
async function capturedIn({ store, pause }: Parts, session: string, namespace: string | undefined): Promise<string[]> {
  const { catalog, entries } = store;
  const captured = catalog
    .entries()
    .filter((known) => known.source === 'auto-capture' && (namespace === undefined || known.namespace === namespace));
  const found: string[] = [];
  for (let start = 0; start < captured.length; start += READ_AT_ONCE) {
    const batch = await entries.getMany(captured.slice(start, start + READ_AT_ONCE).map(({ id }) => id));
    found.push(...batch.filter(({ sourceRef }) => sourceRef?.['session'] === session).map(({ id }) => id));
    await pause();
  }
  return found;
}

/** Deleted in the meantime. */
