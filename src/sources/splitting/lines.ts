import type { Passage } from '../../memory/words/passages.ts';

/** Converts offsets of a text to line numbers. */
export class LineNumbers {
  readonly #starts: readonly number[];

  constructor(text: string) {
    const starts = [0];
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
    this.#starts = starts;
  }

  /** Line of an offset, from 1; offsets in UTF-16 units. */
  at(offset: number): number {
    let [low, high] = [0, this.#starts.length];
    while (low + 1 < high) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  }

  /** First and last line of a non-empty range. */
  span(start: number, end: number): { readonly start: number; readonly end: number } {
    return { start: this.at(start), end: this.at(Math.max(start, end - 1)) };
  }

  /** First and last line of a passage, without surrounding blanks. */
  of({ text, start }: Passage): { readonly start: number; readonly end: number } {
    return this.span(start + text.length - text.trimStart().length, start + text.trimEnd().length);
  }
}
