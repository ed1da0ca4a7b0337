import type { SearchMode } from '../memory/entry.ts';
import type { SettingOperations } from '../memory/operations/administration.ts';
import type { KeyOperations } from '../memory/operations/key-operations.ts';
import type { BackupPlace } from '../store/backends/backup-places.ts';
import type { CaptureSettings } from './capture/capture.ts';
import type { CompactionRules } from './lifecycle/compaction-plan.ts';
import type { PassageSettings } from './changes/drafting.ts';
import type { Weights } from './recall/fusion.ts';
import type { PriorWeights } from './recall/priors.ts';
import type { RedactSecrets } from './secrets.ts';
import type { WriteLimits } from './write-room.ts';

/** What the service reads of the configuration, and of where it runs. */
export interface ServiceSettings {
  /** Where entries go and come from when a request names no namespace. */
  readonly namespace: string;
  readonly defaultMode: SearchMode;
  readonly defaultLimit: number;
  readonly maxLimit: number;
  /** Those that the configuration sets. */
  readonly weights: Partial<Weights>;
  readonly priors: PriorWeights;
  readonly passages: PassageSettings;
  /** Similarity of the words from which two entries count as near duplicates. */
  readonly similarFrom: number;
  readonly redactSecrets: RedactSecrets;
  /** Longest line of an import, bytes. */
  readonly maxLineBytes: number;
  /** How much may be under way to the store at once. */
  readonly writes: WriteLimits;
  readonly capture: CaptureSettings;
  readonly compaction: CompactionRules;
  readonly version: string;
  /** In which time every entry is compared with its checksum once, in the background; 0 for never. */
  readonly scrubIntervalMs: number;
  /** Whether vectors that are missing or of a stand-in are made in the background. */
  readonly background: boolean;
  /** No `place` for a store of which no backups can be made. */
  readonly backups: { readonly place: BackupPlace | undefined; readonly intervalMs: number };
  /** The API keys of the server. */
  readonly keys: KeyOperations;
  /** The settings of the server. */
  readonly settings: SettingOperations;
  /** What else is not as it should be, in plain words; without `counts` not how much. */
  readonly alarms?: (what: { readonly counts: boolean }) => readonly string[];
}
