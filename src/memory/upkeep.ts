/** Kinds of maintenance work. */
export const UPKEEP_KINDS = ['backup', 'compaction', 'optimize', 'migration', 'scrub'] as const;
export type UpkeepKind = (typeof UPKEEP_KINDS)[number];

/** The result of a run, by kind. */
export interface UpkeepResult {
  /** Of a backup: how many entries it holds, and how large it is. Of a migration: how many entries were embedded; of a scrub, compared with their checksums. */
  readonly entries?: number;
  readonly bytes?: number;
  /** Of a compaction. */
  readonly archived?: number;
  readonly purged?: number;
  /** Of an optimization: new rows that went into the table, fragments that were merged, and how many they became. */
  readonly rows?: number;
  readonly fragmentsMerged?: number;
  readonly fragmentsMade?: number;
}

/** One run. */
export interface UpkeepRun {
  readonly kind: UpkeepKind;
  /** When it began, epoch milliseconds. */
  readonly at: number;
  /** How long it took; absent where only its result outlived a restart. */
  readonly ms?: number;
  readonly state: 'done' | 'failed';
  /** Why it failed, in plain words. */
  readonly error?: string;
  readonly result: UpkeepResult;
}

/** The latest runs of each kind: bounded, whatever runs most often. */
export class UpkeepRuns {
  static readonly KEPT = 10;
  readonly #runs = new Map<UpkeepKind, UpkeepRun[]>();

  /** May come in any order. */
  note(run: UpkeepRun): void {
    const runs = [...(this.#runs.get(run.kind) ?? []), run].toSorted((a, b) => b.at - a.at);
    this.#runs.set(run.kind, runs.slice(0, UpkeepRuns.KEPT));
  }

  /** Latest first. */
  all(): UpkeepRun[] {
    return [...this.#runs.values()].flat().toSorted((a, b) => b.at - a.at);
  }
}
