/** Numbers of one posting: the place of a row, and how often it holds the token. */
const STEP = 2;

/**
 * Postings: rows and frequencies by word, two numbers per word of a row. A removed row leaves its postings behind, so this is only for
 * short-lived rows.
 */
export class Postings<Row extends { readonly searchText: string }> {
  readonly #rows: (Row | undefined)[] = [];
  readonly #places = new Map<Row, number>();
  readonly #tokens = new Map<string, number[]>();

  add(row: Row): void {
    const place = this.#rows.push(row) - 1;
    this.#places.set(row, place);
    if (row.searchText === '') return;
    for (const token of row.searchText.split(' ')) {
      const posting = this.#tokens.get(token);
      if (posting === undefined) this.#tokens.set(token, [place, 1]);
      else if (posting[posting.length - STEP] === place) posting[posting.length - 1]! += 1;
      else posting.push(place, 1);
    }
  }

  remove(row: Row): void {
    const place = this.#places.get(row);
    if (place === undefined) return;
    this.#places.delete(row);
    this.#rows[place] = undefined;
  }

  /** Rows with a token, and its frequency, in the order of their addition. */
  *of(token: string): Generator<readonly [Row, number]> {
    const posting = this.#tokens.get(token) ?? [];
    for (let at = 0; at < posting.length; at += STEP) {
      const row = this.#rows[posting[at]!];
      if (row !== undefined) yield [row, posting[at + 1]!];
    }
  }
}
