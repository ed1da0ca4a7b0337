/** How a text holds what was asked for: it is the same text letter by letter, the same but for case and white space, or holds it as a whole. */
export type Sameness = 'identical' | 'equal' | 'phrase';

/** In NFC, without upper and lower case, white space folded into single blanks. */
export function foldText(text: string): string {
  // Both directions: some letters have no counterpart in one of them (`ẞ`, the final sigma).
  return text.normalize('NFC').toLowerCase().toUpperCase().normalize('NFC').replaceAll(/\s+/g, ' ').trim();
}

/** Whether a folded text holds a folded phrase that begins and ends where a word does. */
export function holdsPhrase(text: string, phrase: string): boolean {
  if (phrase === '') return false;
  for (let at = text.indexOf(phrase); at >= 0; at = text.indexOf(phrase, at + 1)) {
    if (!partsWord(text, at) && !partsWord(text, at + phrase.length)) return true;
  }
  return false;
}

const WORD = /[\p{L}\p{N}\p{M}_]/u;
/** Scripts in which a run of letters is not one word. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー]/u;

function partsWord(text: string, at: number): boolean {
  const sides = [text.slice(Math.max(0, at - 1), at), text.slice(at, at + 1)];
  return sides.every((side) => WORD.test(side) && !UNSPACED.test(side));
}
