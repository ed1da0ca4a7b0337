import { randomUUID } from 'node:crypto';
import { nextTimeAfter, type Clock } from '../../memory/clock.ts';
import type { Source } from '../../memory/entry.ts';
import { entryNotFound, LoreError } from '../../memory/errors.ts';
import type { CaptureReviewReport, CaptureReviewRequest } from '../../memory/operations/capture-operations.ts';
import type { EntryRow } from '../../store/format/rows.ts';
import type { Store } from '../../store/store.ts';
import type { WriteLimiter } from '../write-limiter.ts';

interface Parts {
  readonly store: Pick<Store, 'catalog' | 'entries'>;
  readonly clock: Clock;
  readonly limiter: WriteLimiter;
}

/** Entries decided on together: one commit. */
const BATCH = 100;

/**
 * Decides on captured entries. A kept entry counts as changed now; the others are archived. Ignores unknown entries; rejects with
 * `not_found` if all are unknown.
 */
export async function review(
  { store, clock, limiter }: Parts,
  { ids, verdict }: CaptureReviewRequest,
  by: Source,
): Promise<CaptureReviewReport> {
  const present = [...new Set(ids)].filter((id) => store.catalog.get(id) !== undefined);
  if (present.length === 0 && ids[0] !== undefined) throw entryNotFound(ids[0]);
  const note = { at: clock.now(), reason: verdict === 'never' ? 'unwanted' : 'forgotten', run: randomUUID() } as const;
  const keep = (row: EntryRow): EntryRow => {
    const updatedAt = Math.max(clock.now(), nextTimeAfter(row.entry.updatedAt));
    return { ...row, entry: { ...row.entry, updatedAt } };
  };
  const decide = async (id: string): Promise<number> => {
    if (verdict === 'keep') await store.entries.update(id, keep, by);
    else await store.entries.changes.archive(id, note, { by });
    return 1;
  };
  let entries = 0;
  for (let start = 0; start < present.length; start += BATCH) {
    const batch = present.slice(start, start + BATCH);
    const done = await limiter.many({ changes: batch.length, chars: 0 }, () =>
      Promise.all(batch.map((id) => decide(id).catch(ignoreMissing))),
    );
    entries += done.reduce((sum, one) => sum + one, 0);
  }
  return { verdict, entries, ...(verdict !== 'keep' && { run: note.run }) };
}

/** Deleted in the meantime. */
function ignoreMissing(error: unknown): number {
  if (!(error instanceof LoreError && error.code === 'not_found')) throw error;
  return 0;
}
