import type { DayCount } from '../api/timeline.ts';

export interface Metrics {
  /** Above the rows of a day. */
  readonly head: number;
  readonly row: number;
  /** Below the rows of a day. */
  readonly gap: number;
  /** The button that shows the remaining rows of a day. */
  readonly more: number;
  /** The heading of a month; 0 if there is none. */
  readonly month: number;
  /** Rows of a day that are shown first. */
  readonly mostPerDay: number;
}

/** A day, or the whole list if it is not ordered by time: then `day` is empty. */
export interface Group {
  readonly day: string;
  readonly entries: number;
  /** Index of its first entry in the whole list. */
  readonly first: number;
  /** Number of its entries with a row. */
  readonly shown: number;
  readonly top: number;
  readonly height: number;
}

export interface Month {
  /** `2026-01` */
  readonly month: string;
  readonly entries: number;
  readonly top: number;
  readonly height: number;
  readonly groups: readonly Group[];
}

/** Positions of all rows, known before any entry is loaded. */
export interface Plan {
  readonly groups: readonly Group[];
  readonly months: readonly Month[];
  readonly height: number;
  readonly metrics: Metrics;
}

/** Places days below one another in order. */
export function planOf(days: readonly DayCount[], metrics: Metrics, whole: ReadonlySet<string>): Plan {
  const groups: Group[] = [];
  const months: Month[] = [];
  let [top, first] = [0, 0];
  for (const { day, entries } of days) {
    const isNewMonth = metrics.month > 0 && months.at(-1)?.month !== day.slice(0, 7);
    const monthTop = top;
    if (isNewMonth) top += metrics.month;
    const shown = whole.has(day) ? entries : Math.min(entries, metrics.mostPerDay);
    const isCut = entries > metrics.mostPerDay;
    const height = metrics.head + shown * metrics.row + (isCut ? metrics.more : 0) + metrics.gap;
    const group = { day, entries, first, shown, top, height };
    groups.push(group);
    const last = months.at(-1);
    if (isNewMonth) months.push({ month: day.slice(0, 7), entries, top: monthTop, height: metrics.month + height, groups: [group] });
    else if (last !== undefined) {
      months[months.length - 1] = {
        ...last,
        entries: last.entries + entries,
        height: last.height + height,
        groups: [...last.groups, group],
      };
    }
    top += height;
    first += entries;
  }
  return { groups, months, height: top, metrics };
}

/** Binary search: the last item, sorted by `key`, whose key is at most `value`; the first item if there is none. */
function lastWithin<T>(sorted: readonly T[], key: (one: T) => number, value: number): T | undefined {
  let [low, high] = [0, sorted.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (key(sorted[middle]!) <= value) low = middle;
    else high = middle - 1;
  }
  return sorted[low];
}

export const groupAt = ({ groups }: Plan, y: number): Group | undefined => lastWithin(groups, ({ top }) => top, y);
const groupOf = ({ groups }: Plan, place: number): Group | undefined => lastWithin(groups, ({ first }) => first, place);

/** The rows of a day between two heights, as indexes from the first to the second, exclusive. */
export function placesIn({ metrics }: Plan, group: Group, [from, to]: readonly [number, number]): readonly [number, number] {
  const start = group.top + metrics.head;
  const low = Math.floor((from - start) / metrics.row);
  const high = Math.ceil((to - start) / metrics.row);
  return [group.first + clamp(low, 0, group.shown), group.first + clamp(high, 0, group.shown)];
}

/** Height of the row of an entry. An entry without a row is at the button for the rest of its day. */
export function rowTop(plan: Plan, place: number): number {
  const group = groupOf(plan, place);
  if (group === undefined) return 0;
  return group.top + plan.metrics.head + Math.min(place - group.first, group.shown) * plan.metrics.row;
}

/** The nearest index with a row, `by` rows away; limited to the list. */
export function stepFrom(plan: Plan, place: number, by: number): number {
  const group = groupOf(plan, place);
  const last = plan.groups.at(-1);
  if (group === undefined || last === undefined) return 0;
  const to = clamp(place + by, 0, last.first + last.shown - 1);
  const target = groupOf(plan, to)!;
  if (to < target.first + target.shown) return to;
  return by > 0 ? target.first + target.entries : target.first + target.shown - 1;
}

export const clamp = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), Math.max(least, most));
