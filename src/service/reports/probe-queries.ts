import { isStopWord } from '../../memory/words/tokens.ts';

/** Only this much of a text is read, UTF-16 units. */
const READ_CHARS = 5000;
/** With fewer significant words, too little is left to search for. */
const LEAST_TELLING = 8;
/** Number of words in the query, spread over the sentence; with four, every search finds nearly all. */
const KEPT = 3;
const SENTENCE_END = /(?<=[.!?])\s+|[。！？\n]+/;

const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

/**
 * A query that should find the text: three words of the sentence with the most significant words. The same for the same text. Undefined if
 * no sentence has eight significant words. Scripts without blanks are split with the dictionaries of ICU.
 */
export function probeQuery(content: string): string | undefined {
  let telling: string[] = [];
  for (const sentence of content.slice(0, READ_CHARS).split(SENTENCE_END)) {
    const words = Array.from(segmenter.segment(sentence)).flatMap(({ segment, isWordLike }) => (isWordLike === true ? [segment] : []));
    const found = words.filter((word) => !isStopWord(word.toLowerCase()));
    if (found.length > telling.length) telling = found;
  }
  if (telling.length < LEAST_TELLING) return undefined;
  return Array.from({ length: KEPT }, (_, nth) => telling[Math.floor(((nth + 0.5) * telling.length) / KEPT)]!).join(' ');
}
