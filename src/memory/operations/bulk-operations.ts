/** Requests and results of operations on many entries. */
import { z } from 'zod';
import { MAX_TAGS, Namespace, Tags } from '../entry.ts';
import { ENTRY_CONDITIONS, SelectedIds } from './entry-conditions.ts';
import { Query } from './finding-operations.ts';
import { ListRequest, type CallOptions } from './operations.ts';
import type { Result } from '../result.ts';
import { VALUE_FIELDS } from '../vocabulary.ts';
import { TimeZone } from '../time-zone.ts';

export const TimelineRequest = ListRequest.omit({ limit: true, offset: true, sort: true, maxContentChars: true })
  .extend({ timeZone: TimeZone.optional() })
  .meta({ id: 'TimelineRequest' });
export type TimelineRequest = z.output<typeof TimelineRequest>;

export const FacetsRequest = TimelineRequest.extend({
  query: Query.optional().meta({
    description:
      'Count only what a search for this finds by its words: current entries that contain one of them, in any form. Not only the first 1,000.',
  }),
}).meta({ id: 'FacetsRequest' });
export type FacetsRequest = z.output<typeof FacetsRequest>;

const MAX_VALUES = 1000;

export const ValuesRequest = z
  .strictObject({
    field: z.enum(VALUE_FIELDS).optional().meta({ description: '`entities`: names in entries. Default `namespaces`.' }),
    contains: z
      .string()
      .max(256, 'must be at most 256 characters')
      .optional()
      .meta({ description: 'Only values that contain this text, in any case.' }),
    namespace: Namespace.optional().meta({ description: 'Only values of entries in this namespace; default all.' }),
    sort: z.enum(['value', '-entries']).optional().meta({ description: '`value`: by name. Default `-entries`, most entries first.' }),
    limit: z
      .int()
      .min(1)
      .max(MAX_VALUES)
      .optional()
      .meta({ description: `At most ${MAX_VALUES}; default 100.` }),
    offset: z.int().min(0).optional().meta({ description: 'Default 0.' }),
  })
  .meta({ id: 'ValuesRequest' });
export type ValuesRequest = z.output<typeof ValuesRequest>;

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

const count = z.int().min(0);

/** Number of entries on a day of creation, such as `2026-01-31`. */
const DayCount = z.object({ day: z.iso.date(), entries: count });
export type DayCount = Result<typeof DayCount>;

export const Timeline = z.object({
  timeZone: z.string(),
  total: count,
  days: z.array(DayCount).readonly().meta({ description: 'Newest first; days without entries are left out.' }),
});
export type Timeline = Result<typeof Timeline>;

/** Number of entries with a value of a field. */
const FacetCount = z.object({ value: z.string(), entries: count });
export type FacetCount = Result<typeof FacetCount>;
const Values = z.array(FacetCount).readonly();

const FACETS = ['namespaces', 'tags', 'sources', 'kinds', 'priorities', 'years'] as const;
const Facet = Values.meta({ id: 'Facet', description: 'The 50 most frequent values, most entries first; years newest first.' });
export const Facets = z.object({
  total: count.meta({ description: 'Entries that meet all conditions.' }),
  ...(Object.fromEntries(FACETS.map((facet) => [facet, Facet])) as Record<(typeof FACETS)[number], typeof Facet>),
});
export type Facets = Result<typeof Facets>;

/** One page of the different values of a field. */
export const ValuesPage = z.object({
  values: Values,
  total: count.meta({ description: 'Values on all pages.' }),
  offset: count,
  limit: count,
});
export type ValuesPage = Result<typeof ValuesPage>;

/** The change of the tags or the names of one entry; remove `added` and add `removed` to undo it. */
const TagChange = z.object({ id: z.uuid(), added: z.array(z.string()), removed: z.array(z.string()) });
export type TagChange = Result<typeof TagChange>;

const changesOf = (what: string) =>
  z.object({
    dryRun: z.boolean(),
    matches: count.meta({ description: 'Entries meant.' }),
    changed: z.array(TagChange).meta({ description: `Entries whose ${what} changed, or would change; newest first.` }),
    left: count.meta({
      description: `Unchanged entries: they were changed or deleted in the meantime, or would have more than 64 ${what}.`,
    }),
  });
export const TagReport = changesOf('tags');
export const NamesReport = changesOf('names');
export type TagReport = Result<typeof TagReport>;

/** All methods reject with LoreError. */
export interface BulkOperations {
  timeline(request: TimelineRequest, options?: CallOptions): Promise<Timeline>;
  facets(request: FacetsRequest, options?: CallOptions): Promise<Facets>;
  /** Every namespace, tag or name, with the number of entries that have it, page by page. */
  values(request: ValuesRequest, options?: CallOptions): Promise<ValuesPage>;
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

/** The resulting tags of an entry, in order; undefined if there are more than `most`. */
export function retagged(tags: readonly string[], { add, remove }: Retagging, most = MAX_TAGS): readonly string[] | undefined {
  const then = [...new Set([...tags.filter((tag) => !remove.includes(tag)), ...add])];
  return then.length > most && then.length > tags.length ? undefined : then;
}

export const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((tag, nth) => tag === others[nth]);

const without = (tags: readonly string[], others: readonly string[]): string[] => tags.filter((tag) => !others.includes(tag));
export const changeOf = (id: string, before: readonly string[], after: readonly string[]): TagChange => ({
  id,
  added: without(after, before),
  removed: without(before, after),
});
