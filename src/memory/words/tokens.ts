/**
 * The tokenizer of the keyword index, of queries and of the builtin embedder, so that all three agree. Folding, splitting and stemming
 * happen only here; the index itself splits at blanks.
 */
import { stemmer } from 'stemmer';
import { isSense, sensesIn } from './exact-senses.ts';
import { IRREGULAR } from './irregular.ts';
import { RecentMap } from '../recent-map.ts';
import { STOP_WORDS } from './stop-words.ts';

/** Maximum token length in UTF-16 units, at most 192 bytes of UTF-8. Longer words are cut, in the index and in queries. */
export const MAX_TOKEN_CHARS = 64;
/** Maximum number of query words: more do not improve the result. */
export const MAX_QUERY_TOKENS = 256;

/** Text is processed in blocks of this many UTF-16 units, so that a server can handle other requests between them. */
const BLOCK_CHARS = 65_536;
/** How far back from the end of a block to look for a blank before a word is cut. */
const BLOCK_SLACK = 1024;
/** Maximum length of a stemmed word; longer ones are not English. */
const MAX_STEM_CHARS = 32;
const CACHED_WORDS = 20_000;

/** Raw words: separated by blanks and by signs that neither are nor join words. */
const RAW_WORD = /[^\s!"$%&()*,;<=>?[\]^`{|}]+/g;
const JOINER = /[._\-/:@#+~'\\]/;
/** A compound (words joined by one sign each), a flag, or a picture. No part can match in two ways: linear time. */
const UNIT =
  /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:[._\-/:@#+~'\\][\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*(?:\+\+|#)?|\p{Regional_Indicator}{2}|\p{Extended_Pictographic}/gu;
/** Scripts without blanks between words: indexed by pairs of characters. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー]/u;
const SCRIPT_RUN = new RegExp(`(${UNSPACED.source}+)|(?:(?!${UNSPACED.source}).)+`, 'gu');
const CAMEL_BORDER = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
/** `APIs`, `URLs`: a plural, not two words. */
const PLURAL_ACRONYM = /^\p{Lu}{2,}s$/u;
/** A word of small ASCII letters, or one capital and small letters: it is one unit, and has no parts. */
const PLAIN_WORD = /^([A-Z]?[a-z]+)[.:]?$/;
const ASCII = /^[\x20-\x7e]*$/;
const LETTERS = /^[a-z]+$/;
/** Accents of Latin, Greek and Cyrillic, points of Hebrew and Arabic. Marks of other scripts are part of the letter and stay. */
const ACCENTS = /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670]/g;
/** Letters that Unicode does not decompose, with their common plain spelling. */
const FOLDED_LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ẞ: 'SS',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  þ: 'th',
  Þ: 'TH',
  ı: 'i',
  ς: 'σ',
  '’': "'",
  ʼ: "'",
};
const FOLDABLE = new RegExp(`[${Object.keys(FOLDED_LETTERS).join('')}]`, 'g');
/** Clitics are dropped: `it's`, `we're`. `don't` stays whole. */
const CLITIC = /'(?:s|re|ll|ve|d|m)$/i;
const NEGATION = /^\p{L}+n't$/iu;

const remembered = new RecentMap<string, readonly string[]>(CACHED_WORDS);

/**
 * The tokens of a text, in order: each word folded, lower-cased and stemmed; a compound (`foo_bar.ts`) or camelCase word whole, then its
 * parts; Chinese, Japanese and Korean as pairs of characters; emoji. Tokens are not empty and contain no blank. Linear in the text.
 */
export function tokenize(text: string): string[] {
  const tokens: string[] = [];
  for (const block of blocksOf(text)) addTokens(block, tokens);
  return tokens;
}

/**
 * The text of the full-text column: the tokens of the content, then of the tags, in order and with repetitions, separated by single blanks;
 * then the senses of ambiguous words (exact-senses.ts). Yields to the event loop between blocks of about 64 KB, so that a long text does
 * not block a server.
 */
export async function searchText(content: string, tags: readonly string[]): Promise<string> {
  const tokens: string[] = [];
  const senses: string[] = [];
  let first = true;
  for (const block of blocksOf([content, ...tags].join('\n'))) {
    if (!first) await new Promise((resolve) => setImmediate(resolve));
    first = false;
    addTokens(block, tokens);
    for (const sense of sensesIn(block)) senses.push(sense);
  }
  return [...tokens, ...senses].join(' ');
}

/** The distinct words of a query, in order, at most 256; without stop words, unless it has no others. */
export function queryTokens(query: string): string[] {
  const tokens = [...new Set(tokenize(query))];
  const telling = tokens.filter((token) => !isStopWord(token));
  return (telling.length > 0 ? telling : tokens).slice(0, MAX_QUERY_TOKENS);
}

/** Whether a token is a stop word or a sense. */
export function isStopWord(token: string): boolean {
  return stopTokens.has(token) || isSense(token);
}

function* blocksOf(text: string): Generator<string> {
  let start = 0;
  while (text.length - start > BLOCK_CHARS) {
    const end = blockEnd(text, start + BLOCK_CHARS);
    yield text.slice(start, end);
    start = end;
  }
  yield text.slice(start);
}

function blockEnd(text: string, limit: number): number {
  for (let at = limit; at > limit - BLOCK_SLACK; at--) {
    if (text.charCodeAt(at) <= 0x20) return at;
  }
  return isLowSurrogate(text, limit) ? limit - 1 : limit;
}

function addTokens(block: string, tokens: string[]): void {
  for (const raw of block.match(RAW_WORD) ?? []) {
    for (const token of tokensOfWord(raw)) tokens.push(token);
  }
}

function tokensOfWord(raw: string): readonly string[] {
  if (raw.length > MAX_TOKEN_CHARS) return splitWord(raw, tokensOfUnit);
  const known = remembered.get(raw);
  if (known) return known;
  // A slice keeps the whole text in memory: cache a slice of a short copy instead.
  const own = ` ${raw}`.slice(1);
  const [, plain] = PLAIN_WORD.exec(own) ?? [];
  const tokens = plain === undefined ? splitWord(own, splitUnit) : [stem(plain.toLowerCase())];
  remembered.set(own, tokens);
  return tokens;
}

function tokensOfUnit(unit: string): readonly string[] {
  return unit.length > MAX_TOKEN_CHARS ? splitUnit(unit) : tokensOfWord(unit);
}

function splitWord(raw: string, split: (unit: string) => readonly string[]): string[] {
  const tokens: string[] = [];
  for (const unit of fold(raw).match(UNIT) ?? []) for (const token of split(unit)) tokens.push(token);
  return tokens;
}

function splitUnit(unit: string): string[] {
  const tokens: string[] = [];
  const language = unit.endsWith('#') || unit.endsWith('++');
  if (language && unit.length <= 3) tokens.push(unit.toLowerCase());
  const compound = (language ? unit.replace(/[+#]+$/, '') : unit).replace(CLITIC, '');
  if (NEGATION.test(compound)) {
    tokens.push(cut(compound.toLowerCase()));
    return tokens;
  }
  const words = compound.split(JOINER);
  if (words.length > 1 && compound.length <= MAX_TOKEN_CHARS && !UNSPACED.test(compound)) tokens.push(cut(compound.toLowerCase()));
  for (const word of words) addWord(word, tokens);
  return tokens;
}

function addWord(word: string, tokens: string[]): void {
  if (ASCII.test(word) || !UNSPACED.test(word)) {
    addSpacedWord(word, tokens);
    return;
  }
  for (const [run, unspaced] of word.matchAll(SCRIPT_RUN)) {
    if (unspaced === undefined) addSpacedWord(run, tokens);
    else addPairs(run, tokens);
  }
}

function addPairs(run: string, tokens: string[]): void {
  const characters = Array.from(run);
  if (characters.length === 1) tokens.push(run);
  for (let at = 1; at < characters.length; at++) tokens.push(`${characters[at - 1]}${characters[at]}`);
}

function addSpacedWord(word: string, tokens: string[]): void {
  tokens.push(stem(word.toLowerCase()));
  if (word.length > MAX_TOKEN_CHARS || PLURAL_ACRONYM.test(word)) return;
  const parts = word.split(CAMEL_BORDER);
  if (parts.length > 1) for (const part of parts) tokens.push(stem(part.toLowerCase()));
}

function stem(word: string): string {
  const base = IRREGULAR.get(word) ?? word;
  if (base.length <= 3 || base.length > MAX_STEM_CHARS || !LETTERS.test(base)) return cut(base);
  return stemmer(base);
}

function fold(raw: string): string {
  if (ASCII.test(raw)) return raw;
  const plain = raw.normalize('NFKC').normalize('NFD').replace(ACCENTS, '').normalize('NFC');
  return plain.replace(FOLDABLE, (letter) => FOLDED_LETTERS[letter] ?? letter);
}

function cut(word: string): string {
  if (word.length <= MAX_TOKEN_CHARS) return word;
  return word.slice(0, isLowSurrogate(word, MAX_TOKEN_CHARS) ? MAX_TOKEN_CHARS - 1 : MAX_TOKEN_CHARS);
}

function isLowSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff;
}

const stopTokens: ReadonlySet<string> = new Set(STOP_WORDS.flatMap((word) => splitWord(word, splitUnit)));
