/** Flags that `recall` and `explain` share. */
import { SearchRequest } from '../../memory/operations/operations.ts';
import { factFlags, scopeFlags } from './condition-flags.ts';
import { fieldFlags } from './field-flags.ts';

/** Flags of a search: entries and mode. */
export const searchFlags = {
  ...scopeFlags,
  ...fieldFlags(SearchRequest, {
    limit: { char: 'l', description: 'Number of results, 1 to 100 (default search.limit).' },
    mode: { char: 'm', description: 'Search mode (default search.defaultMode).' },
    'min-score': 'Leave out results with a lower score, 0 to 1 (default 0).',
    'include-superseded': 'Also find superseded entries.',
  }),
};

/** Flags for the display of results. */
export const resultFlags = fieldFlags(SearchRequest, {
  'include-archived': 'Also find archived entries, by their words.',
  collapse: 'Fold near-identical results into the best one.',
  explain: 'Show for each result which words matched, and the parts of its rank.',
});

/** Filter flags of a search. */
export const filterFlags = { ...fieldFlags(SearchRequest, { kind: 'Only passages of files, or only memories.' }), ...factFlags };

/** The filter of a search across namespaces. */
export const wideFilterFlags = {
  ...fieldFlags(SearchRequest, { namespace: { char: 'n', description: 'Only this namespace.' } }),
  ...filterFlags,
};
