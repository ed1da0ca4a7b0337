import { Lexicon } from './lexicon.ts';
import { Postings } from './postings.ts';
import type { StoredRow } from '../format/rows.ts';

/** Maps and the entry object of one short row. */
const ROW_OVERHEAD_BYTES = 1500;

/**
 * One memtable: rows that are acknowledged and in the log, but not in the table. Vector search scans it (a thousand rows take less than
 * half a millisecond); word search uses postings.
 */
export class Memtable {
  readonly rows = new Map<string, StoredRow>();
  /** Entries whose older version in the table or an older memtable no longer counts: replaced here, or removed. */
  readonly outdatedIds = new Set<string>();
  readonly words = new Lexicon();
  readonly #postings = new Postings<StoredRow>();
  #bytes = 0;
  #textLength = 0;

  /** Approximate size of its writes, in memory and in the log; repeated writes of a row count each time. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Mean length of the search texts, UTF-16 units. */
  get meanTextLength(): number {
    return this.#textLength / Math.max(1, this.rows.size);
  }

  get isEmpty(): boolean {
    return this.rows.size === 0 && this.outdatedIds.size === 0;
  }

  /** Adds a row. `replaces`: an older version may exist elsewhere. */
  put(row: StoredRow, replaces: boolean): void {
    const { id } = row.entry;
    const older = this.rows.get(id);
    if (older !== undefined) this.#unlearn(older);
    else if (replaces) this.outdatedIds.add(id);
    this.rows.set(id, row);
    this.words.add(row.searchText);
    this.#bytes += bytesOf(row);
    this.#textLength += row.searchText.length;
    this.#postings.add(row);
  }

  remove(id: string): void {
    const row = this.rows.get(id);
    if (row === undefined) this.outdatedIds.add(id);
    else {
      this.#unlearn(row);
      this.rows.delete(id);
    }
  }

  /** Rows with a token, and its frequency. */
  holding(token: string): Iterable<readonly [StoredRow, number]> {
    return this.#postings.of(token);
  }

  /** Whether older memtables and the table are out of date for this entry. */
  hides(id: string): boolean {
    return this.rows.has(id) || this.outdatedIds.has(id);
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
 * All memtables: the active one, and the frozen ones that are being flushed. Every read uses them in addition to the table.
 */
export class Memtables {
  #all: readonly [Memtable, ...Memtable[]] = [new Memtable()];

  /**
   * Memtables, newest first. A search takes these before it queries the table, so that it misses no row that is flushed in the meantime.
   */
  get all(): readonly Memtable[] {
    return this.#all;
  }

  get active(): Memtable {
    return this.#all[0];
  }

  get size(): number {
    return this.all.reduce((sum, { rows }) => sum + rows.size, 0);
  }

  get bytes(): number {
    return this.all.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** The current row, or undefined if it is only in the table or does not exist. */
  get(id: string): StoredRow | undefined {
    for (const memtable of this.#all) {
      const row = memtable.rows.get(id);
      if (row !== undefined || memtable.outdatedIds.has(id)) return row;
    }
    return undefined;
  }

  /** Freezes the active memtable and starts a new one. */
  freeze(): Memtable {
    const frozen = this.active;
    this.#all = [new Memtable(), ...this.#all];
    return frozen;
  }

  /** Drops these frozen memtables, which are in the table now. */
  drop(written: readonly Memtable[]): void {
    const [active, ...frozen] = this.#all;
    this.#all = [active, ...frozen.filter((memtable) => !written.includes(memtable))];
  }
}

/** Rows of these memtables, newest first, each in its newest version. */
export function* newestRows(memtables: readonly Memtable[]): Generator<StoredRow> {
  for (const [nth, memtable] of memtables.entries()) {
    const newer = memtables.slice(0, nth);
    for (const row of memtable.rows.values()) if (nth === 0 || !isHidden(newer, row.entry.id)) yield row;
  }
}

/** Whether these memtables hide older versions of this entry. */
export const isHidden = (memtables: readonly Memtable[], id: string): boolean => memtables.some((memtable) => memtable.hides(id));
