import type { SyncOperations, SyncStamp } from '../../memory/operations/sync-operations.ts';
import { oneLine } from '../print/output.ts';
import { fit } from '../print/text-width.ts';
import type { Direction, SyncPlan, SyncStep } from './comparison.ts';
import { withoutUndefined } from '../../memory/without-undefined.ts';

/** An entry that was changed on both sides since they were the same. The later change wins; the other one goes to the history. */
export interface Conflict {
  readonly id: string;
  /** When the version was written that goes, and the one that takes its place; epoch milliseconds. */
  readonly lostAt: number;
  readonly wonAt: number;
}

/** The same as it is reported. */
export interface ReportedConflict extends Conflict {
  /** How the text begins that goes; left out where the key may not read it. */
  readonly text?: string;
  /** The command that brings it back. */
  readonly undo: string;
}

const NAMED = 1000;
/** Conflicts that are reported with their texts. */
const READ = 100;
const TEXT_WIDTH = 80;

/**
 * Of the changes of a plan, those that do not descend from what they replace as far as the history of their own store tells. Where a third store
 * carried a change on, its history may not know that; such a change is listed too. Asks nothing of a store of an earlier Lore, and finds none there.
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
      // Two versions of one moment are one change, of which one store redacted the secrets.
      if (lostAt !== undefined && lostAt !== wonAt && !past.includes(lostAt)) conflicts.push({ id, lostAt, wonAt });
    }
  }
  return conflicts;
}

/** Adds the beginnings of the texts that go; only before the plan is carried out. */
export async function reportedConflicts(
  { to }: Direction,
  { namespace, conflicts }: SyncPlan,
  undoOf: (id: string) => string,
): Promise<ReportedConflict[]> {
  const ids = conflicts.slice(0, READ).map(({ id }) => id);
  // A key may write without reading: then the ids are all that can be said.
  const found = ids.length === 0 ? [] : (await to.entries({ namespace, ids }).catch(() => ({ entries: [] }))).entries;
  const texts = new Map(found.map(({ id, content }) => [id, fit(oneLine(content), TEXT_WIDTH).trimEnd()]));
  return conflicts.map((conflict) => {
    const text = texts.get(conflict.id);
    return { ...conflict, ...withoutUndefined({ text }), undo: undoOf(conflict.id) };
  });
}
