/** A range of a text: `text.slice(start, end)`. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}
