import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Collection } from './use-collection.ts';
import { clamp, groupAt, placesIn, rowTop, stepFrom, type Plan } from './plan.ts';
import { rowLink } from './rows.ts';

interface Parts {
  readonly scroller: { readonly current: HTMLElement | null };
  readonly collection: Collection;
  readonly plan: Plan;
  /** Incremented when rows are loaded. */
  readonly rows: number;
}

/** The index of the first row that is fully visible at a scroll height. */
function placeAt(plan: Plan, y: number): number {
  const group = groupAt(plan, y);
  if (group === undefined) return 0;
  const [from] = placesIn(plan, group, [y, y]);
  return Math.min(from, group.first + Math.max(0, group.shown - 1));
}

/** Scrolls just enough to show a row, clear of overlays at the edges. */
function bringIntoView(element: HTMLElement, plan: Plan, place: number): void {
  const { metrics } = plan;
  const top = rowTop(plan, place);
  const above = metrics.month > 0 ? metrics.month : metrics.head;
  // Room for the bulk bar at the lower edge.
  const below = metrics.row * 2;
  if (top - above < element.scrollTop) element.scrollTop = top - above;
  else if (top + below > element.scrollTop + element.clientHeight) element.scrollTop = top + below - element.clientHeight;
}

function isInView(element: HTMLElement, plan: Plan, place: number): boolean {
  const top = rowTop(plan, place);
  return top >= element.scrollTop && top + plan.metrics.row <= element.scrollTop + element.clientHeight;
}

interface Followed {
  /** Another query: scrolls to the top. */
  readonly onAnew: () => void;
  /** Moves the visible rows by so many indexes; `read`: the list is not at its top. */
  readonly onShift: (shift: number, read: boolean) => void;
}

/** Keeps the visible rows in place when the list changes above them. */
function useFollowing({ scroller, collection, plan }: Parts, { onAnew, onShift }: Followed): void {
  const before = useRef<{ collection: Collection; plan: Plan } | undefined>(undefined);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const last = before.current;
    before.current = { collection, plan };
    if (last?.collection.of !== collection.of) {
      if (last !== undefined) element.scrollTop = 0;
      return onAnew();
    }
    const shift = last.collection === collection ? 0 : collection.shift;
    const isRead = element.scrollTop > plan.metrics.head;
    if (isRead) {
      const place = placeAt(last.plan, element.scrollTop + plan.metrics.head);
      element.scrollTop += rowTop(plan, clamp(place + shift, 0, collection.total - 1)) - rowTop(last.plan, place);
    }
    onShift(shift, isRead);
  }, [collection, plan]);
}

/** Keyboard and scroll position in the list. Both stay with the visible rows when the list changes above them. */
export function usePosition(parts: Parts) {
  const { scroller, collection, plan, rows } = parts;
  const [current, setCurrent] = useState(0);
  const [arrived, setArrived] = useState(0);
  const wantsFocus = useRef(false);
  // Keys come faster than renders: each continues from the result of the last one.
  const at = useRef(0);
  const moveTo = (place: number): void => {
    at.current = place;
    setCurrent(place);
  };
  useFollowing(parts, {
    onAnew: () => {
      moveTo(0);
      setArrived(0);
    },
    onShift: (shift, isRead) => {
      moveTo(clamp(at.current + shift, 0, collection.total - 1));
      if (isRead && shift > 0) setArrived((number) => number + shift);
    },
  });
  useLayoutEffect(() => {
    if (!wantsFocus.current) return;
    const link = document.getElementById(rowLink(current));
    if (link === null) return scroller.current?.focus({ preventScroll: true });
    wantsFocus.current = false;
    link.focus({ preventScroll: true });
  }, [current, rows, collection]);
  /** Scrolls to a row and focuses it. */
  const goTo = (place: number): void => {
    if (scroller.current === null) return;
    bringIntoView(scroller.current, plan, place);
    if (place === at.current) return document.getElementById(rowLink(place))?.focus({ preventScroll: true });
    wantsFocus.current = true;
    moveTo(place);
  };
  /** The index `by` rows from the keyboard position. From outside the list, the first step goes to a visible row. */
  const next = (by: number): number => {
    const element = scroller.current;
    const isThere = document.activeElement?.closest('.line, .tl-item') instanceof HTMLElement;
    if (isThere) return stepFrom(plan, at.current, by);
    if (element === null || isInView(element, plan, at.current)) return at.current;
    return placeAt(plan, element.scrollTop + plan.metrics.head);
  };
  /** The index one view farther down or up, with one row of overlap. */
  const page = (by: number): number => {
    const seen = (scroller.current?.clientHeight ?? 0) - plan.metrics.row;
    const place = placeAt(plan, rowTop(plan, at.current) + by * seen);
    return (place - at.current) * by > 0 ? place : stepFrom(plan, at.current, by);
  };
  return { current, setCurrent: moveTo, arrived, clearArrived: () => setArrived(0), goTo, next, page, here: () => at.current };
}
