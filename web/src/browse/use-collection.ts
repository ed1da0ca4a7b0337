import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { ListSort } from '../../../src/memory/entry.ts';
import type { Filter } from '../address.ts';
import { timeline, type DayCount } from '../api/timeline.ts';
import { ApiError, list } from '../api/client.ts';
import type { ListResponse, Memory } from '../api/responses.ts';
import { useServer } from '../shell/server.tsx';
import { MemoryPages, PAGE, pagesOf, type LoadPage, type Range } from './pages.ts';

interface Question {
  readonly filter: Filter;
  readonly sort: ListSort;
}

interface CollectionQuery extends Pick<Question, 'sort'> {
  readonly filter: Filter | undefined;
  /** The visible range changed. */
  readonly isPaused: boolean;
}

/** All matching entries at one point in time. */
export interface Collection {
  /** The query that this answers. */
  readonly of: string;
  readonly pages: MemoryPages;
  readonly total: number;
  /** Days in list order; a single unnamed one if the list is not ordered by time. */
  readonly days: readonly DayCount[];
  /** Entries per day, last day first, in any list order. */
  readonly calendar: readonly DayCount[];
  /** How many indexes all entries moved down since the previous collection of the same query. */
  readonly shift: number;
}

export const isByTime = (sort: ListSort): boolean => sort.endsWith('createdAt');

/** Days in the order of the list, limited to the number of entries in the list: entries may have changed between the two requests. */
function daysOf(calendar: readonly DayCount[], total: number, sort: ListSort): readonly DayCount[] {
  if (total === 0) return [];
  if (!isByTime(sort)) return [{ day: '', entries: total }];
  const days = (sort === '-createdAt' ? calendar : calendar.toReversed()).map((day) => ({ ...day }));
  let missing = total - days.reduce((sum, { entries }) => sum + entries, 0);
  while (missing < 0 && days.length > 0) {
    const last = days[days.length - 1]!;
    const taken = Math.min(last.entries, -missing);
    missing += taken;
    if (taken === last.entries) days.pop();
    else days[days.length - 1] = { ...last, entries: last.entries - taken };
  }
  const last = days.pop();
  return last === undefined ? [] : [...days, { ...last, entries: last.entries + missing }];
}

interface Snapshot {
  readonly pages: ReadonlyMap<number, readonly Memory[]>;
  readonly total: number;
  readonly calendar: readonly DayCount[];
}

/** The previous collection and its visible range. */
interface Earlier {
  readonly before: Collection | undefined;
  readonly seen: readonly Range[];
}

/** Loads the collection with the pages of the visible range. */
async function look({ filter, sort }: Question, { before, seen }: Earlier, signal: AbortSignal): Promise<Snapshot> {
  const loadPage = (page: number): Promise<ListResponse> => list({ filter, sort, limit: PAGE, offset: page * PAGE }, signal);
  const days = timeline(filter, signal);
  if (before === undefined || seen.length === 0) {
    const [first, { days: calendar }] = await Promise.all([loadPage(0), days]);
    return { pages: new Map([[0, first.entries]]), total: first.total, calendar };
  }
  const { days: calendar, total: expected } = await days;
  const came = sort === '-createdAt' ? expected - before.total : 0;
  const inView = seen.map(([from, to]): Range => [from + came, Math.min(to + came, expected)]);
  const wanted = pagesOf(inView);
  const answers = await Promise.all(wanted.map(loadPage));
  const pages = new Map(wanted.map((page, nth) => [page, answers[nth]!.entries]));
  return { pages, total: answers[0]!.total, calendar };
}

/** How many indexes the visible entries moved down, judged by the first one that still exists. */
function shiftOf({ before, seen }: Earlier, pages: Snapshot['pages']): number {
  if (before === undefined) return 0;
  const places = new Map<string, number>();
  for (const [page, rows] of pages) for (const [nth, { id }] of rows.entries()) places.set(id, page * PAGE + nth);
  for (const [from, to] of seen) {
    for (let place = from; place < to; place += 1) {
      const now = places.get(before.pages.at(place)?.id ?? '');
      if (now !== undefined) return now - place;
    }
  }
  return 0;
}

/**
 * The browsed collection. Reloads in the background when the store changes; the old one stays visible until then. Loads nothing without a filter
 * or while paused.
 */
export function useCollection({ filter, sort, isPaused }: CollectionQuery) {
  const { version, lost } = useServer();
  const identity = JSON.stringify([filter, sort]);
  const [collection, setCollection] = useState<Collection>();
  const [error, setError] = useState<ApiError>();
  const [attempt, setAttempt] = useState(0);
  const [rows, setRows] = useState(0);
  const seen = useRef<readonly Range[]>([]);
  const current = useRef<Collection | undefined>(undefined);
  const again = (): void => setAttempt((number) => number + 1);
  const failed = (failure: unknown): void => {
    if (!(failure instanceof ApiError)) throw failure;
    setError(failure);
    if (failure.offline) lost();
  };
  useEffect(() => {
    if (filter === undefined || isPaused) return;
    const leaving = new AbortController();
    const load: LoadPage = (offset, signal) => list({ filter, sort, limit: PAGE, offset }, signal);
    const before = current.current?.of === identity ? current.current : undefined;
    look({ filter, sort }, { before, seen: seen.current }, leaving.signal).then(
      ({ pages, total, calendar }) => {
        const shift = shiftOf({ before, seen: seen.current }, pages);
        const told = { onRows: () => setRows((number) => number + 1), onShift: again, onFailure: failed };
        const days = daysOf(calendar, total, sort);
        const next = { of: identity, pages: new MemoryPages({ load, total, ...told }, pages), total, days, calendar, shift };
        current.current?.pages.close();
        current.current = next;
        setCollection(next);
        setError(undefined);
      },
      (failure: unknown) => {
        if (!leaving.signal.aborted) failed(failure);
      },
    );
    return () => leaving.abort();
  }, [identity, version, attempt, isPaused]);
  useEffect(() => () => current.current?.pages.close(), []);
  const see = useCallback((ranges: readonly Range[]): void => {
    seen.current = ranges;
    current.current?.pages.look(ranges);
  }, []);
  /** `stale`: the collection answers an older query. */
  return { collection, stale: collection !== undefined && collection.of !== identity, error, rows, see, again };
}
