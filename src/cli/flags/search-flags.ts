/** Flags that `recall`, `search` and `explain` share. */
import { Flags } from '@oclif/core';
import { ENTRY_KINDS, SEARCH_MODES } from '../../memory/entry.ts';
import { conditionFields, factFlags } from './condition-flags.ts';
import { number, scopeFlags } from './flags.ts';

/** Which entries a search looks at, and how. */
export const searchFlags = {
  ...scopeFlags,
  limit: number({ char: 'l', description: 'Results wanted, 1 to 100 (default search.limit).' }),
  mode: Flags.string({ char: 'm', options: [...SEARCH_MODES], description: 'How to search (default search.defaultMode).' }),
  'min-score': number({ description: 'Leave out results with a lower score, 0 to 1 (default 0).' }),
  'include-superseded': Flags.boolean({ description: 'Also look at entries that a newer one takes the place of.' }),
};

/** What is shown of the results. */
export const resultFlags = {
  'include-archived': Flags.boolean({ description: 'Also find archived entries, by their words.' }),
  collapse: Flags.boolean({ description: 'Fold near-identical results into the best of them.' }),
  explain: Flags.boolean({ description: 'Say of each result which words matched and what counted.' }),
};

/** Which kinds of entries a search looks at. */
export const filterFlags = {
  kind: Flags.string({ options: [...ENTRY_KINDS], description: 'Only passages of files, or only memories.' }),
  ...factFlags,
};

/** The filter of a search across namespaces. */
export const wideFilterFlags = { namespace: Flags.string({ char: 'n', description: 'Only this namespace.' }), ...filterFlags };

/** The fields of a request under their names on the command line, where those differ. */
export const FIELD_NAMES = {
  query: 'query',
  tags: '--tag',
  searchMode: '--mode',
  minScore: '--min-score',
  'filter.priority': '--priority',
  'filter.source': '--source',
  'filter.kind': '--kind',
  'filter.importance.min': '--min-importance',
  'filter.importance.max': '--max-importance',
  'filter.createdAfter': '--after',
  'filter.createdBefore': '--before',
};

type Given<F> = { readonly [K in keyof F]?: F[K] | undefined };

interface SearchValues {
  readonly tag: string[];
  readonly container: string;
  readonly limit: number;
  readonly mode: string;
  readonly 'min-score': number;
  readonly 'include-superseded': boolean;
}

/** The fields of a request that `searchFlags` say. */
export function searchFields(flags: Given<SearchValues>): Record<string, unknown> {
  const { tag, container, limit, mode, 'min-score': minScore, 'include-superseded': all } = flags;
  return { tags: tag, container, limit, searchMode: mode, minScore, includeSuperseded: all === true || undefined };
}

interface FilterValues {
  readonly kind: string;
  readonly priority: string;
  readonly source: string;
  readonly 'min-importance': number;
  readonly 'max-importance': number;
  readonly after: string;
  readonly before: string;
}

/** The field `filter` of a request that `filterFlags` say, undefined where none of them does. */
export function filterField({ kind, ...flags }: Given<FilterValues>): Record<string, unknown> {
  const { priority, source, createdAfter, createdBefore, importance } = conditionFields(flags);
  return { filter: given({ priority, source, kind, createdAfter, createdBefore, importance }) };
}

/** The fields of a request that `resultFlags` say. */
export function resultFields(flags: { collapse: boolean; explain: boolean; 'include-archived': boolean }): Record<string, unknown> {
  const { collapse, explain, 'include-archived': includeArchived } = flags;
  return { collapse: collapse || undefined, explain: explain || undefined, includeArchived: includeArchived || undefined };
}

/** The object, or undefined where no field of it was given. */
function given<T extends object>(fields: T): T | undefined {
  return Object.values(fields).some((value) => value !== undefined) ? fields : undefined;
}
