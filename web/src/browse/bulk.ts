import type { TagReport } from '../../../src/memory/operations/bulk-operations.ts';
import type { MoveReport } from '../../../src/memory/operations/namespace-operations.ts';
import type { Filter } from '../address.ts';
import { idsPassing, inParts, move, moveBack, tag, untag, type Tagging } from '../api/bulk.ts';
import { entryConditions } from '../api/conditions.ts';
import { ApiError } from '../api/client.ts';
import { bringBack, forgetFound, lookBeforeForgetting, type Forgotten, type Selected } from '../api/forgetting.ts';
import { bulkTexts } from './bulk-texts.ts';
import type { Selection } from './use-selection.ts';

/**
 * The entries that a bulk action is about, as the requests that name them; found out once, when they are first asked for, and once more after
 * that failed.
 */
export type Targets = () => Promise<readonly Selected[]>;

interface Finding {
  /** Ends the looking for them. */
  readonly signal: AbortSignal;
  readonly now?: Date;
}

const byIds = (ids: readonly string[]): readonly Selected[] => inParts(ids).map((part) => ({ ids: [...part] }));

/** What a selection of everything that passes the filter means, or of single entries. What is saved after `now` is never meant. */
export function targetsOf({ all, except, memories }: Selection, filter: Filter, { signal, now = new Date() }: Finding): Targets {
  if (!all) {
    const named = byIds([...memories.keys()]);
    return () => Promise.resolve(named);
  }
  const conditions = entryConditions(filter);
  const until = now.toISOString();
  const createdBefore = conditions.createdBefore !== undefined && conditions.createdBefore < until ? conditions.createdBefore : until;
  if (except.size === 0) return () => Promise.resolve([{ ...conditions, createdBefore }]);
  // No condition leaves out single entries: those that are meant are named one by one.
  const find = async (): Promise<readonly Selected[]> =>
    byIds((await idsPassing(filter, createdBefore, signal)).filter((id) => !except.has(id)));
  let finding: Promise<readonly Selected[]> | undefined;
  return () =>
    (finding ??= find().catch((error: unknown) => {
      finding = undefined;
      throw error;
    }));
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, number) => all + number, 0);

/** What an action would do, and what doing it takes. */
export interface Foreseen<Done> {
  /** Entries meant. */
  readonly matches: number;
  /** Entries that become others, or go. */
  readonly changes: number;
  /** Of a move: those of them whose text is there already. */
  readonly merged?: number;
  /** Ended by the signal, it leaves the rest: what is with the server already is done, and is told. */
  readonly carryOut: (signal: AbortSignal) => Promise<Done>;
}

/** What was done, and how it is taken back; that resolves with how many entries it brought back. */
export interface Done {
  readonly count: number;
  /** Of a move: those whose text was there already, which are not in `count`. */
  readonly merged?: number;
  readonly left: number;
  /** Why the rest was not done. */
  readonly refused: ApiError | undefined;
  readonly takeBack: () => Promise<number>;
}

/** One after the other: the server has one writer. */
async function each<T, R>(all: readonly T[], act: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const one of all) results.push(await act(one));
  return results;
}

interface Went<R> {
  readonly results: readonly R[];
  readonly refused: ApiError | undefined;
}

/** The same, up to the first that is refused, or until it is ended. Rejects where the very first is refused: then nothing was done. */
async function asFarAsItGoes<T, R>(all: readonly T[], act: (one: T) => Promise<R>, signal: AbortSignal): Promise<Went<R>> {
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

/** Forgets what was looked at, and no other: the token does not fit any more where that has changed. */
async function forgetLooked({ selected, token }: { selected: Selected; token: string }): Promise<Forgotten> {
  try {
    return await forgetFound(selected, token);
  } catch (error) {
    if (!(error instanceof ApiError) || (error.status !== 400 && error.status !== 404)) throw error;
    throw new ApiError(error.status, bulkTexts.changed, { cause: error });
  }
}

export async function foreseeForgetting(find: Targets, signal: AbortSignal): Promise<Foreseen<Done>> {
  const targets = await find();
  const looks = await each(targets, (selected) => lookBeforeForgetting(selected, signal));
  const matches = sum(looks.map((look) => look.matches));
  const carryOut = async (ended: AbortSignal): Promise<Done> => {
    const pairs = targets.flatMap((selected, nth) => (looks[nth]?.token === undefined ? [] : [{ selected, token: looks[nth].token }]));
    const { results: runs, refused } = await asFarAsItGoes(pairs, forgetLooked, ended);
    return {
      count: sum(runs.map(({ forgotten }) => forgotten)),
      left: 0,
      refused,
      takeBack: async () => sum(await each(runs, ({ run }) => bringBack(run))),
    };
  };
  return { matches, changes: matches, carryOut };
}

export async function foreseeTagging(find: Targets, tagging: Tagging, signal: AbortSignal): Promise<Foreseen<Done>> {
  const targets = await find();
  const dry = await each(targets, (selected) => tag(selected, tagging, { dryRun: true, signal }));
  const carryOut = async (ended: AbortSignal): Promise<Done> => {
    const act = (selected: Selected): Promise<TagReport> => tag(selected, tagging, { dryRun: false });
    const { results: reports, refused } = await asFarAsItGoes(targets, act, ended);
    const changed = reports.flatMap((report) => report.changed);
    return { count: changed.length, left: sum(reports.map(({ left }) => left)), refused, takeBack: () => untag(changed) };
  };
  return { matches: sum(dry.map(({ matches }) => matches)), changes: sum(dry.map(({ changed }) => changed.length)), carryOut };
}

export async function foreseeMoving(find: Targets, to: string, signal: AbortSignal): Promise<Foreseen<Done>> {
  const targets = await find();
  const dry = await each(targets, (selected) => move(selected, to, { dryRun: true, signal }));
  const carryOut = async (ended: AbortSignal): Promise<Done> => {
    const act = (selected: Selected): Promise<MoveReport> => move(selected, to, { dryRun: false });
    const { results: reports, refused } = await asFarAsItGoes(targets, act, ended);
    const takeBack = async (): Promise<number> => {
      const back = await moveBack(reports.flatMap(({ cameFrom = [] }) => cameFrom));
      const restored = await each(
        reports.flatMap(({ run }) => run ?? []),
        (run) => bringBack(run),
      );
      return back + sum(restored);
    };
    const merged = sum(reports.map((report) => report.merged));
    return { count: sum(reports.map(({ moved }) => moved)), merged, left: sum(reports.map(({ left }) => left)), refused, takeBack };
  };
  return {
    matches: sum(dry.map(({ matches }) => matches)),
    changes: sum(dry.map(({ moved, merged }) => moved + merged)),
    merged: sum(dry.map(({ merged }) => merged)),
    carryOut,
  };
}
