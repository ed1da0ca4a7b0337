import type { Log } from '../../memory/log.ts';
import type { Telemetry } from '../../memory/telemetry.ts';
import type { UpkeepRuns } from '../../memory/upkeep.ts';
import type { CourseParts } from './flusher.ts';

/** What looking after the tables needs. */
export interface MaintenanceParts extends CourseParts {
  /** Told of the columns whose indexes were broken and are built again. */
  readonly onRenewed: (columns: readonly string[]) => void;
  readonly whenCounted: () => Promise<void>;
  /** Entries in all. */
  readonly rows: () => number;
  /** Told why a run was given up. */
  readonly onFailure: (error: unknown) => void;
  readonly log: Log;
  /** Told of every run that wrote or merged something. */
  readonly upkeep: UpkeepRuns;
  readonly telemetry: Telemetry;
}
