import { z } from 'zod';
import type { Result } from './result.ts';
import { Time } from './timestamp.ts';

/** Kinds of maintenance work. */
const MAINTENANCE_KINDS = ['backup', 'compaction', 'optimize', 'migration', 'scrub'] as const;
export type MaintenanceKind = (typeof MAINTENANCE_KINDS)[number];

const count = z.int().min(0);

/** One maintenance run. */
export const MaintenanceRun = z
  .object({
    kind: z.enum(MAINTENANCE_KINDS),
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
  .meta({ id: 'MaintenanceRun' });
export type MaintenanceRun = Result<typeof MaintenanceRun>;
/** The result of a run, by kind. */
export type MaintenanceResult = MaintenanceRun['result'];

/** The latest runs of each kind, bounded per kind. */
export class MaintenanceRuns {
  static readonly KEPT = 10;
  readonly #runs = new Map<MaintenanceKind, MaintenanceRun[]>();

  /** Adds a run, in any order. */
  note(run: MaintenanceRun): void {
    const runs = [...(this.#runs.get(run.kind) ?? []), run].toSorted((a, b) => b.at - a.at);
    this.#runs.set(run.kind, runs.slice(0, MaintenanceRuns.KEPT));
  }

  /** Latest first. */
  all(): MaintenanceRun[] {
    return [...this.#runs.values()].flat().toSorted((a, b) => b.at - a.at);
  }
}
