/** Who has a store open: what a command beside a server asks, which for that loads nothing of what opens one. */
import type { LoadedConfig } from './config/load.ts';
import { isStoreWanted, wantStore } from './store/handover.ts';
import { readHolder, type LockHolder } from './store/lock.ts';

/** The live process that has the store open, if there is one: a command beside it talks to its server. */
export function liveHolder({ config }: Pick<LoadedConfig, 'config'>): LockHolder | undefined {
  return readHolder(config.storage.path);
}

/** Asks the process that has the store open, where it yields, to close it, and others not to open it, until the returned function is called. */
export function askForStore({ config }: Pick<LoadedConfig, 'config'>): () => void {
  return wantStore(config.storage.path);
}

/** Whether another process has asked for the store. */
export function storeAskedFor({ config }: Pick<LoadedConfig, 'config'>): boolean {
  return isStoreWanted(config.storage.path);
}
