/** How a text contains a query: `identical`, `equal` except for case and white space, or as a `phrase` within it. */
export type Sameness = 'identical' | 'equal' | 'phrase';

/** Folds case and white space: NFC, single blanks. */
export function foldText(text: string): string {
  // Both directions: some letters have only one (`ẞ`, the final sigma).
  return text.normalize('NFC').toLowerCase().toUpperCase().normalize('NFC').replaceAll(/\s+/g, ' ').trim();
}

/** Whether a folded text contains a folded phrase at word borders. */
export function containsPhrase(text: string, phrase: string): boolean {
  if (phrase === '') return false;
  for (let at = text.indexOf(phrase); at >= 0; at = text.indexOf(phrase, at + 1)) {
    if (!partsWord(text, at) && !partsWord(text, at + phrase.length)) return true;
  }
  return false;
}

const WORD = /[\p{L}\p{N}\p{M}_]/u;
/** Scripts without blanks between words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー]/u;

function partsWord(text: string, at: number): boolean {
  const sides = [text.slice(Math.max(0, at - 1), at), text.slice(at, at + 1)];
  return sides.every((side) => WORD.test(side) && !UNSPACED.test(side));
}
