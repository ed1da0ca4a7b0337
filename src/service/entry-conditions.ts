import type { z } from 'zod';
import { fieldsThat } from '../memory/entry-fields.ts';
import type { EntryFilter } from '../memory/entry.ts';
import type { ENTRY_CONDITIONS } from '../memory/operations/entry-conditions.ts';
import { matching, type Filterable } from '../store/format/predicates.ts';
import { instant } from './instant.ts';
import { withoutUndefined } from '../memory/without-undefined.ts';

type Requested = z.output<z.ZodObject<typeof ENTRY_CONDITIONS>>;
/** Conditions on entries of the whole store; an entry must match all given ones. */
export interface Conditions extends Readonly<Omit<Requested, 'tags'>> {
  readonly tags?: readonly string[] | undefined;
}

/** The fields of an entry that conditions use. */
export type ConditionFields = Omit<Filterable, 'superseded'>;

/** Whether any condition excludes entries; an empty list of tags and a range without bounds do not. */
export function narrow(conditions: Conditions): boolean {
  return Object.values(conditions).some((condition: Conditions[keyof Conditions]) =>
    typeof condition === 'object' ? Object.values(condition).some((part) => part !== undefined) : condition !== undefined,
  );
}

/** Returns a test for matching entries. */
export function conditionOf(conditions: Conditions): (entry: ConditionFields) => boolean {
  return matching(filterOf(conditions));
}

/** The conditions as a filter of the store. */
export function filterOf(conditions: Conditions): EntryFilter {
  const { namespace, tags, kind, createdAfter, createdBefore } = conditions;
  return {
    ...(namespace !== undefined && { namespaces: [namespace] }),
    ...withoutUndefined({ tags, kind }),
    ...fieldFilter(conditions),
    ...(createdAfter !== undefined && { createdAfter: instant(createdAfter) }),
    ...(createdBefore !== undefined && { createdBefore: instant(createdBefore) }),
  };
}

const FILTERED = fieldsThat(({ filter }) => filter !== undefined);

function fieldFilter(conditions: Conditions): EntryFilter {
  const wanted = FILTERED.flatMap(([name, { filter }]) => {
    const value = conditions[name as keyof Conditions];
    if (filter === 'is' || value === undefined) return value === undefined ? [] : [[name, value]];
    const limits = Object.entries(value).filter(([, limit]) => limit !== undefined);
    return limits.length === 0 ? [] : [[name, Object.fromEntries(limits)]];
  });
  return Object.fromEntries(wanted) as EntryFilter;
}
