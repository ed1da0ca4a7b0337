import { OBJECTS } from '../abilities.ts';
import type { Connection } from '@lancedb/lancedb';
import { createEntries, type NewEntries } from '../folder/creation.ts';
import { createIndexes } from '../../tables/indexes.ts';
import type { Quarantine } from '../../files/quarantine.ts';
import { FORMAT_VERSION } from '../../format/schema.ts';
import { entriesTables } from '../../format/shards.ts';
import type { VectorSpace } from '../../format/vector-space.ts';
import { createAuxiliaryTables } from '../../tables/auxiliary-tables.ts';
import { asStoreError } from '../../errors/store-error.ts';
import type { OpenedEntries, OpenedAuxiliary, BackendTables } from '../../tables/backend-tables.ts';
import type { TableVersion } from '../../format/checkpoint.ts';
import type { SharedCheckpoint } from '../../wal/shared/log-row.ts';

interface Settings {
  readonly uri: string;
  readonly connect: () => Promise<Connection>;
  readonly quarantine: Quarantine;
  /** As named in the log. */
  readonly checkpoint: SharedCheckpoint;
}

/** The tables of a shared store, at the versions of a checkpoint. Publishing a version in the log is what makes it durable. */
export class CheckpointTables implements BackendTables {
  readonly uri: string;
  readonly quarantine: Quarantine;
  readonly abilities = OBJECTS;
  readonly #connect: () => Promise<Connection>;
  readonly #checkpoint: SharedCheckpoint;

  constructor({ uri, connect, quarantine, checkpoint }: Settings) {
    this.uri = uri;
    this.quarantine = quarantine;
    this.#connect = connect;
    this.#checkpoint = checkpoint;
  }

  get space(): VectorSpace | undefined {
    return this.#checkpoint.space;
  }

  connect(): Promise<Connection> {
    return this.#connect();
  }

  async openEntries(connection: Connection): Promise<OpenedEntries> {
    const { entries } = this.#checkpoint;
    const names = entriesTables(entries.length);
    const tables = await Promise.all(names.map((name) => connection.openTable(name).catch(asStoreError('open the store'))));
    return { tables: tables.map((table, shard) => ({ table, version: entries[shard]!.version })), isSecured: true };
  }

  async openAuxiliary(connection: Connection, name: string): Promise<OpenedAuxiliary | undefined> {
    const version = this.#checkpoint.sides[name];
    if (version === undefined) return undefined;
    const table = await connection.openTable(name).catch(asStoreError('open the store'));
    await table.checkout(version).catch(asStoreError('open the store'));
    return { table, version, prunedAt: version };
  }

  secureEntries(): Promise<void> {
    return Promise.resolve();
  }

  secureAuxiliary(): Promise<void> {
    return Promise.resolve();
  }

  damaged(): (cause: unknown) => never {
    return asStoreError('read the store');
  }
}

/** Creates the tables of a new store. */
export async function makeCheckpointTables(connection: Connection, { width, shards }: NewEntries): Promise<SharedCheckpoint> {
  const entries: TableVersion[] = [];
  for (const name of entriesTables(shards)) {
    const table = await createEntries(connection, { name, width });
    await createIndexes(table);
    entries.push({ version: await table.version().catch(asStoreError('create the store')), rows: 0 });
    table.close();
  }
  return { entries, format: FORMAT_VERSION, sides: await createAuxiliaryTables(connection) };
}
