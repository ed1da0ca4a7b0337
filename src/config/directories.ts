import { join } from 'node:path';
import envPaths from 'env-paths';
import { sha256 } from './sha256.ts';

/** The folders of Lore for this user. */
export interface Directories {
  /** Folder of the store and models. */
  readonly data: string;
  /** Folder of config.json and keys.json. */
  readonly config: string;
}

/** The folders by the conventions of the operating system. */
export function userDirectories(): Directories {
  const { data, config } = envPaths('lore', { suffix: '' });
  return { data, config };
}

/** Default local folder of a server whose store is on object storage. */
export function localFolderOf(storeUri: string, { data }: Pick<Directories, 'data'>): string {
  return join(data, 'shared', sha256(storeUri).slice(0, 16));
}

/** A lazy default: a path in the data folder. */
export function dataPath(name: string): () => string {
  return () => join(userDirectories().data, name);
}
