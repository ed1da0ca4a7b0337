import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { ListSort } from '../../../src/memory/entry.ts';
import type { Filter } from '../address.ts';
import { timeline, type DayCount } from '../api/timeline.ts';
import { ApiError, list } from '../api/client.ts';
import type { ListAnswer, Memory } from '../api/forms.ts';
import { useServer } from '../shell/server.tsx';
import { MemoryPages, PAGE, pagesOf, type LoadPage, type Range } from './pages.ts';

/** What is browsed, and in which order. */
interface Question {
  readonly filter: Filter;
  readonly sort: ListSort;
}

interface Wish extends Pick<Question, 'sort'> {
  readonly filter: Filter | undefined;
  /** Something else is in view. */
  readonly isPaused: boolean;
}

/** Everything that passes the filter, as it was at one moment. */
export interface Collection {
  /** Which question this answers. */
  readonly of: string;
  readonly pages: MemoryPages;
  readonly total: number;
  /** In the order of the list; one without a name where that is not the order of time. */
  readonly days: readonly DayCount[];
  /** By days, the last one first, whatever the order of the list. */
  readonly calendar: readonly DayCount[];
  /** How much farther down everything lies than in the collection before, where that answered the same question. */
  readonly shift: number;
}

export const isByTime = (sort: ListSort): boolean => sort.endsWith('createdAt');

/** Days in the order of the list, as many entries as the list says: between the two requests something may have come or gone. */
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

/** What was shown before, and what of it is in view. */
interface Earlier {
  readonly before: Collection | undefined;
  readonly seen: readonly Range[];
}

/** What answers the question now, with the pages that will be in view. */
async function look({ filter, sort }: Question, { before, seen }: Earlier, signal: AbortSignal): Promise<Snapshot> {
  const loadPage = (page: number): Promise<ListAnswer> => list({ filter, sort, limit: PAGE, offset: page * PAGE }, signal);
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

/** How much farther down what is in view lies now, by the first of it that is still there. */
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
 * What is browsed: loaded again, quietly, whenever the store changed; what is shown stays until the new is there. Without a filter, and while
 * it is paused, nothing is asked.
 */
export function useCollection({ filter, sort, isPaused }: Wish) {
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
  /** `stale` while it answers another question than the one that is asked. */
  return { collection, stale: collection !== undefined && collection.of !== identity, error, rows, see, again };
}
