import { Lexicon } from './lexicon.ts';
import { Postings } from './postings.ts';
import type { StoredRow } from '../format/rows.ts';

/** Maps and the entry object of one short row. */
const ROW_OVERHEAD_BYTES = 1500;

/**
 * Rows of one generation: acknowledged, in the journal, not yet in the table. Searched by looking at each (a thousand cost less than
 * half a millisecond) and, for words, through postings.
 */
export class FreshRows {
  readonly rows = new Map<string, StoredRow>();
  /** Entries of which the table or an older generation holds a version that no longer counts: replaced here, or removed. */
  readonly shadows = new Set<string>();
  readonly words = new Lexicon();
  readonly #postings = new Postings<StoredRow>();
  #bytes = 0;
  #textLength = 0;

  /** About what its writes have taken, in memory and in the journal: a row that is written again and again counts each time. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Mean length of the search texts, UTF-16 units. */
  get meanTextLength(): number {
    return this.#textLength / Math.max(1, this.rows.size);
  }

  get isEmpty(): boolean {
    return this.rows.size === 0 && this.shadows.size === 0;
  }

  /** `replaces`: an older version may be elsewhere. */
  put(row: StoredRow, replaces: boolean): void {
    const { id } = row.entry;
    const older = this.rows.get(id);
    if (older !== undefined) this.#unlearn(older);
    else if (replaces) this.shadows.add(id);
    this.rows.set(id, row);
    this.words.add(row.searchText);
    this.#bytes += bytesOf(row);
    this.#textLength += row.searchText.length;
    this.#postings.add(row);
  }

  remove(id: string): void {
    const row = this.rows.get(id);
    if (row === undefined) this.shadows.add(id);
    else {
      this.#unlearn(row);
      this.rows.delete(id);
    }
  }

  /** Rows that hold a token, with how often. */
  holding(token: string): Iterable<readonly [StoredRow, number]> {
    return this.#postings.of(token);
  }

  /** Whether what older generations and the table say of this entry is out of date. */
  hides(id: string): boolean {
    return this.rows.has(id) || this.shadows.has(id);
  }

  #unlearn(row: StoredRow): void {
    this.words.remove(row.searchText);
    this.#textLength -= row.searchText.length;
    this.#postings.remove(row);
  }
}

function bytesOf({ entry, searchText, vectors }: StoredRow): number {
  const numbers = vectors === undefined ? 0 : vectors.first.length * (1 + vectors.further.length);
  return ROW_OVERHEAD_BYTES + 2 * entry.content.length + 4 * searchText.length + 4 * numbers;
}

/**
 * The rows that are not in the table yet, in generations: the one that grows, and those before it while they are being written to the table.
 * All are looked at by every read, beside the table as the reader has it.
 */
export class Fresh {
  #generations: readonly [FreshRows, ...FreshRows[]] = [new FreshRows()];

  /** Newest first. A search takes these before it asks the table, so that it misses no row that moves there meanwhile. */
  get generations(): readonly FreshRows[] {
    return this.#generations;
  }

  get growing(): FreshRows {
    return this.#generations[0];
  }

  get size(): number {
    return this.generations.reduce((sum, { rows }) => sum + rows.size, 0);
  }

  get bytes(): number {
    return this.generations.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** The row as it stands now, or undefined where the table has it (or nobody). */
  get(id: string): StoredRow | undefined {
    for (const generation of this.#generations) {
      const row = generation.rows.get(id);
      if (row !== undefined || generation.shadows.has(id)) return row;
    }
    return undefined;
  }

  /** Closes the growing generation and begins another. */
  seal(): FreshRows {
    const sealed = this.growing;
    this.#generations = [new FreshRows(), ...this.#generations];
    return sealed;
  }

  /** The table has these, which were sealed. */
  drop(written: readonly FreshRows[]): void {
    const [growing, ...sealed] = this.#generations;
    this.#generations = [growing, ...sealed.filter((generation) => !written.includes(generation))];
  }
}

/** Rows of these generations, newest first, each in its newest version. */
export function* newestRows(generations: readonly FreshRows[]): Generator<StoredRow> {
  for (const [nth, generation] of generations.entries()) {
    const newer = generations.slice(0, nth);
    for (const [id, row] of generation.rows) if (!isHidden(newer, id)) yield row;
  }
}

/** Whether what is older than these generations says nothing of this entry any more. */
export const isHidden = (generations: readonly FreshRows[], id: string): boolean => generations.some((generation) => generation.hides(id));
