import { isStopWord, tokenize } from './tokens.ts';

/** Content up to this length gets no summary, UTF-16 units. */
const LONG_CONTENT = 600;
const LONGEST_SUMMARY = 240;
/** UTF-16 units read: the beginning of a text names its subject. */
const READ_CHARS = 20_000;
const SHORTEST_SENTENCE = 20;
/** Bonus of the first sentence over one in the middle. */
const LEAD_BONUS = 0.5;
/** Fences of code. */
const FENCE = /^(?:```|~~~)/;
const LINE_MARK = /^[\s>#*+-]*(?:\d{1,3}[.)]\s)?/;
/** The end of a sentence; not after `e.g.`, before a lower-case letter. */
const SENTENCE_BORDER = /(?<=[.!?…]["'”’)]?)\s(?!\p{Ll})|(?<=[。！？])/u;

interface Sentence {
  readonly text: string;
  readonly tokens: readonly string[];
  readonly nth: number;
}

/**
 * An extractive summary: the one or two most representative sentences, in text order, at most 240 UTF-16 units; undefined for content up to
 * 600 units and text without sentences. Deterministic.
 */
export function summarize(content: string): string | undefined {
  if (content.length <= LONG_CONTENT) return undefined;
  const sentences = sentencesOf(content.slice(0, READ_CHARS));
  const ranked = rank(sentences);
  const best = ranked[0];
  if (!best) return undefined;
  if (best.text.length > LONGEST_SUMMARY) return shorten(best.text);
  const second = ranked.slice(1, 8).find(({ text }) => text.length + best.text.length + 3 <= LONGEST_SUMMARY);
  if (!second) return best.text;
  const [one, two] = second.nth < best.nth ? [second, best] : [best, second];
  return `${one.text}${two.nth === one.nth + 1 ? ' ' : ' … '}${two.text}`;
}

/**
 * Ranks sentences by the words they share with the rest of the text, divided by the square root of their length, with a bonus near the
 * start.
 */
function rank(sentences: readonly Sentence[]): Sentence[] {
  const counts = new Map<string, number>();
  for (const { tokens } of sentences) for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1);
  const worth = ({ tokens, nth }: Sentence): number => {
    let shared = 0;
    for (const token of tokens) shared += Math.log2(counts.get(token) ?? 1);
    return (shared / Math.sqrt(tokens.length)) * (1 + LEAD_BONUS / (1 + nth));
  };
  const worths = new Map(sentences.map((sentence) => [sentence, worth(sentence)]));
  return sentences.toSorted((a, b) => (worths.get(b) ?? 0) - (worths.get(a) ?? 0) || a.nth - b.nth);
}

function sentencesOf(text: string): Sentence[] {
  const sentences: Sentence[] = [];
  for (const paragraph of paragraphsOf(text)) {
    for (const sentence of paragraph.split(SENTENCE_BORDER)) {
      if (sentence.length < SHORTEST_SENTENCE) continue;
      const tokens = [...new Set(tokenize(sentence))].filter((token) => !isStopWord(token));
      if (tokens.length > 0) sentences.push({ text: sentence, tokens, nth: sentences.length });
    }
  }
  return sentences;
}

/** Joins the lines of each paragraph; a list item is its own paragraph, code is left out. */
function paragraphsOf(text: string): string[] {
  const paragraphs: string[] = [];
  let current = '';
  let inCode = false;
  const flush = (): void => {
    if (current !== '') paragraphs.push(current);
    current = '';
  };
  for (const line of text.split('\n')) {
    const bare = line.trim();
    if (FENCE.test(bare)) inCode = !inCode;
    if (bare === '' || inCode || FENCE.test(bare)) {
      flush();
      continue;
    }
    const unmarked = bare.replace(LINE_MARK, '');
    if (unmarked.length < bare.length) flush();
    const plain = unmarked.replace(/\s+/g, ' ');
    current = current === '' ? plain : `${current} ${plain}`;
  }
  flush();
  return paragraphs;
}

function shorten(sentence: string): string {
  const room = sentence.slice(0, LONGEST_SUMMARY - 1);
  const blank = room.lastIndexOf(' ');
  const cut = blank > LONGEST_SUMMARY / 2 ? room.slice(0, blank) : room.replace(/[\ud800-\udbff]$/, '');
  return `${cut}…`;
}
