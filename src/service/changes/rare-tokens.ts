import { idf } from '../../memory/words/query-words.ts';
import { isStopWord } from '../../memory/words/tokens.ts';
import type { WordStatistics } from '../../memory/words/word-statistics.ts';

/** Number of words used to find similar entries. */
const MAX_TOKENS = 12;
/** UTF-16 units of a search text that are read. */
const READ_CHARS = 50_000;

/** The rarest distinct tokens of a search text; tokens without rows come first. Stop words only if all are. */
export function rareTokens(searchText: string, words: WordStatistics): string[] {
  const tokens = [...new Set(searchText.slice(0, READ_CHARS).split(' '))].filter((token) => token !== '');
  const telling = tokens.filter((token) => !isStopWord(token));
  return (telling.length === 0 ? tokens : telling)
    .map((token) => ({ token, weight: idf(words.documentFrequency(token), words.rows) }))
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, MAX_TOKENS)
    .map(({ token }) => token);
}
