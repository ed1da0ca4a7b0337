import type { Log } from '../../memory/log.ts';
import type { Telemetry } from '../../memory/telemetry.ts';
import type { MaintenanceRuns } from '../../memory/maintenance-runs.ts';
import type { FlusherParts } from './flusher.ts';

/** Dependencies of the maintenance of tables. */
export interface CompactorParts extends FlusherParts {
  /** Called with the columns whose broken indexes are rebuilt. */
  readonly onRenewed: (columns: readonly string[]) => void;
  readonly whenCounted: () => Promise<void>;
  /** Number of entries. */
  readonly rows: () => number;
  /** Called with the reason of a failed run. */
  readonly onFailure: (error: unknown) => void;
  readonly log: Log;
  /** Called after every run that wrote or merged something. */
  readonly maintenanceRuns: MaintenanceRuns;
  readonly telemetry: Telemetry;
}
