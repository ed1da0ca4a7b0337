import type { SearchMode } from '../memory/entry.ts';
import type { SettingOperations } from '../memory/operations/administration.ts';
import type { KeyOperations } from '../memory/operations/key-operations.ts';
import type { BackupLocation } from '../store/backends/backup-locations.ts';
import type { CaptureSettings } from './capture/capture.ts';
import type { CompactionRules } from './lifecycle/compaction-plan.ts';
import type { PassageSettings } from './changes/drafting.ts';
import type { Weights } from './recall/fusion.ts';
import type { PriorWeights } from './recall/priors.ts';
import type { RedactSecrets } from './secrets.ts';
import type { WriteLimits } from './write-limiter.ts';

/** Settings of the service, from the configuration and the environment. */
export interface ServiceSettings {
  /** Namespace of requests that name none. */
  readonly namespace: string;
  readonly defaultMode: SearchMode;
  readonly defaultLimit: number;
  readonly maxLimit: number;
  /** Configured weights. */
  readonly weights: Partial<Weights>;
  readonly priors: PriorWeights;
  readonly passages: PassageSettings;
  /** Similarity of the words from which two entries count as near duplicates. */
  readonly similarFrom: number;
  readonly redactSecrets: RedactSecrets;
  /** Longest line of an import, bytes. */
  readonly maxLineBytes: number;
  /** Limit of writes in progress. */
  readonly writes: WriteLimits;
  readonly capture: CaptureSettings;
  readonly compaction: CompactionRules;
  readonly version: string;
  /** Time in which every entry is compared with its checksum once, in the background; 0 for never. */
  readonly scrubIntervalMs: number;
  /** Whether missing vectors, and those of a stand-in model, are computed in the background. */
  readonly background: boolean;
  /** No `place` if the store cannot have backups. */
  readonly backups: { readonly place: BackupLocation | undefined; readonly intervalMs: number };
  /** The API keys of the server. */
  readonly keys: KeyOperations;
  /** The settings of the server. */
  readonly settings: SettingOperations;
  /** Further problems as sentences; without `counts`, without numbers. */
  readonly alarms?: (what: { readonly counts: boolean }) => readonly string[];
}
