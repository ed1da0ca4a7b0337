/** Flags that `recall`, `search` and `explain` share. */
import { Flags } from '@oclif/core';
import { ENTRY_KINDS, SEARCH_MODES } from '../../memory/entry.ts';
import { factFlags } from './condition-flags.ts';
import { number, scopeFlags } from './flags.ts';

/** Flags of a search: entries and mode. */
export const searchFlags = {
  ...scopeFlags,
  limit: number({ char: 'l', description: 'Number of results, 1 to 100 (default search.limit).' }),
  mode: Flags.string({ char: 'm', options: [...SEARCH_MODES], description: 'Search mode (default search.defaultMode).' }),
  'min-score': number({ description: 'Leave out results with a lower score, 0 to 1 (default 0).' }),
  'include-superseded': Flags.boolean({ description: 'Also find superseded entries.' }),
};

/** Flags for the display of results. */
export const resultFlags = {
  'include-archived': Flags.boolean({ description: 'Also find archived entries, by their words.' }),
  collapse: Flags.boolean({ description: 'Fold near-identical results into the best one.' }),
  explain: Flags.boolean({ description: 'Show for each result which words matched, and the parts of its rank.' }),
};

/** Filter flags of a search. */
export const filterFlags = {
  kind: Flags.string({ options: [...ENTRY_KINDS], description: 'Only passages of files, or only memories.' }),
  ...factFlags,
};

/** The filter of a search across namespaces. */
export const wideFilterFlags = { namespace: Flags.string({ char: 'n', description: 'Only this namespace.' }), ...filterFlags };
