import { join } from 'node:path';
import envPaths from 'env-paths';

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

/** A default that is asked for only when it is needed. */
export function dataPath(name: string): () => string {
  return () => join(userDirectories().data, name);
}
