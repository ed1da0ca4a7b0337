import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { go, useAddress, type Filter } from '../address.ts';
import type { Hit, Memory } from '../api/responses.ts';
import { useRegisterEntryList, type EntryList } from '../entry/entry-list.tsx';
import { forgetEntry } from '../entry/forget-entry.ts';
import { toast, attempt } from '../parts/toasts.tsx';
import { focusSearch } from '../search/search-bar.tsx';
import { useServer } from '../shell/server.tsx';
import { browseTexts } from './texts.ts';
import { placesIn, planOf, stepFrom, type Plan } from './plan.ts';
import type { MemoryPages, Range } from './pages.ts';
import type { OpenMenu } from './row-menu.tsx';
import { rowLink, type RowActions } from './rows.ts';
import type { Collection, useCollection } from './use-collection.ts';
import { usePosition } from './use-position.ts';
import { useRowKeys } from './use-row-keys.ts';
import { MOST_IN_RANGE, useSelection, type Selection } from './use-selection.ts';
import { drawn, useMetrics, useViewport, type Viewport } from './use-viewport.ts';

type Loaded = ReturnType<typeof useCollection>;
type Position = ReturnType<typeof usePosition>;
interface LoadedRows {
  readonly hits: readonly Hit[];
  readonly places: readonly number[];
}
const NOTHING_LOADED: LoadedRows = { hits: [], places: [] };

/** The contiguous loaded rows around a memory. */
function loadedAround(pages: MemoryPages, id: string): LoadedRows {
  let rows: (readonly [number, Memory])[] = [];
  for (const row of pages.loaded()) {
    if (rows.length > 0 && row[0] !== rows.at(-1)![0] + 1) {
      if (rows.some(([, memory]) => memory.id === id)) break;
      rows = [];
    }
    rows.push(row);
  }
  return { hits: rows.map(([, entry]) => ({ entry })), places: rows.map(([place]) => place) };
}

/** The drawn indexes. */
function rangesOf(plan: Plan, viewport: Viewport): readonly Range[] {
  const range = drawn(viewport);
  return plan.groups
    .filter(({ top, height }) => top < range[1] && top + height > range[0])
    .map((group) => placesIn(plan, group, range))
    .filter(([from, to]) => from < to);
}

/** The list behind open details, and the row after them. */
function useListOfEntries(
  collection: Collection,
  { loaded: { rows, see }, position, leave }: { loaded: Loaded; position: Position; leave: EntryList['leave'] },
): void {
  const { pages } = collection;
  const { id } = useAddress();
  const isOpen = id !== '';
  const { hits, places } = useMemo(() => (isOpen ? loadedAround(pages, id) : NOTHING_LOADED), [pages, rows, id]);
  const more = useMemo(() => (): void => see([[Math.max(0, (places[0] ?? 0) - 1), (places.at(-1) ?? 0) + 2]]), [places]);
  useRegisterEntryList({ hits, places, total: pages.total, more, leave });
  useEffect(() => {
    if (!isOpen) return;
    const place = placeOf(collection, id);
    if (place !== undefined) position.setCurrent(place);
  }, [id]);
}

/** Selects a range and loads its missing entries. */
async function selectRange({ pages }: Collection, selection: Selection, [one, other]: Range): Promise<void> {
  const range: Range = [Math.min(one, other), Math.max(one, other) + 1];
  if (range[1] - range[0] > MOST_IN_RANGE) return toast(browseTexts.tooManyInRange(MOST_IN_RANGE), { bad: true });
  await attempt(async () => {
    const rows = await pages.range(range, new AbortController().signal);
    if (rows === undefined) toast(browseTexts.rangeShifted, { bad: true });
    else selection.add(rows);
  }, browseTexts.refused);
}

interface Current {
  readonly collection: Collection;
  readonly selection: Selection;
  readonly position: Position;
}

/** The row actions: always the same object, so that rows do not re-render. */
function useActions(current: Current, onMenu: (menu: OpenMenu) => void): RowActions {
  const latest = useRef(current);
  latest.current = current;
  return useMemo<RowActions>(
    () => ({
      onToggle: (memory, place, isRange) => {
        const { collection, selection } = latest.current;
        if (isRange && selection.anchor >= 0) void selectRange(collection, selection, [selection.anchor, place]);
        else selection.toggle(memory, place);
      },
      onFocus: (place) => latest.current.position.setCurrent(place),
      onOpen: ({ id }) => go({ id }),
      onMenu: (memory, place, button) => onMenu({ memory, place, button }),
    }),
    [],
  );
}

