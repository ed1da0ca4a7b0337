import type { Telemetry } from '../memory/telemetry.ts';
import { abilitiesOf } from './backends/abilities.ts';
import { CloudPlace } from './backends/lancedb-service/service-backend.ts';
import type { SharedSettings } from './backends/connection.ts';
import { FolderPlace } from './backends/folder/folder-backend.ts';
import type { BackupPlace } from './backends/folder/migrations.ts';
import type { AnswerLimits } from './catalog/idempotency-index.ts';
import type { TombstoneLimits } from './catalog/tombstones.ts';
import { SharedPlace } from './backends/object-storage/object-storage-backend.ts';
import type { SpaceSettings, VectorSpace } from './vectors/spaces.ts';
import type { StorePlace } from './backends/backend.ts';

export interface StoreSettings extends SpaceSettings {
  /** Whether to make a store where nothing is there; default true. */
  readonly create?: boolean;
  /** Where a store of an older format is copied to before it is brought to this one; default beside the store. */
  readonly backups?: BackupPlace;
  /**
   * Tables that the entries are spread over, by namespace; default 1. A store in a folder is brought there in the background, one on object storage stays as it
   * was made.
   */
  readonly shards?: number;
  /** Space that is held for the day on which the disk is full, bytes; default none. */
  readonly reserveBytes?: number;
  /** How a store that lies elsewhere is spoken to; without it a store lies in a folder. */
  readonly shared?: SharedSettings | undefined;
  /** Whether this process looks after the tables of a shared store where nobody else does; default true. */
  readonly mayMaintain?: boolean;
  /** Told once when this process was away from a shared store for too long: it must be opened again. */
  readonly onLost?: () => void;
  /** How long answers to requests with a key are kept; default a day. */
  readonly answers?: AnswerLimits;
  /** How long it is known what was deleted for good; default half a year. */
  readonly tombstones?: TombstoneLimits;
  /** How long a search may take before it is tried again without the indexes, milliseconds; default a minute. */
  readonly patienceMs?: number;
  /** Told what the store does, and asked for nothing; default nobody. */
  readonly telemetry?: Telemetry;
}

/** Takes the place of a store: the folder for this process alone, or one of the servers that share it. */
export async function openPlace(settings: StoreSettings, { width }: Pick<VectorSpace, 'width'>): Promise<StorePlace> {
  const { path, shared, create, shards = 1, mayMaintain = true, onLost = () => undefined, log } = settings;
  if (shared === undefined) return await FolderPlace.open(settings);
  return abilitiesOf(path).managed
    ? await CloudPlace.open({ ...settings, remote: shared })
    : await SharedPlace.open({ path, shared, create, width, shards, mayMaintain, onLost, log });
}
