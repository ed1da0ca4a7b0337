/** Flags that `recall`, `search` and `explain` share. */
import { Flags } from '@oclif/core';
import { ENTRY_KINDS, SEARCH_MODES } from '../../memory/entry.ts';
import { factFlags } from './condition-flags.ts';
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
