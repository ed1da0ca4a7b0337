/** What is asked of many entries at once, or done to them, as requests and results. */
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
  /** Entries in all. */
  readonly total: number;
  /** Newest first; days without entries are left out. */
  readonly days: readonly DayCount[];
}
export interface DayCount {
  /** Such as `2026-01-31`. */
  readonly day: string;
  readonly entries: number;
}

/** How many entries hold each value of a field, most first. */
export interface FacetCount {
  readonly value: string;
  readonly entries: number;
}
export const FACETS = ['namespaces', 'tags', 'sources', 'kinds', 'priorities', 'years'] as const;
export type Facets = { readonly [Facet in (typeof FACETS)[number]]: readonly FacetCount[] } & {
  /** Entries that meet all conditions. */
  readonly total: number;
};

/** The tag change of one entry; remove `added` and add `removed` to undo it. */
export interface TagChange {
  readonly id: string;
  readonly added: readonly string[];
  readonly removed: readonly string[];
}
export interface TagReport {
  readonly dryRun: boolean;
  /** Entries meant. */
  readonly matches: number;
  /** Entries whose tags changed, or would change; newest first. */
  readonly changed: readonly TagChange[];
  /** Entries left as they are: someone changed or deleted them meanwhile, or they would carry more than 64 tags. */
  readonly left: number;
}

/** All methods reject with LoreError. */
export interface BulkOperations {
  timeline(request: TimelineRequest, options?: CallOptions): Promise<Timeline>;
  facets(request: FacetsRequest, options?: CallOptions): Promise<Facets>;
  /**
   * Adds tags to entries and takes tags away from them. Repeating it changes nothing. Rejects with `invalid_input` where no entries or no
   * tags are named, with `not_found` where none of the ids names anything.
   */
  tag(request: TagRequest, options?: CallOptions): Promise<TagReport>;
}

/** What is to become of the tags of an entry. */
export interface Retagging {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

/** The tags an entry has then, in their order, or undefined where they would be too many. */
export function retagged(tags: readonly string[], { add, remove }: Retagging): readonly string[] | undefined {
  const then = [...new Set([...tags.filter((tag) => !remove.includes(tag)), ...add])];
  return then.length > MAX_TAGS && then.length > tags.length ? undefined : then;
}
