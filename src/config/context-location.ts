import { join } from 'node:path';
import { isRemote } from '../memory/store-address.ts';
import { sha256 } from './sha256.ts';

/** Location of the stored session-start contexts, which hooks use while no process has the store open. */
interface ContextLocation {
  /** Inside the store folder, so that they are moved and deleted with it. */
  readonly folder: string;
  readonly fileOf: (namespace: string) => string;
}

/** The location; undefined for a store that is not in a folder: other machines change it, so local contexts would become stale. */
export function contextLocation(storagePath: string): ContextLocation | undefined {
  if (isRemote(storagePath)) return undefined;
  const folder = join(storagePath, 'contexts');
  const fileOf = (namespace: string): string => join(folder, `${sha256(namespace).slice(0, 32)}.json`);
  return { folder, fileOf };
}
