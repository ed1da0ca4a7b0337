import type { Priority, Source } from './entry.ts';

const BASE = { high: 0.8, normal: 0.5, low: 0.2 } as const satisfies Record<Priority, number>;
const STEP = 0.1;
/** Tags of what stays true for long. */
const LASTING = /^(?:decisions?|preferences?|requirements?|conventions?|architecture|security|rules?|important|critical|lessons?)$/i;
/** Whether a tag marks a lasting entry: a decision, a preference, a rule. */
export const isLastingTag = (tag: string): boolean => LASTING.test(tag);
/** Tags of what nobody will ask for next month. */
const PASSING = /^(?:temp|tmp|temporary|draft|scratch|wip|debug)$/i;

/**
 * How much an entry matters, 0..1. Priority decides: high 0.8, normal 0.5, low 0.2. A tag such as `decision` or `preference` adds 0.1, one
 * such as `draft` takes 0.1, and so does having been captured without being asked; never more than one step each.
 */
export function importance(entry: { priority: Priority; source: Source; tags: readonly string[] }): number {
  const lasting = entry.tags.some((tag) => LASTING.test(tag)) ? STEP : 0;
  const passing = entry.tags.some((tag) => PASSING.test(tag)) ? STEP : 0;
  const unasked = entry.source === 'auto-capture' ? STEP : 0;
  // Two decimals, so that a sum in binary fractions does not miss a threshold by its last bit.
  return Math.round((BASE[entry.priority] + lasting - passing - unasked) * 100) / 100;
}

/** Stored as 32 bits: closer than this is equal. */
const SLACK = 5e-7;

/**
 * The importance of an entry after its tags or priority changed. A value that differs from the computed one was set manually, and stays;
 * a manual value equal to the computed one cannot be distinguished.
 */
export function reweighed(
  before: { importance: number; priority: Priority; source: Source; tags: readonly string[] },
  after: { priority: Priority; tags: readonly string[] },
): number {
  const byHand = Math.abs(before.importance - importance(before)) > SLACK;
  return byHand ? before.importance : importance({ source: before.source, ...after });
}
