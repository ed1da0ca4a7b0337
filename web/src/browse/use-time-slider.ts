import type { TargetedPointerEvent } from 'preact';
import { useRef } from 'preact/hooks';
import type { ListSort } from '../../../src/memory/entry.ts';
import type { DayCount } from '../api/timeline.ts';
import { browseTexts } from './texts.ts';
import { groupFrom, spanOf, topOf } from './calendar.ts';
import { dayNumber, monthName } from './days.ts';
import { clamp, groupAt, type Plan } from './plan.ts';
import { STEP_PX, type Viewport } from './use-viewport.ts';

export interface TimeProps {
  readonly calendar: readonly DayCount[];
  readonly plan: Plan;
  readonly sort: ListSort;
  readonly viewport: Viewport;
  /** Scrolls to a height; returns the reached height, which is smaller near the end. */
  readonly onJump: (top: number) => number;
}

const PAGE_MONTHS = 6;

/** Months per key, back in time. Down follows the list; left and right follow the calendar, with the newest on the right. */
function stepsOf(months: number, newestFirst: boolean): Readonly<Record<string, number>> {
  const on = newestFirst ? 1 : -1;
  return {
    ArrowDown: on,
    ArrowUp: -on,
    PageDown: on * PAGE_MONTHS,
    PageUp: -on * PAGE_MONTHS,
    Home: -on * months,
    End: on * months,
    ArrowLeft: 1,
    ArrowRight: -1,
  };
}

/** A slider over the months of a list. `at` maps a position from 0 (newest) to 1 to an index of the list. */
export function useTimeSlider({ calendar, plan, sort, viewport, onJump }: TimeProps) {
  const span = spanOf(calendar);
  const newestFirst = sort === '-createdAt';
  const months = span?.months ?? [];
  // Near the end several months are visible: the chosen one counts until the view is scrolled.
  const gone = useRef<{ month: string; top: number } | undefined>(undefined);
  const isThere = gone.current !== undefined && Math.abs(gone.current.top - viewport.top) <= STEP_PX;
  const here = isThere ? gone.current?.month : groupAt(plan, viewport.top + plan.metrics.month)?.day.slice(0, 7);
  const nth = Math.max(
    0,
    months.findIndex(({ month }) => month === here),
  );
  const toDay = (day: number): void => {
    const group = groupFrom(plan, day, newestFirst);
    if (group !== undefined) gone.current = { month: group.day.slice(0, 7), top: onJump(topOf(plan, group)) };
  };
  const toMonth = (target: number): void => {
    const month = months[clamp(target, 0, months.length - 1)]?.month;
    const days = calendar.filter(({ day }) => day.slice(0, 7) === month);
    const day = newestFirst ? days[0] : days.at(-1);
    if (day !== undefined) toDay(dayNumber(day.day));
  };
  const pressed = (event: KeyboardEvent): void => {
    const by = stepsOf(months.length, newestFirst)[event.key];
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    toMonth(nth + by);
  };
  const at = (share: number): void => {
    if (span !== undefined) toDay(Math.round(span.newest - clamp(share, 0, 1) * (span.newest - span.oldest)));
  };
  const month = months[nth];
  const said = month === undefined ? '' : browseTexts.at(monthName(month.month), month.entries);
  const aria = {
    role: 'slider' as const,
    tabIndex: 0,
    'aria-valuemin': 0,
    'aria-valuemax': Math.max(0, months.length - 1),
    'aria-valuenow': newestFirst ? nth : Math.max(0, months.length - 1) - nth,
    'aria-valuetext': said,
    onKeyDown: pressed,
  };
  return { span, at, aria, newestFirst };
}

/** Follows a pointer from press to release. */
export const followPointer = (act: (event: TargetedPointerEvent<HTMLElement>) => void) => ({
  onPointerDown: (event: TargetedPointerEvent<HTMLElement>): void => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    act(event);
  },
  onPointerMove: (event: TargetedPointerEvent<HTMLElement>): void => {
    if (event.currentTarget.hasPointerCapture(event.pointerId)) act(event);
  },
});
