import { existsSync, realpathSync } from 'node:fs';
import type { LoadedConfig } from '../../config/load.ts';
import { LoreError } from '../../memory/errors.ts';
import type { Log } from '../../memory/log.ts';
import type { MemoryOperations } from '../../memory/operations/operations.ts';
import { isStoreLocation, isUri } from '../../memory/store-address.ts';
import type { SyncOperations } from '../../memory/operations/sync-operations.ts';
import { connect, connectIfExists, type Connection } from '../connection.ts';
import { UsageError } from '../failure.ts';

interface OtherStoreOptions {
  readonly log: Log;
  /** API key of the server, for a URL. */
  readonly key: string | undefined;
  /** For a location without a store: create it, treat it as empty, or reject with `not_found`. */
  readonly absent: 'made' | 'empty' | 'refused';
  /** The configuration of this store; the other one uses the same, except for its location. */
  readonly loaded: LoadedConfig;
  /** Loads it again with other values. */
  readonly reload: (changes: Record<string, unknown>) => LoadedConfig;
}

/** The other store of a sync; close it when done. */
export interface OtherStore extends Pick<Connection, 'openSync' | 'server'>, AsyncDisposable {
  readonly memories: Pick<MemoryOperations, 'namespaces'>;
  /** Whether it does not exist yet; it then behaves like an empty store. */
  readonly isAbsent: boolean;
}

/** Opens the other store: a server by its URL, else any value of `storage.path`; through the server that has it open, if there is one. */
export async function openOtherStore(uri: string, { log, key, absent, loaded, reload }: OtherStoreOptions): Promise<OtherStore> {
  if (/^https?:/i.test(uri)) return there(await connect(loaded, { log, url: uri, key }));
  if (!isStoreLocation(uri))
    throw new UsageError(
      'The other store must be a folder, the address of a Lore server, or a URI such as s3://bucket/prefix, gs://bucket/prefix or az://container/prefix.',
      'Put keys and tokens into storage.options or the environment, not into the URI.',
    );
  const other = reload({ 'storage.path': uri });
  const { path } = other.config.storage;
  if (placeOf(path) === placeOf(loaded.config.storage.path)) throw new UsageError(`${uri} is this store itself.`);
  const options = { log, url: undefined, key: undefined };
  const connection = absent === 'made' ? await connect(other, options) : await connectIfExists(other, options);
  if (connection !== undefined) return there(connection);
  if (absent === 'empty') return ABSENT;
  throw new LoreError('not_found', `There is no store at ${uri}.`, { hint: '`lore push` creates it.' });
}

const there = (connection: Connection): OtherStore => ({ ...connection, isAbsent: false });

/** An empty store that refuses changes. */
const NOTHING: SyncOperations = {
  digests: ({ buckets }) =>
    Promise.resolve({
      entries: 0,
      digests: Array.from({ length: buckets }, () => ''),
      embedder: '',
      maxBytes: Number.MAX_SAFE_INTEGER,
      tombstones: [],
      tombstonesSince: 0,
    }),
  stamps: () => Promise.resolve({ stamps: [], relations: [] }),
  entries: () => Promise.resolve({ entries: [], relations: [], rest: [] }),
  apply: () => Promise.reject(new LoreError('not_found', 'There is no store to write to.')),
};

/** Replaces a store that does not exist yet, in a dry run. */
const ABSENT: OtherStore = {
  memories: { namespaces: () => Promise.resolve([]) },
  openSync: () => Promise.resolve(NOTHING),
  server: undefined,
  isAbsent: true,
  [Symbol.asyncDispose]: () => Promise.resolve(),
};

const placeOf = (place: string): string => (isUri(place) || !existsSync(place) ? place : realpathSync(place));
