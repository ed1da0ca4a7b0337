import * as lancedb from '@lancedb/lancedb';
import { abilitiesOf, OBJECTS, SERVICE } from './abilities.ts';
import { LoreError } from '../../memory/errors.ts';
import { connectToCloud } from './lancedb-service-connection.ts';
import { asStoreError } from '../errors/store-error.ts';

const MIB = 1024n ** 2n;
/** Cache sizes. For a folder, the system caches files in memory anyway; on object storage, each miss is a request. */
const CACHES = { folder: { index: 32n * MIB, metadata: 16n * MIB }, remote: { index: 256n * MIB, metadata: 64n * MIB } };
/** Time to connect to object storage. */
const CONNECT_MS = 5_000;
/** Retries of one request; the wait before each is about twice the previous one. */
const MAX_RETRIES = 4;
/** Otherwise every connection looks for an optional LanceDB table of tables, with a dozen requests, and tries to create one. */
const TABLES_ARE_FOLDERS = { manifest_enabled: 'false', dir_listing_enabled: 'true' };

/** Settings of the connection to object storage or to a LanceDB service. */
export interface RemoteSettings {
  /** `storage.options`: they take precedence over the defaults here. */
  readonly options: Readonly<Record<string, string>>;
  /** Time limit of one request, including its retries. */
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
 * A connection with small caches: the defaults of LanceDB are 6 GiB for indexes and 1 GiB for metadata. Makes no request to object storage
 * yet. Rejects with `filesystem` for a folder, and with `config` for invalid settings.
 */
export async function connect(storePath: string, remote?: RemoteSettings): Promise<lancedb.Connection> {
  const abilities = abilitiesOf(storePath);
  const { index, metadata } = abilities.slowReads ? CACHES.remote : CACHES.folder;
  const session = new lancedb.Session(index, metadata);
  if (remote !== undefined && abilities === SERVICE) return await connectToCloud(storePath, remote);
  if (remote !== undefined && abilities === OBJECTS) {
    const options = { session, storageOptions: storageOptionsOf(remote), namespaceClientProperties: TABLES_ARE_FOLDERS };
    return await lancedb.connect(storePath, options).catch(asStoreError('connect to the store'));
  }
  return await lancedb.connect(storePath, { session }).catch((cause: unknown) => {
    throw new LoreError('filesystem', `The store folder ${storePath} cannot be opened.`, { cause });
  });
}

/** Client options common to all clouds, overridden by the user's, in any spelling of their names. */
function storageOptionsOf({ options, timeoutMs }: RemoteSettings): Record<string, string> {
  const ours = {
    // Half of the time, so that a lost request is retried.
    timeout: `${Math.ceil(timeoutMs / 2)}ms`,
    connect_timeout: `${Math.min(CONNECT_MS, Math.ceil(timeoutMs / 2))}ms`,
    client_max_retries: String(MAX_RETRIES),
    client_retry_timeout: String(Math.ceil(timeoutMs / 1000)),
  };
  const given = Object.fromEntries(Object.entries(options).map(([name, value]) => [name.toLowerCase(), value]));
  return { ...ours, ...given };
}

/** The bytes of these tables in their newest versions. Closes the connection. */
export async function bytesOfTables(
  connection: lancedb.Connection,
  namesOf: (connection: lancedb.Connection) => Promise<readonly string[]>,
): Promise<number> {
  try {
    let bytes = 0;
    for (const name of await namesOf(connection)) {
      const table = await connection.openTable(name);
      bytes += (await table.stats()).totalBytes;
      table.close();
    }
    return bytes;
  } finally {
    connection.close();
  }
}
