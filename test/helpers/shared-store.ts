import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { silentLog, type Log } from '../../src/memory/log.ts';
import { Store, type StoreSettings } from '../../src/store/store.ts';
import { SPACE } from './store.ts';

export interface SharedStoreOptions extends Partial<Pick<StoreSettings, 'mayMaintain' | 'onLost'>> {
  /** Names the server: it has a folder of its own. */
  readonly name?: string;
  readonly options?: Readonly<Record<string, string>>;
  readonly leaseMs?: number;
  readonly log?: Log;
}

/** A server's view of a shared store: on object storage, or in a folder that is used as if it were one. `own` is for files of the server. The caller closes it. */
export async function openSharedStore(place: string, own: string, options: SharedStoreOptions = {}): Promise<Store> {
  const { name = 'a', leaseMs = 1_500, log = silentLog, options: storage = {}, ...more } = options;
  const localPath = path.join(own, `server-${name}`);
  mkdirSync(localPath, { recursive: true });
  return await Store.open(
    {
      path: place,
      shared: { options: storage, timeoutMs: 20_000, leaseMs, localPath },
      durability: 'full',
      vectorCacheBytes: 64 * 1024 * 1024,
      hnsw: { fromRows: 10_000, efConstruction: 100, ef: 100 },
      log,
      ...more,
    },
    SPACE,
  );
}
