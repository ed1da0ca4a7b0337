/** Requests and results of finding entries: recall, search, explain, list. */
import { z } from 'zod';
import {
  Container,
  EntryId,
  IdPrefix,
  ListSort,
  MAX_QUERY_BYTES,
  MAX_RESULTS,
  Namespace,
  SEARCH_MODES,
  SearchMode,
  Tags,
  type Entry,
  type ScoredEntry,
} from '../entry.ts';
import { isVisible } from '../names.ts';
import type { Result } from '../result.ts';
import { ENTRY_CONDITIONS, LIST_CONDITIONS, Ratio } from './entry-conditions.ts';
import { Explanation } from './explanation.ts';
import { ResultsOffset, type PageCounts } from './result-pages.ts';

const Limit = z.int().min(1).max(MAX_RESULTS).meta({ description: 'Maximum number of results; default `search.limit`.' });
export const Query = z
  .string()
  .refine((text) => text.isWellFormed(), 'must be well-formed Unicode (it has a lone surrogate)')
  .refine(isVisible, 'must not be blank')
  .refine((text) => Buffer.byteLength(text) <= MAX_QUERY_BYTES, `must be at most ${MAX_QUERY_BYTES} bytes`)
  .meta({
    description: `Natural language or keywords, at most ${MAX_QUERY_BYTES} bytes of UTF-8.`,
    examples: ['where is the database password'],
  });
const MaxContentChars = z.int().min(100).max(1_000_000).optional().meta({
  description:
    'Maximum length of `content` in the response, in UTF-16 units. Longer content is cut, and `contentLength` has the full length. Default: no limit.',
});

const SearchOptions = {
  minScore: Ratio.optional().meta({ description: 'Leave out results with a lower `score`. Default 0.' }),
  collapse: z.boolean().optional().meta({ description: 'Fold near-identical results into the best one. Default false.' }),
  explain: z.boolean().optional().meta({ description: 'Explain the rank of each result. Default false.' }),
  includeSuperseded: z.boolean().optional().meta({ description: 'Also find superseded entries. Default false.' }),
  includeArchived: z
    .boolean()
    .optional()
    .meta({ description: 'Also find archived entries, by their words; they have `archived`. Default false.' }),
  newerFirst: z.boolean().optional().meta({
    description:
      'Put the newer of two results on one subject first if it mentions a change or another number, regardless of the scores. Default false.',
  }),
  countUse: z.boolean().optional().meta({
    description:
      'Whether the results count as used, which affects importance and statistics. False for a lookup, such as a search as you type. Default true.',
  }),
  maxContentChars: MaxContentChars,
};

const { namespace: _namespace, container: _container, ...conditions } = ENTRY_CONDITIONS;
const { tags, priority, source, kind, importance, createdAfter, createdBefore, ...others } = conditions;
export const SearchFilter = z
  .strictObject({
    tags,
    priority,
    source,
    kind,
    importance,
    createdAfter,
    createdBefore,
    ...others,
  })
  .meta({ id: 'SearchFilter', description: 'Entries must match all given conditions.' });
export type SearchFilter = z.output<typeof SearchFilter>;

export const RecallRequest = z
  .strictObject({
    query: Query,
    namespace: Namespace.optional(),
    tags: Tags.optional().meta({ description: 'Only entries with all of these tags.' }),
    limit: Limit.optional(),
    container: Container.optional(),
    searchMode: SearchMode.optional().meta({ description: 'Default `search.defaultMode`.' }),
    includeGlobal: z.boolean().optional().meta({ description: 'Add the entries of the global namespace. Default false.' }),
    filter: SearchFilter.optional(),
    ...SearchOptions,
  })
  .meta({ id: 'RecallRequest' });
export type RecallRequest = z.output<typeof RecallRequest>;

export const SearchRequest = z
  .strictObject({
    query: Query,
    tags: Tags.optional(),
    namespace: Namespace.optional().meta({ description: 'Only this namespace; default all.' }),
    container: Container.optional(),
    limit: Limit.optional(),
    offset: ResultsOffset,
    searchMode: SearchMode.optional(),
    filter: SearchFilter.optional(),
    ...SearchOptions,
  })
  .meta({ id: 'SearchRequest' });
export type SearchRequest = z.output<typeof SearchRequest>;

export const ExplainRequest = z
  .strictObject({
    query: Query,
    id: EntryId,
    namespace: Namespace.optional().meta({ description: 'The same as in the search; default all.' }),
    container: Container.optional(),
    tags: Tags.optional(),
    searchMode: SearchMode.optional(),
    limit: Limit.optional(),
    minScore: Ratio.optional(),
    includeSuperseded: SearchOptions.includeSuperseded,
    filter: SearchFilter.optional(),
  })
  .meta({ id: 'ExplainRequest' });
export type ExplainRequest = z.output<typeof ExplainRequest>;

export const ListRequest = z
  .strictObject({
    namespace: Namespace.optional(),
    allNamespaces: z.boolean().optional().meta({ description: 'Every namespace instead of one. Default false.' }),
    tags: Tags.optional(),
    container: Container.optional(),
    priority,
    source,
    kind,
    createdAfter,
    createdBefore,
    ...LIST_CONDITIONS,
    idPrefix: IdPrefix.optional(),
    pending: z.boolean().optional().meta({ description: 'Only captured entries that were not confirmed or changed since. Default false.' }),
    limit: Limit.optional(),
    offset: z.int().min(0).optional().meta({ description: 'Default 0.' }),
    sort: ListSort.optional().meta({ description: 'Default `-createdAt`, newest first.' }),
    maxContentChars: MaxContentChars,
  })
  .meta({ id: 'ListRequest' });
export type ListRequest = z.output<typeof ListRequest>;

export interface SearchResults extends PageCounts {
  readonly query: string;
  readonly mode: SearchMode;
  readonly results: readonly ScoredEntry[];
  /**
   * Number of archived entries that `includeArchived` would find with a score of 0.3 or more, at most 100. Only if the best result scores
   * less and there is at least one.
   */
  readonly archivedMatches?: number;
  /** Echo of the filter of a search. */
  readonly filter?: SearchFilter;
}

/** Explains why a search returned an entry or not. */
export const ExplainReport = z.object({
  id: z.uuid(),
  score: z.number().min(0).max(1).exactOptional(),
  query: z.string(),
  mode: z.enum(SEARCH_MODES),
  returned: z.boolean().meta({ description: 'Whether a search with this limit returns it.' }),
  rank: z.int().min(1).exactOptional().meta({ description: 'Its rank among all matches; absent if it does not match.' }),
  reason: z.string().meta({ description: 'One sentence in plain words.' }),
  filters: z.array(z.object({ filter: z.string(), passed: z.boolean() })).readonly(),
  explanation: Explanation.exactOptional().meta({ description: 'The parts of its rank; also present if it was not returned.' }),
});
export type ExplainReport = Result<typeof ExplainReport>;

export interface EntryPage {
  readonly entries: readonly Entry[];
  readonly total: number;
  readonly offset: number;
  readonly limit: number;
}
