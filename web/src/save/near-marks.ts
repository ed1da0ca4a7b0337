import type { Hit } from '../api/responses.ts';
import { shortened } from '../parts/plain-text.ts';
import { piecesOf, type Marker } from '../parts/marked.tsx';

const LEAD_CHARS = 80;
const LETTER = '[\\p{L}\\p{M}\\p{N}_]';

/** Marks what a memory says differently, or the repeated sentences. */
export function markerOf({ differs = [], repeats = [] }: Pick<Hit, 'differs' | 'repeats'>): Marker {
  const sought = [...differs.map(({ there }) => there), ...repeats].flatMap(wordsOf);
  return (text) => {
    const spans = sought.flatMap((words) => spanOf(text, words));
    return piecesOf(
      text,
      spans.toSorted((a, b) => a[0] - b[0]),
    );
  };
}

/** The part of a text around the first mark, up to a length. */
export function partOf(text: string, marker: Marker, most: number): string {
  const first = marker(text).find(({ marked }) => marked)?.start ?? 0;
  if (first < most - LEAD_CHARS) return shortened(text, most);
  const start = text.indexOf(' ', first - LEAD_CHARS) + 1;
  return `… ${shortened(text.slice(start > 0 && start <= first ? start : first), most)}`;
}

const wordsOf = (said: string): string[][] => {
  const words = said.match(/[^\s,;:.!?"'()`*_]+(?:[.:'][^\s,;:.!?"'()`*_]+)*/g) ?? [];
  return words.length === 0 ? [] : [words];
};

/** Matches these words in sequence with anything but letters between them. */
function spanOf(text: string, words: readonly string[]): readonly (readonly [number, number])[] {
  const between = `[^\\p{L}\\p{N}]+`;
  const pattern = words.map((word) => word.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')).join(between);
  const match = new RegExp(`(?<!${LETTER})${pattern}(?!${LETTER})`, 'iu').exec(text);
  return match ? [[match.index, match.index + match[0].length]] : [];
}
