import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Collection } from './use-collection.ts';
import { clamp, groupAt, placesIn, rowTop, stepFrom, type Plan } from './plan.ts';
import { rowLink } from './rows.ts';

interface Parts {
  readonly scroller: { readonly current: HTMLElement | null };
  readonly collection: Collection;
  readonly plan: Plan;
  /** Grows when rows came. */
  readonly rows: number;
}

/** The place whose row is the first one whole at a height. */
function placeAt(plan: Plan, y: number): number {
  const group = groupAt(plan, y);
  if (group === undefined) return 0;
  const [from] = placesIn(plan, group, [y, y]);
  return Math.min(from, group.first + Math.max(0, group.shown - 1));
}

/** Scrolls as little as brings a row into view, clear of what covers the edges. */
function bringIntoView(element: HTMLElement, plan: Plan, place: number): void {
  const { metrics } = plan;
  const top = rowTop(plan, place);
  const above = metrics.month > 0 ? metrics.month : metrics.head;
  // Room for what lies over the lower edge while something is selected.
  const below = metrics.row * 2;
  if (top - above < element.scrollTop) element.scrollTop = top - above;
  else if (top + below > element.scrollTop + element.clientHeight) element.scrollTop = top + below - element.clientHeight;
}

/** Whether a row is in view. */
function isInView(element: HTMLElement, plan: Plan, place: number): boolean {
  const top = rowTop(plan, place);
  return top >= element.scrollTop && top + plan.metrics.row <= element.scrollTop + element.clientHeight;
}

interface Followed {
  /** Another question: from the top. */
  readonly onAnew: () => void;
  /** Everything in view lies so many places farther down; `read` where that is not the top of the list. */
  readonly onShift: (shift: number, read: boolean) => void;
}

/** Keeps what is read where it is when the list changes above it. */
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

/** Where the keyboard and the view are in the list; both stay with what is read when the list changes above it. */
export function usePosition(parts: Parts) {
  const { scroller, collection, plan, rows } = parts;
  const [current, setCurrent] = useState(0);
  const [arrived, setArrived] = useState(0);
  const wantsFocus = useRef(false);
  // Keys come faster than renders: each goes on from where the last one led.
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
  /** Brings a row into view, and the focus to it. */
  const goTo = (place: number): void => {
    if (scroller.current === null) return;
    bringIntoView(scroller.current, plan, place);
    if (place === at.current) return document.getElementById(rowLink(place))?.focus({ preventScroll: true });
    wantsFocus.current = true;
    moveTo(place);
  };
  /** The place so many rows on from where the keyboard is. From elsewhere on the page, the first step goes to what is in view. */
  const next = (by: number): number => {
    const element = scroller.current;
    const isThere = document.activeElement?.closest('.line, .tl-item') instanceof HTMLElement;
    if (isThere) return stepFrom(plan, at.current, by);
    if (element === null || isInView(element, plan, at.current)) return at.current;
    return placeAt(plan, element.scrollTop + plan.metrics.head);
  };
  /** The place that is a view farther on or back, so that a row of what was seen stays in view. */
  const page = (by: number): number => {
    const seen = (scroller.current?.clientHeight ?? 0) - plan.metrics.row;
    const place = placeAt(plan, rowTop(plan, at.current) + by * seen);
    return (place - at.current) * by > 0 ? place : stepFrom(plan, at.current, by);
  };
  return { current, setCurrent: moveTo, arrived, clearArrived: () => setArrived(0), goTo, next, page, here: () => at.current };
}
