import type { SyncOperations, SyncStamp } from '../../memory/operations/sync-operations.ts';
import { oneLine } from '../print/output.ts';
import { fit } from '../print/text-width.ts';
import type { Direction, SyncPlan, SyncStep } from './comparison.ts';
import { withoutUndefined } from '../../memory/without-undefined.ts';

/** An entry that was changed on both sides since they were the same. The later change wins; the other goes to the history. */
export interface Conflict {
  readonly id: string;
  /** Times of the replaced version and of the one that replaces it; epoch milliseconds. */
  readonly lostAt: number;
  readonly wonAt: number;
}

/** A conflict as reported. */
export interface ReportedConflict extends Conflict {
  /** Beginning of the replaced text; absent if the key may not read it. */
  readonly text?: string;
  /** The command that restores it. */
  readonly undo: string;
}

const NAMED = 1000;
/** Conflicts that are reported with their texts. */
const READ = 100;
const TEXT_WIDTH = 80;

/**
 * The changes of a plan that are not based on the version they replace, according to the history of their store. A change that arrived
 * through a third store is listed too, because its history may be missing. Finds none for a store of an earlier version of Lore.
 */
export async function conflictsOf(
  from: SyncOperations,
  { namespace, steps, there }: { namespace: string; steps: readonly SyncStep[]; there: ReadonlyMap<string, SyncStamp> },
): Promise<Conflict[]> {
  const changed = steps.filter(({ action }) => action === 'changed').map(({ id }) => id);
  const conflicts: Conflict[] = [];
  for (let start = 0; start < changed.length; start += NAMED) {
    const { stamps } = await from.stamps({ namespace, ids: changed.slice(start, start + NAMED), past: true });
    for (const { id, at: wonAt, past = [] } of stamps) {
      const lostAt = there.get(id)?.at;
      // Two versions of the same time are one change, of which one store redacted the secrets.
      if (lostAt !== undefined && lostAt !== wonAt && !past.includes(lostAt)) conflicts.push({ id, lostAt, wonAt });
    }
  }
  return conflicts;
}

/** Adds the beginnings of the replaced texts; call it before the plan is carried out. */
export async function reportedConflicts(
  { to }: Direction,
  { namespace, conflicts }: SyncPlan,
  undoOf: (id: string) => string,
): Promise<ReportedConflict[]> {
  const ids = conflicts.slice(0, READ).map(({ id }) => id);
  // A key may write without reading: then only ids are reported.
  const found = ids.length === 0 ? [] : (await to.entries({ namespace, ids }).catch(() => ({ entries: [] }))).entries;
  const texts = new Map(found.map(({ id, content }) => [id, fit(oneLine(content), TEXT_WIDTH).trimEnd()]));
  return conflicts.map((conflict) => {
    const text = texts.get(conflict.id);
    return { ...conflict, ...withoutUndefined({ text }), undo: undoOf(conflict.id) };
  });
}
