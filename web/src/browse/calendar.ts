import type { DayCount } from '../api/timeline.ts';
import { dayNumber, shortMonthName } from './days.ts';
import { groupAt, type Group, type Plan } from './plan.ts';

interface MonthCount {
  /** `2026-01` */
  readonly month: string;
  readonly entries: number;
}

/** The time range of a list. */
export interface Span {
  /** Day numbers. */
  readonly oldest: number;
  readonly newest: number;
  /** Newest first. */
  readonly months: readonly MonthCount[];
}

/** Undefined for an empty list. Days come newest first. */
export function spanOf(calendar: readonly DayCount[]): Span | undefined {
  const [newest, oldest] = [calendar[0], calendar.at(-1)];
  if (newest === undefined || oldest === undefined) return undefined;
  const months: { month: string; entries: number }[] = [];
  for (const { day, entries } of calendar) {
    const last = months.at(-1);
    if (last?.month === day.slice(0, 7)) last.entries += entries;
    else months.push({ month: day.slice(0, 7), entries });
  }
  return { newest: dayNumber(newest.day), oldest: dayNumber(oldest.day), months };
}

/** Number of memories in equal intervals of time, newest first. */
export function binsOf(calendar: readonly DayCount[], { newest, oldest }: Span, bins: number): number[] {
  const counts = Array.from({ length: bins }, () => 0);
  const days = newest - oldest + 1;
  for (const { day, entries } of calendar) {
    const bin = Math.min(bins - 1, Math.floor(((newest - dayNumber(day)) / days) * bins));
    counts[bin] = (counts[bin] ?? 0) + entries;
  }
  return counts;
}

interface Mark {
  readonly text: string;
  /** From 0 (newest) to 1. */
  readonly at: number;
}

/** Month labels at month ends; for January, the year. Only as many as fit. */
export function marksOf({ newest, oldest }: Span, most: number): Mark[] {
  const days = newest - oldest + 1;
  const first = new Date(newest * 86_400_000);
  const all: { text: string; at: number; isYear: boolean }[] = [];
  for (let back = 0; ; back += 1) {
    const begin = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() - back, 1));
    const end = Math.floor(Date.UTC(begin.getUTCFullYear(), begin.getUTCMonth() + 1, 0) / 86_400_000);
    if (end < oldest) break;
    const isYear = begin.getUTCMonth() === 0;
    const month = begin.toISOString().slice(0, 7);
    const text = isYear ? month.slice(0, 4) : shortMonthName(month);
    all.push({ text, at: Math.max(0, newest - end) / days, isYear });
  }
  const fitting = all.length > most && all.filter(({ isYear }) => isYear).length > 1 ? all.filter(({ isYear }) => isYear) : all;
  const step = Math.ceil(fitting.length / Math.max(1, most));
  return fitting.filter((_, nth) => nth % step === 0);
}

/** The days at the top and bottom of the visible range. */
export function daysInView(plan: Plan, [top, bottom]: readonly [number, number]): readonly [number, number] | undefined {
  const [first, last] = [groupAt(plan, top), groupAt(plan, bottom)];
  return first === undefined || last === undefined ? undefined : [dayNumber(first.day), dayNumber(last.day)];
}

/** The first day of the list that is not before another one, in list order. */
export function groupFrom({ groups }: Plan, day: number, newestFirst: boolean): Group | undefined {
  const isThere = ({ day: name }: Group): boolean => (newestFirst ? dayNumber(name) <= day : dayNumber(name) >= day);
  return groups.find(isThere) ?? groups.at(-1);
}

export function topOf(plan: Plan, group: Group): number {
  const month = plan.months.find(({ groups }) => groups[0] === group);
  // Below the sticky heading of the month.
  return month === undefined ? Math.max(0, group.top - plan.metrics.month) : month.top;
}
