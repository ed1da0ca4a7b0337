import { join } from 'node:path';
import envPaths from 'env-paths';
import { sha256 } from './sha256.ts';

/** The two folders of this user that Lore owns. */
export interface Directories {
  /** Store and models. */
  readonly data: string;
  /** config.json and keys.json. */
  readonly config: string;
}

/** Where this operating system keeps such folders. */
export function userDirectories(): Directories {
  const { data, config } = envPaths('lore', { suffix: '' });
  return { data, config };
}

/** Where a server keeps files of its own while its store is on object storage, if no other folder is set. */
export function localFolderOf(storeUri: string, { data }: Pick<Directories, 'data'>): string {
  return join(data, 'shared', sha256(storeUri).slice(0, 16));
}

/** A default that is asked for only when it is needed. */
export function dataPath(name: string): () => string {
  return () => join(userDirectories().data, name);
}
