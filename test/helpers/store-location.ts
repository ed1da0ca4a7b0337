import { join } from 'node:path';
import { inject } from 'vitest';
import type { ConfigInput } from '../../src/config/schema.ts';
import { connect } from '../../src/store/backends/connection.ts';
import { FORMAT_VERSION } from '../../src/store/format/schema.ts';
import { makeCheckpointTables } from '../../src/store/backends/object-storage/checkpoint-tables.ts';
import { createShared } from '../../src/store/backends/object-storage/shared-creation.ts';
import { makeContainer } from './azurite.ts';

export type StorageInput = NonNullable<ConfigInput['storage']>;

const WIDTH = 384;
const TIMEOUT_MS = 30_000;

/** Whether the tests run on the object storage emulator. */
export const onObjectStorage = (): boolean => (inject('azuritePorts') as readonly number[] | undefined) !== undefined;

/** Location of a test's store: below its folder, or in its own container with an initialized store. */
export async function storeLocation(folder: string): Promise<StorageInput> {
  if (!onObjectStorage()) return { path: join(folder, 'store') };
  const { uri: path, options } = await makeContainer();
  // No other server creates it, so there is no wait for others.
  await createShared({
    connect: () => connect(path, { options, timeoutMs: TIMEOUT_MS }),
    timeoutMs: TIMEOUT_MS,
    format: FORMAT_VERSION,
    makeTables: (connection) => makeCheckpointTables(connection, { width: WIDTH, shards: 1 }),
    settleMs: 0,
  });
  return { path, options: { ...options }, localPath: join(folder, 'store') };
}
