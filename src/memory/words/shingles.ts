/** Words per shingle; one shared shingle identifies the source text. */
const WIDTH = 5;
/** A word; in scripts without blanks, a letter. */
const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{M}\p{N}]+/gu;
const CUT_END = /(?:…|\.\.\.)\s*["'”’)\]]*\s*$/u;
/** The prefix of an entry in output: score, date, tags in brackets. */
const LABEL = /^[\s>*•"'“«-]*(?:[01]\.\d\d\s+)?(?:\[\d{4}-\d\d-\d\d[^\]\n]{0,100}\]|\d{4}-\d\d-\d\d(?:\s\[[^\]\n]{0,200}\])?)?\s*/u;
/** Words that only introduce a quote. */
const FRAMING: ReadonlySet<string> = new Set(
  (
    'a according agreed already also and as at before by context decided decision earlier entry established for found from got has have here i in ' +
    'is it its known lore me memories memory mentioned my note noted notes of ok okay on our per previously project recall recalled record ' +
    'recorded remember remembered right said saved says see shows so stated store stored tells that the there these this to told us was we ' +
    'what which with yes you your'
  ).split(' '),
);

/** The words of a text in lower case, without punctuation and layout. */
export function bareWords(text: string): string[] {
  return text.normalize('NFKC').toLowerCase().match(WORD) ?? [];
}

/** Hashes of each run of five words, or one of all words of a shorter text. Equal runs have equal hashes. */
export function shinglesOf(words: readonly string[]): number[] {
  if (words.length === 0) return [];
  const width = Math.min(WIDTH, words.length);
  const hashes = words.map(hashOf);
  return Array.from({ length: words.length - width + 1 }, (_, start) => {
    let mixed = width;
    for (let at = start; at < start + width; at++) mixed = (Math.imul(mixed, 0x01000193) ^ hashes[at]!) | 0;
    return mixed;
  });
}

/**
 * Whether a text contains only what is in known texts: whole, cut, quoted, reflowed or with an introduction. Another word within or after
 * it makes it a new text, because it may say the opposite.
 */
export function isKnownText(text: string, known: { has(shingle: number): boolean }): boolean {
  const words = bareWords(text.replace(LABEL, ''));
  const shingles = shinglesOf(words);
  const covered = words.map(() => false);
  const width = Math.min(WIDTH, words.length);
  for (const [start, shingle] of shingles.entries()) {
    if (known.has(shingle)) covered.fill(true, start, start + width);
  }
  const [first, last] = [covered.indexOf(true), covered.lastIndexOf(true)];
  if (first === -1) return false;
  // The last word before an ellipsis may be cut.
  const end = CUT_END.test(text) ? words.length - 1 : words.length;
  return words.every((word, at) => covered[at] || ((at < first || at > last) && (FRAMING.has(word) || (at === end && at > 0))));
}

/** FNV-1a, 32 bits. */
function hashOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  return hash | 0;
}
