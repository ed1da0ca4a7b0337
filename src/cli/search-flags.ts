/** Flags that `recall`, `search` and `explain` share. */
import { Flags } from '@oclif/core';
import { SEARCH_MODES } from '../memory/entry.ts';
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
  collapse: Flags.boolean({ description: 'Fold near-identical results into the best of them.' }),
  explain: Flags.boolean({ description: 'Say of each result which words matched and what counted.' }),
};

/** The filter of a search across namespaces. */
export const filterFlags = {
  namespace: Flags.string({ char: 'n', description: 'Only this namespace.' }),
  'min-importance': number({ description: 'Only entries at least this important, 0 to 1.' }),
  'max-importance': number({ description: 'Only entries at most this important, 0 to 1.' }),
  after: Flags.string({ helpValue: 'DATE', description: 'Only entries created after this moment, ISO 8601 (UTC without a zone).' }),
  before: Flags.string({ helpValue: 'DATE', description: 'Only entries created before this moment, ISO 8601 (UTC without a zone).' }),
};

/** The fields of a request under their names on the command line, where those differ. */
export const FIELD_NAMES = {
  query: 'query',
  tags: '--tag',
  searchMode: '--mode',
  minScore: '--min-score',
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
  readonly namespace: string;
  readonly 'min-importance': number;
  readonly 'max-importance': number;
  readonly after: string;
  readonly before: string;
}

/** The fields of a request that `filterFlags` say; `filter` is undefined where none of them does. */
export function filterFields(flags: Given<FilterValues>): Record<string, unknown> {
  const importance = given({ min: flags['min-importance'], max: flags['max-importance'] });
  return { namespace: flags.namespace, filter: given({ importance, createdAfter: flags.after, createdBefore: flags.before }) };
}

/** The fields of a request that `resultFlags` say. */
export function resultFields({ collapse, explain }: { collapse: boolean; explain: boolean }): Record<string, unknown> {
  return { collapse: collapse || undefined, explain: explain || undefined };
}

/** The object, or undefined where no field of it was given. */
function given<T extends object>(fields: T): T | undefined {
  return Object.values(fields).some((value) => value !== undefined) ? fields : undefined;
}
