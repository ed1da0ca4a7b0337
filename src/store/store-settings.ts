import type { Telemetry } from '../memory/telemetry.ts';
import { abilitiesOf, SERVICE } from './backends/abilities.ts';
import { ServiceBackend } from './backends/lancedb-service/service-backend.ts';
import type { SharedSettings } from './backends/connection.ts';
import { FolderBackend } from './backends/folder/folder-backend.ts';
import type { BackupLocation } from './backends/backup-locations.ts';
import type { ResponseLimits } from './catalog/idempotency-index.ts';
import type { TombstoneLimits } from './catalog/tombstones.ts';
import { ObjectStorageBackend } from './backends/object-storage/object-storage-backend.ts';
import type { SpaceSettings } from './vectors/spaces.ts';
import type { VectorSpace } from './format/vector-space.ts';
import type { StoreBackend } from './backends/backend.ts';

export interface StoreSettings extends SpaceSettings {
  /** Create a missing store; default true. */
  readonly create?: boolean;
  /** Location of the backup before a format upgrade; default next to the store. */
  readonly backups?: BackupLocation;
  /**
   * Number of tables for the entries, by namespace; default 1. A store in a folder is converted in the background; one on object storage
   * keeps its number.
   */
  readonly shards?: number;
  /** Reserved disk space in bytes; default none. */
  readonly reserveBytes?: number;
  /** Connection settings of a remote store; without them the store is in a folder. */
  readonly shared?: SharedSettings | undefined;
  /** Whether this process may maintain the tables of a shared store; default true. */
  readonly mayMaintain?: boolean;
  /** Called once if this process was away from a shared store for too long and must reopen it. */
  readonly onLost?: () => void;
  /** Retention of answers to idempotent requests; default a day. */
  readonly answers?: ResponseLimits;
  /** Retention of tombstones; default half a year. */
  readonly tombstones?: TombstoneLimits;
  /** Time limit of a search before it is retried without indexes, milliseconds; default a minute. */
  readonly patienceMs?: number;
  /** Receives telemetry events; default none. */
  readonly telemetry?: Telemetry;
}

/** Opens the backend of a store: a folder exclusively, or a shared store as one of its servers. */
export async function openBackend(settings: StoreSettings, { width }: Pick<VectorSpace, 'width'>): Promise<StoreBackend> {
  const { path, shared, create, shards = 1, mayMaintain = true, onLost = () => undefined, log } = settings;
  if (shared === undefined) return await FolderBackend.open(settings);
  return abilitiesOf(path) === SERVICE
    ? await ServiceBackend.open({ ...settings, remote: shared })
    : await ObjectStorageBackend.open({ path, shared, create, width, shards, mayMaintain, onLost, log });
}
