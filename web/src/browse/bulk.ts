import type { Filter } from '../address.ts';
import { inParts, move, moveBack, tag, untag, type Tagging } from '../api/bulk.ts';
import { entryConditions } from '../api/conditions.ts';
import { ApiError } from '../api/client.ts';
import { bringBack, forgetFound, lookBeforeForgetting, type Forgotten, type Selected } from '../api/forgetting.ts';
import { texts } from '../texts.ts';
import type { Selection } from './use-selection.ts';

/** The entries that a bulk action is about, as the requests that name them. */
export type Targets = readonly Selected[];

/** Everything that passes the filter, as it is now: what comes later is not meant. No condition at all is refused by the server. */
export function targetsOf(selection: Selection, filter: Filter, now = new Date()): Targets {
  if (!selection.all) return inParts([...selection.memories.keys()]).map((ids) => ({ ids: [...ids] }));
  const conditions = entryConditions(filter);
  const until = now.toISOString();
  const { createdBefore = until } = conditions;
  return [{ ...conditions, createdBefore: createdBefore < until ? createdBefore : until }];
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, number) => all + number, 0);

/** What an action would do, and what doing it takes. */
export interface Foreseen<Done> {
  /** Entries meant. */
  readonly matches: number;
  /** Entries that become others. */
  readonly changes: number;
  /** Of a move: those whose text is there already. */
  readonly merged?: number;
  readonly carryOut: () => Promise<Done>;
}

/** What was done, and how it is taken back; that resolves with how many entries it brought back. */
export interface Done {
  readonly count: number;
  readonly left: number;
  readonly takeBack: () => Promise<number>;
}

/** One after the other: the server has one writer. */
async function each<T, R>(all: readonly T[], act: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const one of all) results.push(await act(one));
  return results;
}

/** Forgets what was looked at, and no other: the token does not fit any more where that has changed. */
async function forgetLooked({ selected, token }: { selected: Selected; token: string }): Promise<Forgotten> {
  try {
    return await forgetFound(selected, token);
  } catch (error) {
    if (!(error instanceof ApiError) || (error.status !== 400 && error.status !== 404)) throw error;
    throw new ApiError(error.status, error.code, texts.browse.bulk.changed, { cause: error });
  }
}

export async function foreseeForgetting(targets: Targets): Promise<Foreseen<Done>> {
  const looks = await each(targets, (selected) => lookBeforeForgetting(selected));
  const matches = sum(looks.map((look) => look.matches));
  const carryOut = async (): Promise<Done> => {
    const pairs = targets.flatMap((selected, nth) => (looks[nth]?.token === undefined ? [] : [{ selected, token: looks[nth].token }]));
    const runs = await each(pairs, forgetLooked);
    return {
      count: sum(runs.map(({ forgotten }) => forgotten)),
      left: 0,
      takeBack: async () => sum(await each(runs, ({ run }) => bringBack(run))),
    };
  };
  return { matches, changes: matches, carryOut };
}

export async function foreseeTagging(targets: Targets, tagging: Tagging): Promise<Foreseen<Done>> {
  const dry = await each(targets, (selected) => tag(selected, tagging, { dryRun: true }));
  const carryOut = async (): Promise<Done> => {
    const reports = await each(targets, (selected) => tag(selected, tagging, { dryRun: false }));
    const changed = reports.flatMap((report) => report.changed);
    return { count: changed.length, left: sum(reports.map(({ left }) => left)), takeBack: () => untag(changed) };
  };
  return { matches: sum(dry.map(({ matches }) => matches)), changes: sum(dry.map(({ changed }) => changed.length)), carryOut };
}

export async function foreseeMoving(targets: Targets, to: string): Promise<Foreseen<Done>> {
  const dry = await each(targets, (selected) => move(selected, to, { dryRun: true }));
  const carryOut = async (): Promise<Done> => {
    const reports = await each(targets, (selected) => move(selected, to, { dryRun: false }));
    const takeBack = async (): Promise<number> => {
      const back = await moveBack(reports.flatMap(({ cameFrom = [] }) => cameFrom));
      const restored = await each(
        reports.flatMap(({ run }) => run ?? []),
        (run) => bringBack(run),
      );
      return back + sum(restored);
    };
    return { count: sum(reports.map(({ moved }) => moved)), left: sum(reports.map(({ left }) => left)), takeBack };
  };
  return {
    matches: sum(dry.map(({ matches }) => matches)),
    changes: sum(dry.map(({ moved }) => moved)),
    merged: sum(dry.map(({ merged }) => merged)),
    carryOut,
  };
}
