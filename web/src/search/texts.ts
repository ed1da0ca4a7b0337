import { memories, memory, texts } from '../texts.ts';
import { count, counted } from '../parts/formats.ts';

import type { MatchedTerm, SearchMode } from '../api/forms.ts';
import type { Weak } from './result-list.tsx';
import type { Results } from './use-results.ts';

function found({ hits, total, query, tookMs, error, loading, isCut }: Results, weak?: Weak): string {
  if (error !== undefined || (loading && hits.length === 0)) return '';
  if (query === '') return `${counted(total ?? hits.length, memory, memories)}, newest first`;
  if (weak?.isFolded === true) return weakTexts.none;
  const many = isCut ? `Best ${count(hits.length)} memories` : counted(hits.length, memory, memories);
  return `${many} in ${texts.ms(tookMs)}${weak === undefined ? '' : weakTexts.shown}`;
}

const weakTexts = {
  none: 'No memory fits',
  title: (query: string) => `Nothing fits “${query}”`,
  text: 'The nearest memories have little to do with it.',
  show: (number: number) => (number === 1 ? 'Show the nearest one' : `Show the nearest ${count(number)}`),
  shown: ', none fits well',
  save: 'Save this as a memory',
};

function withoutFilters(number: number, more: boolean): string {
  if (number === 0) return 'There are no matches without the filters either.';
  return `Without the filters there ${number === 1 ? 'is' : 'are'} ${more ? 'more than ' : ''}${counted(number, memory, memories)}.`;
}

/** `deploy ×2`, `kubernetes for k8s (equivalent)`. */
function term({ term: word, matched, kind, count: times }: MatchedTerm): string {
  const found = times > 1 ? `${matched} ×${count(times)}` : matched;
  return kind === 'exact' ? found : `${found} for ${word} (${kind})`;
}

const nothingHelp: Readonly<Record<SearchMode, string>> = {
  hybrid: 'No memory matches these words or their meaning. Try fewer or other words.',
  vector: 'No memory is close in meaning. Hybrid search also matches words.',
  keyword: 'No memory contains these words. Hybrid search also matches meaning.',
};

/** Strings of the search. */
export const searchTexts = {
  form: 'Memories',
  label: 'Search memories',
  placeholder: 'Search your memories',
  clear: 'Clear the search',
  newest: 'Newest memories',
  results: 'Search results',
  failed: 'The search failed',
  more: 'Show more',
  browseAll: (number: number) => `Browse all ${counted(number, memory, memories)}`,
  options: {
    label: 'Options',
    title: 'Search options',
    explain: 'Explain',
    explained: 'Show which words matched and how each score adds up.',
  },
  tryHybrid: 'Search hybrid',
  found,
  weak: weakTexts,
  filteredBy: (filters: string) => `Filtered by ${filters}.`,
  withoutFilters,
  nothing: (query: string) => `No results for “${query}”`,
  nothingHere: 'No memories',
  nothingHelp,
  archived: {
    match: (number: number) => counted(number, 'archived memory matches', 'archived memories match'),
    show: 'Show archived',
    hide: 'Hide archived',
    included: 'Archived memories are included.',
    mark: (reason: string, day: string) => `Archived ${day}: ${reason}`,
    restore: 'Restore',
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
  score: {
    label: 'Score',
    why: 'Why this result',
    alone: {
      keyword: 'Keyword search: meaning is not counted.',
      vector: 'Vector search: words are not counted.',
    },
    noMeaning: 'Meaning is not counted: the words were enough, or this memory was saved a moment ago.',
    words: 'Words found:',
    none: 'none',
    term,
    missing: (words: string) => `Not found: ${words}`,
    /** What the server adds up, by its names, and the sources of these. */
    parts: {
      meaning: 'Meaning',
      words: 'Words',
      other: 'Other signs',
      equal: 'Same text',
      phrase: 'Whole phrase',
      bm25: 'Words',
      vector: 'Meaning',
      proximity: 'Words close together',
      order: 'Words in order',
      negation: 'Negation',
      file: 'Same file',
      early: 'Match near the start',
      tag: 'Tags',
      speaker: 'Speaker',
      beside: 'Next to a match',
      correction: 'Corrects an older one',
      recency: 'Recent',
      importance: 'Important',
    },
  },
} as const;
