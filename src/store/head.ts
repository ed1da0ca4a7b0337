import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { asStoreError } from './store-error.ts';
import { replaceFile } from './sync.ts';

/** Names the version that a start begins with: what is newer than it was cut short. */
export const HEAD_FILE = 'head.json';

interface Head {
  /** Of the entries, last known to be whole. */
  readonly version?: number;
  /** Where the whole store is of one format. */
  readonly format?: number;
}

/** Empty in a store that is new, or older than that file. */
export function readHead(storePath: string): Head {
  const file = path.join(storePath, HEAD_FILE);
  if (!existsSync(file)) return {};
  const { version, format } = JSON.parse(readFileSync(file, 'utf8')) as { version?: unknown; format?: unknown };
  return { ...(typeof version === 'number' && { version }), ...(typeof format === 'number' && { format }) };
}

/** Makes this version of the entries the one that the next start begins with. */
export async function writeHead(storePath: string, head: Head & { version: number }, { synced }: { synced: boolean }): Promise<void> {
  await replaceFile(path.join(storePath, HEAD_FILE), JSON.stringify(head), { synced }).catch(asStoreError('write the store'));
}
