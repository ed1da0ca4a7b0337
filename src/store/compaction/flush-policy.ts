import type { Memtables } from '../memtable/memtable.ts';
import type { AuxiliaryTables } from '../tables/auxiliary-tables.ts';
import type { TableAbilities } from '../tables/backend-tables.ts';

/**
 * Number of waiting rows that triggers a flush. A thousand waiting rows cost a vector search about half a millisecond; flushing costs a
 * second of work among 100,000, mostly independent of the number, so a large store waits for more.
 */
const HARD = { rows: 1024, outdated: 256, bytes: 16 * 1024 * 1024 };
const HARD_SHARE = 1 / 32;
/** Each waiting row may hide one hit of the table, so a search requests that many more. */
const MAX_OUTDATED = 512;
/**
 * From this number, or a share of the trigger, a quiet moment is used. Fewer rows stay in the log: writing few costs about as much as
 * writing many, and more in a larger store.
 */
const SOFT = { rows: 256, outdated: 64, bytes: 4 * 1024 * 1024 };
const SOFT_SHARE = 1 / 16;
/** For tables in a service: rows that exist only on this machine are flushed as soon as there is a quiet moment. */
const ANY = { rows: 1, outdated: 1, bytes: SOFT.bytes };
/** Writers wait if this many more rows arrive during one run, or as many as justify a run in a large store. */
const FULL = { rows: 16_384, bytes: 128 * 1024 * 1024 };
/** Relations and other auxiliary records are small, and have their own tables, where writing costs little. */
const AUXILIARY_RECORDS_A_ROW = 16;
/** Expected size of a row when many are waiting. */
const ROW_BYTES = FULL.bytes / FULL.rows;
/** Share of the limit for writers that may arrive during a flush. */
const HARD_BYTES_SHARE = 1 / 2;

interface Parts {
  readonly tables: { readonly abilities: Pick<TableAbilities, 'compaction'> };
  readonly memtables: Memtables;
  readonly auxiliary: Pick<AuxiliaryTables, 'waiting'>;
  /** Number of entries. */
  readonly rows: () => number;
}

/** The flush policy: what is waiting to be flushed, and what to do about it. */
export class FlushPolicy {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Whether to flush in a quiet moment. */
  get isDue(): boolean {
    if (!this.#parts.tables.abilities.compaction) return this.#holds(ANY);
    const rows = Math.max(SOFT.rows, Math.min(Math.round(this.#parts.rows() * SOFT_SHARE), HARD.rows));
    return this.#holds({ ...SOFT, rows, bytes: Math.max(SOFT.bytes, rows * ROW_BYTES) });
  }

  /** Whether to flush at once. */
  get isUrgent(): boolean {
    const share = this.#share;
    return this.#holds({
      rows: Math.max(HARD.rows, share),
      outdated: Math.max(HARD.outdated, Math.min(MAX_OUTDATED, share)),
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

  /** Number of rows that justifies a run. */
  get #share(): number {
    return Math.round(this.#parts.rows() * HARD_SHARE);
  }

  #holds(measure: { rows: number; outdated?: number; bytes: number }): boolean {
    const { active, bytes } = this.#parts.memtables;
    return (
      active.rows.size + Math.ceil(this.#parts.auxiliary.waiting / AUXILIARY_RECORDS_A_ROW) >= measure.rows ||
      active.outdatedIds.size >= (measure.outdated ?? Infinity) ||
      bytes >= measure.bytes
    );
  }
}
