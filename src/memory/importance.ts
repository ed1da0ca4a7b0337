import type { Priority, Source } from './entry.ts';

const BASE = { high: 0.8, normal: 0.5, low: 0.2 } as const satisfies Record<Priority, number>;
const STEP = 0.1;
/** Tags of long-lived knowledge. */
const LASTING = /^(?:decisions?|preferences?|requirements?|conventions?|architecture|security|rules?|important|critical|lessons?)$/i;
/** Whether a tag marks a lasting entry: a decision, a preference, a rule. */
export const isLastingTag = (tag: string): boolean => LASTING.test(tag);
/** Tags of short-lived notes. */
const PASSING = /^(?:temp|tmp|temporary|draft|scratch|wip|debug)$/i;

/**
 * Computed importance, 0..1. Base by priority: high 0.8, normal 0.5, low 0.2. A tag such as `decision` or `preference` adds 0.1; a tag such
 * as `draft` subtracts 0.1, as does automatic capture. Each applies at most once.
 */
export function importance(entry: { priority: Priority; source: Source; tags: readonly string[] }): number {
  const lasting = entry.tags.some((tag) => LASTING.test(tag)) ? STEP : 0;
  const passing = entry.tags.some((tag) => PASSING.test(tag)) ? STEP : 0;
  const unasked = entry.source === 'auto-capture' ? STEP : 0;
  // Rounded to two decimals: the error of a binary sum must not miss a threshold.
  return Math.round((BASE[entry.priority] + lasting - passing - unasked) * 100) / 100;
}

/** Smaller differences are rounding: importance is stored as float32. */
const SLACK = 5e-7;

/**
 * The importance of an entry after its tags or priority changed. A value that differs from the computed one was set manually, and stays;
 * a manual value equal to the computed one cannot be distinguished.
 */
export function updatedImportance(
  before: { importance: number; priority: Priority; source: Source; tags: readonly string[] },
  after: { priority: Priority; tags: readonly string[] },
): number {
  const byHand = Math.abs(before.importance - importance(before)) > SLACK;
  return byHand ? before.importance : importance({ source: before.source, ...after });
}
