import { MAX_PAGED_RESULTS } from '../../../src/memory/vocabulary.ts';
import type { SearchMode } from '../api/responses.ts';
import { count, counted } from '../parts/formats.ts';
import { memories, memory, texts } from '../texts.ts';
import type { Results } from './use-results.ts';
import type { WeakHits } from './weak-hits.ts';

/** The number of results if it is known. A search by meaning matches everything to some degree, so only word matches are counted. */
function number({ hits, hasMore, total, matches }: Results): string {
  if (total === undefined) return hasMore ? `Best ${count(hits.length)} memories` : counted(hits.length, memory, memories);
  if (matches !== undefined && matches > 0 && matches !== total) return `${counted(matches, memory, memories)} with these words`;
  return total < MAX_PAGED_RESULTS ? counted(total, memory, memories) : `Best ${count(total)} memories`;
}

function found(results: Results, weak?: WeakHits): string {
  const { hits, tookMs, error, loading } = results;
  if (error !== undefined || (loading && hits.length === 0)) return '';
  if (weak?.isFolded === true) return 'No memory fits';
  return `${number(results)} in ${texts.ms(tookMs)}${weak === undefined ? '' : ', none fits well'}`;
}

export const searchTexts = {
  preview: 'Selected memory',
  form: 'Memories',
  label: 'Search memories',
  placeholder: 'Search your memories',
  clear: 'Clear the search',
  results: 'Search results',
  found,
  options: {
    label: 'Options',
    title: 'Search options',
    explain: 'Explain',
    explained: 'Show which words matched and how each score adds up.',
  },
  modes: {
    legend: 'Search mode',
    hybrid: 'Hybrid',
    vector: 'Vector',
    keyword: 'Keyword',
    explained: { hybrid: 'Matches meaning and words.', vector: 'Matches meaning only.', keyword: 'Matches words only.' } satisfies Record<
      SearchMode,
      string
    >,
  },
} as const;
