import type { MatchedTerm, SearchMode } from '../api/responses.ts';
import { count, counted } from '../parts/formats.ts';
import { memories, memory } from '../texts.ts';

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

export const resultTexts = {
  failed: 'The search failed',
  more: 'Show more',
  end: (shown: number) => `These are the best ${count(shown)}. Add words or filters to see others.`,
  tryHybrid: 'Search hybrid',
  weak: {
    title: (query: string) => `No match for “${query}”`,
    text: 'The nearest memories have little to do with it.',
    show: (number: number) => (number === 1 ? 'Show the nearest one' : `Show the nearest ${count(number)}`),
    save: 'Save this as a memory',
  },
  filteredBy: (filters: string) => `Filtered by ${filters}.`,
  withoutFilters,
  nothing: (query: string) => `No results for “${query}”`,
  nothingHelp,
  archived: {
    match: (number: number) => counted(number, 'archived memory matches', 'archived memories match'),
    show: 'Show archived',
    hide: 'Hide archived',
    included: 'Archived memories are included.',
    mark: (reason: string, day: string) => `Archived ${day}: ${reason}`,
    restore: 'Restore',
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
    /** The server's names of score parts and their sources. */
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
