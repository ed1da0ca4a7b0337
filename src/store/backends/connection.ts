import * as lancedb from '@lancedb/lancedb';
import { abilitiesOf } from './abilities.ts';
import { LoreError } from '../../memory/errors.ts';
import { connectToCloud } from './lancedb-service-connection.ts';
import { asStoreError } from '../errors/store-error.ts';

const MIB = 1024n ** 2n;
/** Of a store in a folder the system keeps files in memory anyway; what is not here of one in object storage is a request each time. */
const CACHES = { folder: { index: 32n * MIB, metadata: 16n * MIB }, remote: { index: 256n * MIB, metadata: 64n * MIB } };
/** Time for the way to object storage alone. */
const CONNECT_MS = 5_000;
/** Further tries of one request; the wait before each of them is about twice the one before. */
const MAX_RETRIES = 4;
/** Without these, every connection looks for a table of tables that LanceDB may keep, a dozen requests, and tries to make one. */
const TABLES_ARE_FOLDERS = { manifest_enabled: 'false', dir_listing_enabled: 'true' };

/** How object storage, or the service that keeps the tables, is spoken to. */
export interface RemoteSettings {
  /** `storage.options`: they come before what is set here. */
  readonly options: Readonly<Record<string, string>>;
  /** What one request may take, and further tries of it together. */
  readonly timeoutMs: number;
}

/** Settings for a store that is not in a folder. */
export interface SharedSettings extends RemoteSettings {
  /** Local folder for derived data and data of this server; created if there is a store. */
  readonly localPath: string;
  /** For a shared store: time without a heartbeat after which another server takes over maintenance. */
  readonly leaseMs: number;
}

/**
 * A connection with small caches: the defaults of LanceDB are 6 GiB for indexes and 1 GiB for metadata. To object storage it makes no request
 * yet. Rejects with `filesystem` for a folder, and with `config` for settings that cannot be.
 */
export async function connect(storePath: string, remote?: RemoteSettings): Promise<lancedb.Connection> {
  const { shared, managed } = abilitiesOf(storePath);
  const { index, metadata } = shared ? CACHES.remote : CACHES.folder;
  const session = new lancedb.Session(index, metadata);
  if (remote !== undefined && managed) return await connectToCloud(storePath, remote);
  if (remote !== undefined && shared) {
    const options = { session, storageOptions: storageOptionsOf(remote), namespaceClientProperties: TABLES_ARE_FOLDERS };
    return await lancedb.connect(storePath, options).catch(asStoreError('connect to the store'));
  }
  return await lancedb.connect(storePath, { session }).catch((cause: unknown) => {
    throw new LoreError('filesystem', `The store folder ${storePath} cannot be opened.`, { cause });
  });
}

/** What the clients of all clouds take, and the options of the user over it, however they write a name. */
function storageOptionsOf({ options, timeoutMs }: RemoteSettings): Record<string, string> {
  const ours = {
    // Half of it, so that a request that got lost is tried again.
    timeout: `${Math.ceil(timeoutMs / 2)}ms`,
    connect_timeout: `${Math.min(CONNECT_MS, Math.ceil(timeoutMs / 2))}ms`,
    client_max_retries: String(MAX_RETRIES),
    client_retry_timeout: String(Math.ceil(timeoutMs / 1000)),
  };
  const given = Object.fromEntries(Object.entries(options).map(([name, value]) => [name.toLowerCase(), value]));
  return { ...ours, ...given };
}
