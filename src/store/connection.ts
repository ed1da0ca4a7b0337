import * as lancedb from '@lancedb/lancedb';
import { LoreError } from '../memory/errors.ts';

const MIB = 1024n ** 2n;

/** A connection with small caches: the defaults of LanceDB are 6 GiB for indexes and 1 GiB for metadata. */
export async function connect(storePath: string): Promise<lancedb.Connection> {
  const session = new lancedb.Session(32n * MIB, 16n * MIB);
  return await lancedb.connect(storePath, { session }).catch((cause: unknown) => {
    throw new LoreError('filesystem', `The store folder ${storePath} cannot be opened.`, { cause });
  });
}
