import type { TagReport } from '../../../src/memory/operations/bulk-operations.ts';
import type { MoveReport } from '../../../src/memory/operations/namespace-operations.ts';
import type { Filter } from '../address.ts';
import { matchingIds, inBatches, move, moveBack, tag, untag, type Tag, type Tagging } from '../api/bulk.ts';
import { entryConditions } from '../api/conditions.ts';
import { ApiError } from '../api/client.ts';
import { restoreRun, confirmForget, previewForget, type Forgotten, type Selected } from '../api/forgetting.ts';
import { bulkTexts } from './bulk-texts.ts';
import type { Selection } from './use-selection.ts';

/**
 * The selected entries as bulk requests. Resolved once, when first needed; after a failure, again at the next call.
 */
export type Targets = () => Promise<readonly Selected[]>;

interface ResolveOptions {
  /** Stops resolving the entries. */
  readonly signal: AbortSignal;
  readonly now?: Date;
}

const byIds = (ids: readonly string[]): readonly Selected[] => inBatches(ids).map((part) => ({ ids: [...part] }));

/** Resolves a selection (all matching, or single entries) to bulk requests. Entries saved after `now` are not included. */
export function targetsOf({ all, except, memories }: Selection, filter: Filter, { signal, now = new Date() }: ResolveOptions): Targets {
  if (!all) {
    const named = byIds([...memories.keys()]);
    return () => Promise.resolve(named);
  }
  const conditions = entryConditions(filter);
  const until = now.toISOString();
  const createdBefore = conditions.createdBefore !== undefined && conditions.createdBefore < until ? conditions.createdBefore : until;
  if (except.size === 0) return () => Promise.resolve([{ ...conditions, createdBefore }]);
  // Conditions cannot exclude single entries, so the entries are listed by id.
  const find = async (): Promise<readonly Selected[]> =>
    byIds((await matchingIds(filter, createdBefore, signal)).filter((id) => !except.has(id)));
  let finding: Promise<readonly Selected[]> | undefined;
  return () =>
    (finding ??= find().catch((error: unknown) => {
      finding = undefined;
      throw error;
    }));
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, number) => all + number, 0);

/** Preview of a bulk action. */
export interface BulkPreview<Done> {
  /** Number of selected entries. */
  readonly matches: number;
  /** Number of entries that change or are removed. */
  readonly changes: number;
  /** For a move: entries whose text exists in the target. */
  readonly merged?: number;
  /** Runs the action. If the signal aborts, completed requests stay applied and are reported. */
  readonly apply: (signal: AbortSignal) => Promise<Done>;
}

/** Result of a bulk action, with its undo, which resolves with the number of entries. */
export interface BulkResult {
  readonly count: number;
  /** For a move: entries whose text existed in the target; not in `count`. */
  readonly merged?: number;
  readonly left: number;
  /** Why the rest was not done. */
  readonly refused: ApiError | undefined;
  readonly undo: () => Promise<number>;
}

/** Runs one request after another: the server has one writer. */
async function each<T, R>(all: readonly T[], act: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const one of all) results.push(await act(one));
  return results;
}

interface PartialResult<R> {
  readonly results: readonly R[];
  readonly refused: ApiError | undefined;
}

/** Runs requests until the first failure or abort. Rejects if the first one fails: then nothing was done. */
async function runUntilRefused<T, R>(all: readonly T[], act: (one: T) => Promise<R>, signal: AbortSignal): Promise<PartialResult<R>> {
  const results: R[] = [];
  for (const one of all) {
    if (signal.aborted) break;
    try {
      results.push(await act(one));
    } catch (error) {
      if (!(error instanceof ApiError) || results.length === 0) throw error;
      return { results, refused: error };
    }
  }
  return { results, refused: undefined };
}

/** Archives exactly the previewed entries: the token is invalid if they have changed. */
async function forgetPreviewed({ selected, token }: { selected: Selected; token: string }): Promise<Forgotten> {
  try {
    return await confirmForget(selected, token);
  } catch (error) {
    if (!(error instanceof ApiError) || (error.status !== 400 && error.status !== 404)) throw error;
    throw new ApiError(error.status, bulkTexts.changed, { cause: error });
  }
}

export async function previewForgetting(find: Targets, signal: AbortSignal): Promise<BulkPreview<BulkResult>> {
  const targets = await find();
  const looks = await each(targets, (selected) => previewForget(selected, signal));
  const matches = sum(looks.map((look) => look.matches));
  const apply = async (ended: AbortSignal): Promise<BulkResult> => {
    const pairs = targets.flatMap((selected, nth) => (looks[nth]?.token === undefined ? [] : [{ selected, token: looks[nth].token }]));
    const { results: runs, refused } = await runUntilRefused(pairs, forgetPreviewed, ended);
    return {
      count: sum(runs.map(({ forgotten }) => forgotten)),
      left: 0,
      refused,
      undo: async () => sum(await each(runs, ({ run }) => restoreRun(run))),
    };
  };
  return { matches, changes: matches, apply: apply };
}

export async function previewTagging(
  find: Targets,
  tagging: Tagging,
  signal: AbortSignal,
  way: Tag = tag,
): Promise<BulkPreview<BulkResult>> {
  const targets = await find();
  const dry = await each(targets, (selected) => way(selected, tagging, { dryRun: true, signal }));
  const apply = async (ended: AbortSignal): Promise<BulkResult> => {
    const act = (selected: Selected): Promise<TagReport> => way(selected, tagging, { dryRun: false });
    const { results: reports, refused } = await runUntilRefused(targets, act, ended);
    const changed = reports.flatMap((report) => report.changed);
    return { count: changed.length, left: sum(reports.map(({ left }) => left)), refused, undo: () => untag(changed, way) };
  };
  return { matches: sum(dry.map(({ matches }) => matches)), changes: sum(dry.map(({ changed }) => changed.length)), apply: apply };
}

export async function previewMoving(find: Targets, to: string, signal: AbortSignal): Promise<BulkPreview<BulkResult>> {
  const targets = await find();
  const dry = await each(targets, (selected) => move(selected, to, { dryRun: true, signal }));
  const apply = async (ended: AbortSignal): Promise<BulkResult> => {
    const act = (selected: Selected): Promise<MoveReport> => move(selected, to, { dryRun: false });
    const { results: reports, refused } = await runUntilRefused(targets, act, ended);
    const undo = async (): Promise<number> => {
      const back = await moveBack(reports.flatMap(({ cameFrom = [] }) => cameFrom));
      const restored = await each(
        reports.flatMap(({ run }) => run ?? []),
        (run) => restoreRun(run),
      );
      return back + sum(restored);
    };
    const merged = sum(reports.map((report) => report.merged));
    return { count: sum(reports.map(({ moved }) => moved)), merged, left: sum(reports.map(({ left }) => left)), refused, undo };
  };
  return {
    matches: sum(dry.map(({ matches }) => matches)),
    changes: sum(dry.map(({ moved, merged }) => moved + merged)),
    merged: sum(dry.map(({ merged }) => merged)),
    apply: apply,
  };
}
