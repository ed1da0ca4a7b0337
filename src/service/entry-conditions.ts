import type { EntryFilter, EntryKind, Priority, Source } from '../memory/entry.ts';
import type { Known } from '../store/catalog/catalog-entry.ts';
import { passes } from '../store/format/predicates.ts';
import { instant } from './instant.ts';

/** Which entries of the whole store are meant; all that are given must hold. */
export interface Conditions {
  readonly namespace?: string | undefined;
  readonly container?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly priority?: Priority | undefined;
  readonly source?: Source | undefined;
  readonly kind?: EntryKind | undefined;
  /** ISO 8601. */
  readonly createdAfter?: string | undefined;
  readonly createdBefore?: string | undefined;
  readonly importance?: { readonly min?: number | undefined; readonly max?: number | undefined } | undefined;
}

/** An entry as far as conditions look at it. */
export type Meant = Pick<Known, 'namespace' | 'container' | 'tags' | 'importance' | 'createdAt' | 'priority' | 'source'>;

/** Whether any condition leaves anything out: an empty list of tags and a range without ends do not. */
export function narrow(conditions: Conditions): boolean {
  return Object.values(conditions).some((condition: Conditions[keyof Conditions]) =>
    typeof condition === 'object' ? Object.values(condition).some((part) => part !== undefined) : condition !== undefined,
  );
}

/** Whether an entry is meant. */
export function conditionOf(conditions: Conditions): (entry: Meant) => boolean {
  const filter = filterOf(conditions);
  return (entry) => passes(filter, entry);
}

/** The same for the store. */
export function filterOf(conditions: Conditions): EntryFilter {
  const { namespace, container, tags, priority, source, kind, importance, createdAfter, createdBefore } = conditions;
  const { min, max } = importance ?? {};
  const isRange = min !== undefined || max !== undefined;
  return {
    ...(namespace !== undefined && { namespaces: [namespace] }),
    ...(container !== undefined && { container }),
    ...(tags !== undefined && { tags }),
    ...(priority !== undefined && { priority }),
    ...(source !== undefined && { source }),
    ...(kind !== undefined && { kind }),
    ...(isRange && { importance: { ...(min !== undefined && { min }), ...(max !== undefined && { max }) } }),
    ...(createdAfter !== undefined && { createdAfter: instant(createdAfter) }),
    ...(createdBefore !== undefined && { createdBefore: instant(createdBefore) }),
  };
}
