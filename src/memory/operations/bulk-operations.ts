/** Requests and results of operations on many entries. */
import { z } from 'zod';
import { MAX_TAGS, Tags } from '../entry.ts';
import { ENTRY_CONDITIONS, SelectedIds } from './entry-conditions.ts';
import { ListRequest, type CallOptions } from './operations.ts';
import { TimeZone } from '../time-zone.ts';

export const TimelineRequest = ListRequest.omit({ limit: true, offset: true, sort: true, maxContentChars: true })
  .extend({ timeZone: TimeZone.optional() })
  .meta({ id: 'TimelineRequest' });
export type TimelineRequest = z.output<typeof TimelineRequest>;

export const FacetsRequest = TimelineRequest.meta({ id: 'FacetsRequest' });
export type FacetsRequest = z.output<typeof FacetsRequest>;

export const TagRequest = z
  .strictObject({
    ids: SelectedIds.optional().meta({ description: 'These entries; unknown ids are ignored. Instead of ids you can send conditions:' }),
    ...ENTRY_CONDITIONS,
    add: Tags.optional().meta({ description: 'Tags to add.' }),
    remove: Tags.optional().meta({ description: 'Tags to remove.' }),
    dryRun: z.boolean().optional().meta({ description: 'Only report what would change. Default false.' }),
  })
  .meta({ id: 'TagRequest' });
export type TagRequest = z.output<typeof TagRequest>;

/** Number of entries by day of creation. */
export interface Timeline {
  readonly timeZone: string;
  /** Total number of entries. */
  readonly total: number;
  /** Newest first; days without entries are left out. */
  readonly days: readonly DayCount[];
}
export interface DayCount {
  /** Such as `2026-01-31`. */
  readonly day: string;
  readonly entries: number;
}

/** Number of entries with a value of a field. */
export interface FacetCount {
  readonly value: string;
  readonly entries: number;
}
export const FACETS = ['namespaces', 'tags', 'sources', 'kinds', 'priorities', 'years'] as const;
export type Facets = { readonly [Facet in (typeof FACETS)[number]]: readonly FacetCount[] } & {
  /** Number of entries that match all conditions. */
  readonly total: number;
};

/** The tag change of one entry. To undo it, remove `added` and add `removed`. */
export interface TagChange {
  readonly id: string;
  readonly added: readonly string[];
  readonly removed: readonly string[];
}
export interface TagReport {
  readonly dryRun: boolean;
  /** Number of matching entries. */
  readonly matches: number;
  /** Entries whose tags changed, or would change in a dry run; newest first. */
  readonly changed: readonly TagChange[];
  /** Entries left unchanged: changed or deleted meanwhile, or they would have more than 64 tags. */
  readonly left: number;
}

/** All methods reject with LoreError. */
export interface BulkOperations {
  timeline(request: TimelineRequest, options?: CallOptions): Promise<Timeline>;
  facets(request: FacetsRequest, options?: CallOptions): Promise<Facets>;
  /**
   * Adds and removes tags of entries. Safe to repeat. Rejects with `invalid_input` if the request names no entries or no tags, with
   * `not_found` if no id exists.
   */
  tag(request: TagRequest, options?: CallOptions): Promise<TagReport>;
}

/** A tag change. */
export interface Retagging {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

/** The tags after a change, in order; undefined if there would be too many. */
export function retagged(tags: readonly string[], { add, remove }: Retagging): readonly string[] | undefined {
  const then = [...new Set([...tags.filter((tag) => !remove.includes(tag)), ...add])];
  return then.length > MAX_TAGS && then.length > tags.length ? undefined : then;
}
