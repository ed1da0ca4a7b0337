import { z } from 'zod';
import type { Entry, FieldsWith } from './entry-fields.ts';
import type { Explanation } from './operations/explanation.ts';
import type { Passage } from './words/passages.ts';
import { LIST_SORTS, SEARCH_MODES, type ArchiveReason, type EntryKind } from './vocabulary.ts';

export type { Entry } from './entry-fields.ts';
export * from './entry-values.ts';
export * from './vocabulary.ts';

/** Prefix of an id in the guide representation; every route accepts ids with and without it. */
export const GUIDE_ID_PREFIX = 'mem_';
export const MAX_QUERY_BYTES = 4096;
export const MAX_RESULTS = 100;

export const SearchMode = z.enum(SEARCH_MODES);
export type SearchMode = z.output<typeof SearchMode>;
export const ListSort = z.enum(LIST_SORTS);
export type ListSort = z.output<typeof ListSort>;

export interface ScoredEntry {
  readonly entry: Entry;
  /** 0..1, higher is better. */
  readonly score: number;
  /** Scores of vector and keyword search, 0..1; absent if it did not find the entry. */
  readonly scores: { readonly vector?: number; readonly keyword?: number };
  /** The best matching passage of a long text; absent if the text is a single passage. */
  readonly passage?: Passage;
  /** Ids of near-identical entries folded into this one by `collapse`, best first; absent if there are none. */
  readonly collapsed?: readonly string[];
  /** Only for an archived entry (`includeArchived`): when (epoch milliseconds) and why it was archived. */
  readonly archived?: { readonly at: number; readonly reason: ArchiveReason };
  /** Only if `explain` was requested. */
  readonly explanation?: Explanation;
}

/** Filters on fields of an entry. */
type FieldFilter = { readonly [Name in FieldsWith<{ filter: 'is' }>]?: Entry[Name] } & {
  readonly [Name in FieldsWith<{ filter: 'range' }>]?: { readonly min?: number; readonly max?: number };
};

/** Filter of a read. Entries must match every given field; an empty filter matches all. */
export interface EntryFilter extends FieldFilter {
  /** The entry is in one of these namespaces. */
  readonly namespaces?: readonly string[];
  /** The entry has all of these tags. */
  readonly tags?: readonly string[];
  readonly kind?: EntryKind;
  /** Epoch milliseconds, exclusive. */
  readonly createdAfter?: number;
  /** Epoch milliseconds, exclusive. */
  readonly createdBefore?: number;
  /** Only entries that are not superseded. */
  readonly current?: true;
  /** Only entries in the inbox; see `isPending`. */
  readonly pending?: true;
  /** Beginning of the id. */
  readonly idPrefix?: string;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const withoutPrefix = (text: string): string =>
  (text.startsWith(GUIDE_ID_PREFIX) ? text.slice(GUIDE_ID_PREFIX.length) : text).toLowerCase();

/** The stored form of an id in any client form, or undefined if it is invalid. */
export function parseEntryId(text: string): string | undefined {
  const bare = withoutPrefix(text);
  return UUID.test(bare) ? bare : undefined;
}

/** The beginning of an id. */
export const IdPrefix = z
  .string()
  .transform((text) => withoutPrefix(text))
  .refine((text) => /^[0-9a-f][0-9a-f-]{7,35}$/.test(text), 'must be at least the first 8 characters of an id')
  .meta({ description: 'Only entries whose id has this prefix of at least 8 characters.' });

/** An id in a request, with or without prefix; parsed to its stored form. */
export const EntryId = z
  .string()
  .transform((text, context) => {
    const id = parseEntryId(text);
    if (id !== undefined) return id;
    context.addIssue({ code: 'custom', message: 'must be the id of an entry' });
    return z.NEVER;
  })
  .meta({ description: 'Id of an entry, with or without the prefix `mem_`.' });
