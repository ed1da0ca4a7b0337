/** Who has a store open: what a command beside a server asks, which for that loads nothing of what opens one. */
import { localFolderOf, userDirectories } from './config/directories.ts';
import type { LoadedConfig } from './config/load.ts';
import { abilitiesOf, type Abilities } from './store/backends/abilities.ts';
import { isStoreWanted, wantStore } from './store/lock/handover.ts';
import { readHolder, type LockHolder } from './store/lock/lock.ts';

/** What the store of a configuration can do by where it lies. */
export function storeAbilities({ config }: Pick<LoadedConfig, 'config'>): Abilities {
  return abilitiesOf(config.storage.path);
}

/** The folder in which this machine keeps notes about a store: that of the store, where it lies in one. */
export function notesFolder({ config: { storage } }: Pick<LoadedConfig, 'config'>): string {
  if (abilitiesOf(storage.path).onDisk) return storage.path;
  return storage.localPath ?? localFolderOf(storage.path, userDirectories());
}

/** The live process that has the store open, if there is one and the store is one process's alone: a command beside it talks to its server. */
export function liveHolder({ config }: Pick<LoadedConfig, 'config'>): LockHolder | undefined {
  return storeAbilities({ config }).lockFile ? readHolder(notesFolder({ config })) : undefined;
}

/** Asks the process that has the store open, where it yields, to close it, and others not to open it, until the returned function is called. */
export function askForStore({ config }: Pick<LoadedConfig, 'config'>): () => void {
  return storeAbilities({ config }).lockFile ? wantStore(notesFolder({ config })) : () => undefined;
}

/** Whether another process has asked for the store. */
export function storeAskedFor({ config }: Pick<LoadedConfig, 'config'>): boolean {
  return storeAbilities({ config }).lockFile && isStoreWanted(notesFolder({ config }));
}
