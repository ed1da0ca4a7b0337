/** Kinds of maintenance work. */
export const UPKEEP_KINDS = ['backup', 'compaction', 'optimize', 'migration', 'scrub'] as const;
export type UpkeepKind = (typeof UPKEEP_KINDS)[number];

/** The result of a run, by kind. */
export interface UpkeepResult {
  /** Backup: number and size of its entries. Migration: entries embedded. Scrub: entries compared with their checksums. */
  readonly entries?: number;
  readonly bytes?: number;
  /** Compaction. */
  readonly archived?: number;
  readonly purged?: number;
  /** Optimization: rows flushed to the table, fragments merged, fragments written. */
  readonly rows?: number;
  readonly fragmentsMerged?: number;
  readonly fragmentsMade?: number;
}

/** One maintenance run. */
export interface UpkeepRun {
  readonly kind: UpkeepKind;
  /** Start, epoch milliseconds. */
  readonly at: number;
  /** Duration in milliseconds; absent for runs before a restart. */
  readonly ms?: number;
  readonly state: 'done' | 'failed';
  /** Why it failed, in plain words. */
  readonly error?: string;
  readonly result: UpkeepResult;
}

/** The latest runs of each kind, bounded per kind. */
export class UpkeepRuns {
  static readonly KEPT = 10;
  readonly #runs = new Map<UpkeepKind, UpkeepRun[]>();

  /** Adds a run, in any order. */
  note(run: UpkeepRun): void {
    const runs = [...(this.#runs.get(run.kind) ?? []), run].toSorted((a, b) => b.at - a.at);
    this.#runs.set(run.kind, runs.slice(0, UpkeepRuns.KEPT));
  }

  /** Latest first. */
  all(): UpkeepRun[] {
    return [...this.#runs.values()].flat().toSorted((a, b) => b.at - a.at);
  }
}
