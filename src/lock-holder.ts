/** Which process has a store open. Loads no store code: commands that talk to a running server start faster. */
import { localFolderOf, userDirectories } from './config/directories.ts';
import type { LoadedConfig } from './config/load.ts';
import { abilitiesOf, type Abilities } from './store/backends/abilities.ts';
import { isStoreWanted, requestHandover } from './store/lock/handover.ts';
import { readHolder, type LockHolder } from './store/lock/lock.ts';

/** The abilities of the backend of a configured store. */
export function storeAbilities({ config }: Pick<LoadedConfig, 'config'>): Abilities {
  return abilitiesOf(config.storage.path);
}

/** The local folder for files about a store: the store folder, or for a remote store a folder of this machine. */
export function localStoreFolder({ config: { storage } }: Pick<LoadedConfig, 'config'>): string {
  if (abilitiesOf(storage.path).onDisk) return storage.path;
  return storage.localPath ?? localFolderOf(storage.path, userDirectories());
}

/** The live process that holds the lock of the store. Undefined if there is none, or if the store needs no lock. */
export function liveHolder({ config }: Pick<LoadedConfig, 'config'>): LockHolder | undefined {
  return storeAbilities({ config }).lockFile ? readHolder(localStoreFolder({ config })) : undefined;
}

/** Asks a lock holder that yields to close the store, and keeps other such processes from opening it until the returned function is called. */
export function requestStore({ config }: Pick<LoadedConfig, 'config'>): () => void {
  return storeAbilities({ config }).lockFile ? requestHandover(localStoreFolder({ config })) : () => undefined;
}

/** Whether another process has requested the store. */
export function isStoreRequested({ config }: Pick<LoadedConfig, 'config'>): boolean {
  return storeAbilities({ config }).lockFile && isStoreWanted(localStoreFolder({ config }));
}
