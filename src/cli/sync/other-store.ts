import { existsSync, realpathSync } from 'node:fs';
import type { LoadedConfig } from '../../config/load.ts';
import { LoreError } from '../../memory/errors.ts';
import type { Log } from '../../memory/log.ts';
import { isUri } from '../../memory/store-address.ts';
import { connect, type Connection } from '../connection.ts';
import { UsageError } from '../failure.ts';

export interface OtherStoreOptions {
  readonly log: Log;
  /** Of the server, where the address is one. */
  readonly key: string | undefined;
  /** Whether a store may be made where none is; else that rejects with `not_found`. */
  readonly create: boolean;
  /** The configuration of this store, which is also that of the other one except for its place. */
  readonly loaded: LoadedConfig;
  /** Reads it anew with other values. */
  readonly reload: (changes: Record<string, unknown>) => LoadedConfig;
}

/** Opens the store that is synced with: of a server by its address, else wherever `storage.path` may be; through the server that has it open, where one has. */
export async function openOtherStore(uri: string, { log, key, create, loaded, reload }: OtherStoreOptions): Promise<Connection> {
  if (/^https?:/i.test(uri)) return await connect(loaded, { log, url: uri, key });
  const other = reload({ 'storage.path': uri });
  const { path } = other.config.storage;
  if (placeOf(path) === placeOf(loaded.config.storage.path)) throw new UsageError(`${uri} is this very store.`);
  try {
    return await connect(other, { log, url: undefined, key: undefined, create });
  } catch (error) {
    const isMissing = error instanceof LoreError && error.code === 'not_found';
    if (!isMissing) throw error;
    throw new LoreError(error.code, error.message, { cause: error, hint: '`lore push` makes one there, unless it is told --dry-run.' });
  }
}

const placeOf = (place: string): string => (isUri(place) || !existsSync(place) ? place : realpathSync(place));
