import { z } from 'zod';
import type { Result } from './result.ts';
import { Time } from './timestamp.ts';

/** Kinds of maintenance work. */
const UPKEEP_KINDS = ['backup', 'compaction', 'optimize', 'migration', 'scrub'] as const;
export type UpkeepKind = (typeof UPKEEP_KINDS)[number];

const count = z.int().min(0);

/** One maintenance run. */
export const UpkeepRun = z
  .object({
    kind: z.enum(UPKEEP_KINDS),
    at: Time,
    ms: count.exactOptional().meta({ description: 'Duration; absent for a run before a restart if only its result is known.' }),
    state: z.enum(['done', 'failed']),
    error: z.string().exactOptional(),
    result: z.object({
      entries: count.exactOptional().meta({ description: 'For a backup: entries in it. For a migration: entries re-embedded.' }),
      bytes: count.exactOptional(),
      archived: count.exactOptional(),
      purged: count.exactOptional(),
      rows: count.exactOptional().meta({ description: 'For an optimization: new rows written to the table.' }),
      fragmentsMerged: count.exactOptional(),
      fragmentsMade: count.exactOptional(),
    }),
  })
  .meta({ id: 'UpkeepRun' });
export type UpkeepRun = Result<typeof UpkeepRun>;
/** The result of a run, by kind. */
export type UpkeepResult = UpkeepRun['result'];

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