/** Keyboard control of rows: move, select, open. */
function useKeys(plan: Plan, collection: Collection, position: Position, selection: Selection, actions: RowActions): void {
  const { pages, total } = collection;
  const here = (): Memory | undefined => pages.at(position.here());
  const go_ = (place: number): void => position.goTo(place);
  useRowKeys({
    step: (by, isRange) => {
      const from = position.here();
      if (by < 0 && from === 0 && !isRange && document.activeElement?.id === rowLink(0)) return focusSearch();
      const to = position.next(by);
      go_(to);
      if (!isRange) return;
      // Only rows: the entries between may be the hidden rest of a day.
      for (const place of new Set([from, to])) void selectRange(collection, selection, [place, place]);
    },
    toEnd: (last) => go_(stepFrom(plan, last ? total - 1 : 0, 0)),
    page: (by) => go_(position.page(by)),
    open: () => {
      const memory = here();
      if (memory !== undefined) go({ id: memory.id });
    },
    toggle: () => {
      const memory = here();
      if (memory !== undefined) selection.toggle(memory, position.here());
    },
    selectAll: selection.addAll,
    close: () => (selection.isEmpty ? focusSearch() : selection.clear()),
    menu: () => {
      const memory = here();
      const button = document.getElementById(rowLink(position.here()))?.closest('li')?.querySelector<HTMLElement>('.row-menu');
      if (memory !== undefined && button instanceof HTMLElement) actions.onMenu(memory, position.here(), button);
    },
  });
}

/** Focuses the list after the dialog is closed, or the page if the list is gone. */
function useKeptFocus(scroller: { readonly current: HTMLElement | null }, wanted: boolean, onCame: () => void): void {
  useEffect(() => {
    if (!wanted) return;
    scroller.current?.focus({ preventScroll: true });
    onCame();
  }, [wanted]);
  useLayoutEffect(
    () => () => {
      if (scroller.current?.contains(document.activeElement) === true) document.querySelector<HTMLElement>('#main')?.focus();
    },
    [],
  );
}

function placeOf({ pages }: Collection, id: string): number | undefined {
  for (const [place, memory] of pages.loaded()) if (memory.id === id) return place;
  return undefined;
}

/** Focuses the row that replaces a forgotten one. A list requested earlier still contains it, so the next list counts. */
function useLeaving(collection: Collection, position: Position): EntryList['leave'] {
  const [left, setLeft] = useState<{ readonly id: string; readonly place: number }>();
  useEffect(() => {
    if (left === undefined || placeOf(collection, left.id) !== undefined) return;
    position.goTo(Math.min(left.place, collection.total - 1));
    setLeft(undefined);
  }, [left, collection]);
  return (id) => {
    const place = placeOf(collection, id);
    if (place !== undefined) setLeft({ id, place });
  };
}

export function useBrowsing(collection: Collection, loaded: Loaded, { filter, isTimeline }: { filter: Filter; isTimeline: boolean }) {
  const { changed } = useServer();
  const scroller = useRef<HTMLDivElement>(null);
  const [whole, setWhole] = useState<ReadonlySet<string>>(new Set());
  const [menu, setMenu] = useState<OpenMenu>();
  const [focusWanted, setFocusWanted] = useState(false);
  const byTime = collection.days[0]?.day !== '';
  const metrics = useMetrics(byTime ? (isTimeline ? 'timeline' : 'list') : 'flat');
  const plan = useMemo(() => planOf(collection.days, metrics, whole), [collection, metrics, whole]);
  const viewport = useViewport(scroller);
  const position = usePosition({ scroller, collection, plan, rows: loaded.rows });
  const selection = useSelection(JSON.stringify(filter), collection.total);
  useEffect(() => loaded.see(rangesOf(plan, viewport)), [plan, viewport]);
  useEffect(() => {
    if (viewport.top === 0) position.clearArrived();
  }, [viewport.top]);
  const leave = useLeaving(collection, position);
  useListOfEntries(collection, { loaded, position, leave });
  const actions = useActions({ collection, selection, position }, setMenu);
  useKeys(plan, collection, position, selection, actions);
  useKeptFocus(scroller, focusWanted, () => setFocusWanted(false));
  const onDone = (): void => {
    selection.clear();
    changed();
    setFocusWanted(true);
  };
  const onWhole = (day: string): void => setWhole((before) => new Set([...before, day]));
  const jump = (top: number): number => {
    if (scroller.current === null) return 0;
    scroller.current.scrollTop = top;
    return scroller.current.scrollTop;
  };
  const onForget = (memory: Memory): void => {
    scroller.current?.focus({ preventScroll: true });
    void forgetEntry(memory.id, { onGone: () => leave(memory.id), changed });
  };
  return {
    scroller,
    plan,
    viewport,
    position,
    selection,
    actions,
    menu,
    setMenu,
    enter: () => position.goTo(position.next(1)),
    onDone,
    onBack: changed,
    onWhole,
    onForget,
    jump,
    byTime,
  };
}
