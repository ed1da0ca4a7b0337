import { join } from 'node:path';
import { isRemote } from '../memory/store-address.ts';
import { sha256 } from './sha256.ts';

/** Where the contexts are kept that hooks give at the start of a session while nobody has the store open. */
interface ContextPlace {
  /** In the folder of the store: what happens to the store happens to them. */
  readonly folder: string;
  readonly fileOf: (namespace: string) => string;
}

/** Undefined for a store in no folder: others change it, and no file of this machine would follow. */
export function contextPlace(storagePath: string): ContextPlace | undefined {
  if (isRemote(storagePath)) return undefined;
  const folder = join(storagePath, 'contexts');
  const fileOf = (namespace: string): string => join(folder, `${sha256(namespace).slice(0, 32)}.json`);
  return { folder, fileOf };
}
