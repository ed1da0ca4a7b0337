import type { Fresh } from '../memtable/memtable.ts';
import type { SideTables } from '../tables/auxiliary-tables.ts';
import type { PlaceTables } from '../tables/backend-tables.ts';

/**
 * What waits for the table before it is written there. A thousand rows cost a search by vector about half a millisecond; writing them costs
 * a second of work among 100,000, most of it the same however many they are, so a large store waits for more.
 */
const HARD = { rows: 1024, shadows: 256, bytes: 16 * 1024 * 1024 };
const HARD_SHARE = 1 / 32;
/** Each takes a place among the hits of the table, so a search asks for so many more. */
const MAX_SHADOWS = 512;
/**
 * From here, or a share of the rows up to what does not wait for it, a quiet moment is used. Fewer rows stay in the journal: writing them costs the same
 * as writing many, and more the larger the store is.
 */
const SOFT = { rows: 256, shadows: 64, bytes: 4 * 1024 * 1024 };
const SOFT_SHARE = 1 / 16;
/** Where a service keeps the table: what is on this machine alone is written as soon as there is a quiet moment. */
const ANY = { rows: 1, shadows: 1, bytes: SOFT.bytes };
/** Writers wait while so much more has come during one run, or as much as a run is worth in a large store. */
const FULL = { rows: 16_384, bytes: 128 * 1024 * 1024 };
/** Relations and other records beside the entries are small, and go into tables of their own, where writing costs little. */
const SIDE_RECORDS_A_ROW = 16;
/** What a row may take where many wait. */
const ROW_BYTES = FULL.bytes / FULL.rows;
/** Of what makes writers wait: as much may come while it is written. */
const HARD_BYTES_SHARE = 1 / 2;

interface Parts {
  readonly tables: Pick<PlaceTables, 'areManaged'>;
  readonly fresh: Fresh;
  readonly sides: Pick<SideTables, 'waiting'>;
  /** Entries in all. */
  readonly rows: () => number;
}

/** The flush policy: what is waiting to be flushed, and what to do about it. */
export class Backlog {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Whether to flush in a quiet moment. */
  get isDue(): boolean {
    if (this.#parts.tables.areManaged) return this.#holds(ANY);
    const rows = Math.max(SOFT.rows, Math.min(Math.round(this.#parts.rows() * SOFT_SHARE), HARD.rows));
    return this.#holds({ ...SOFT, rows, bytes: Math.max(SOFT.bytes, rows * ROW_BYTES) });
  }

  /** Whether to flush at once. */
  get isUrgent(): boolean {
    const share = this.#share;
    return this.#holds({
      rows: Math.max(HARD.rows, share),
      shadows: Math.max(HARD.shadows, Math.min(MAX_SHADOWS, share)),
      bytes: Math.max(HARD.bytes, Math.min(share * ROW_BYTES, this.#fullBytes * HARD_BYTES_SHARE)),
    });
  }

  /** Whether writers have to wait. */
  get isFull(): boolean {
    return this.#holds({ rows: this.#fullRows, bytes: this.#fullBytes });
  }

  get #fullRows(): number {
    return Math.max(FULL.rows, this.#share);
  }

  get #fullBytes(): number {
    return this.#fullRows * ROW_BYTES;
  }

  /** Rows that are worth a run. */
  get #share(): number {
    return Math.round(this.#parts.rows() * HARD_SHARE);
  }

  #holds(measure: { rows: number; shadows?: number; bytes: number }): boolean {
    const { growing, bytes } = this.#parts.fresh;
    return (
      growing.rows.size + Math.ceil(this.#parts.sides.waiting / SIDE_RECORDS_A_ROW) >= measure.rows ||
      growing.shadows.size >= (measure.shadows ?? Infinity) ||
      bytes >= measure.bytes
    );
  }
}
