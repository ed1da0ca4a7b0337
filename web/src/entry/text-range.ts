/** A range of a text: `text.slice(start, end)`. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}
