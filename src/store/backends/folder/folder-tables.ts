import { FOLDER } from '../abilities.ts';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Connection, Table } from '@lancedb/lancedb';
import { dropUnfinishedTable, reportMissingTable } from '../../tables/unfinished-table.ts';
import { connect } from '../connection.ts';
import { checkFormat, openOrCreate } from './creation.ts';
import { damagedData, wrongFile } from '../../tables/damaged-data.ts';
import type { CheckpointKeeper } from '../../format/checkpoint.ts';
import { brokenIndexes, brokenIndexText, createIndexes, renewIndexes } from '../../tables/indexes.ts';
import { dropOutdated, markOutdated } from './layout.ts';
import { manifestsOf, tableFolder } from '../../format/manifests.ts';
import { unsynced, type Quarantine } from '../../files/quarantine.ts';
import { FORMAT_VERSION, META } from '../../format/schema.ts';
import { entriesTables } from '../../format/shards.ts';
import { asStoreError } from '../../errors/store-error.ts';
import type { EntriesVersions } from '../../format/checkpoint.ts';
import type { Layout, OpenedEntries, OpenedAuxiliary, BackendTables } from '../../tables/backend-tables.ts';
import { FolderSync } from '../../files/sync.ts';
import type { FileSums } from '../../tables/file-sums.ts';
import { wrongManifests } from './manifest-repair.ts';
import { CrashMarker } from '../../files/crash-marker.ts';
import { tableExists, openReadable, rewindTo } from '../../tables/table-opening.ts';

interface Folder {
  readonly path: string;
  /** Whether finished writes must survive a power cut. */
  readonly synced: boolean;
  readonly checkpoint: CheckpointKeeper;
  readonly quarantine: Quarantine;
  readonly sums: FileSums;
  /** For a new store. */
  readonly shards: number;
}

/**
 * The tables of a store in a local folder. A small checkpoint file names the complete versions, so that the next start returns to them if a
 * process dies halfway.
 */
export class FolderTables implements BackendTables {
  readonly uri: string;
  readonly quarantine: Quarantine;
  readonly abilities = FOLDER;
  readonly mark: CrashMarker;
  readonly sums: FileSums;
  readonly #synced: boolean;
  readonly #checkpoint: CheckpointKeeper;
  readonly #shards: number;
  readonly #trees = new Map<string, FolderSync>();
  /** Versions of the entry tables that this process has synced. */
  readonly #syncedAt = new Map<string, number>();

  constructor({ path: folder, synced, checkpoint, quarantine, sums, shards }: Folder) {
    this.uri = folder;
    this.sums = sums;
    this.quarantine = quarantine;
    this.#synced = synced;
    this.#checkpoint = checkpoint;
    this.#shards = shards;
    this.mark = new CrashMarker(folder);
  }

  connect(): Promise<Connection> {
    return connect(this.uri);
  }

  async openEntries(connection: Connection, width: number): Promise<OpenedEntries> {
    const { entries } = this.#checkpoint.now;
    const opening = { path: this.uri, synced: this.#synced, quarantine: this.quarantine, connection, checkpoint: this.#checkpoint.now };
    const tables = await openOrCreate(opening, { width, shards: this.#shards });
    await checkFormat(opening);
    this.sums.forgetMissing(META);
    let isSecured = true;
    for (const [shard, table] of tables.entries()) {
      await this.#requireRight(table.name, entries?.[shard]?.version);
      const isNewest = await rewindTo(table, entries?.[shard]?.version);
      // For a new store, or one whose creation was interrupted. Only now, because returning to an older version also removes its indexes.
      const isIndexed = !(await createIndexes(table));
      isSecured = !(await repairIndexes(table, this.quarantine)) && isIndexed && isNewest && isSecured;
    }
    if (entries !== undefined) await dropOutdated(this.uri, entries.length);
    return { tables: await Promise.all(tables.map(async (table) => ({ table, version: await table.version() }))), isSecured };
  }

  async openAuxiliary(connection: Connection, name: string): Promise<OpenedAuxiliary | undefined> {
    const { uri: storePath, quarantine } = this;
    const { sides } = this.#checkpoint.now;
    const secured = sides?.[name];
    if (secured === undefined) await dropUnfinishedTable(storePath, name);
    else await reportMissingTable(storePath, { name, quarantine });
    if (sides !== undefined && secured === undefined) await dropUnsecured(storePath, name);
    if (!tableExists(storePath, name)) return undefined;
    const table = await openReadable({ connection, storePath, name, secured, quarantine });
    await this.#requireRight(name, secured);
    await rewindTo(table, secured).catch(asStoreError('open the store'));
    const version = await table.version().catch(asStoreError('read statistics'));
    return { table, version, prunedAt: version - manifestsOf(storePath, name).length };
  }

  async secureEntries(entries: EntriesVersions): Promise<void> {
    for (const [shard, name] of entriesTables(entries.length).entries()) {
      const { version } = entries[shard]!;
      if (this.#syncedAt.get(name) === version) continue;
      await this.#sync(name);
      this.#syncedAt.set(name, version);
    }
    const versions = new Map(entriesTables(entries.length).map((name, shard) => [name, entries[shard]!.version] as const));
    await this.sums.secure(new Map([...versions, [META, manifestsOf(this.uri, META)[0]?.version]]));
    await this.#checkpoint.write({ entries, format: FORMAT_VERSION });
  }

  async secureAuxiliary(versions: ReadonlyMap<string, number | undefined>): Promise<void> {
    const { sides } = this.#checkpoint.now;
    const secured = new Map(Object.entries(sides ?? {}));
    for (const [name, version] of versions) {
      if (secured.get(name) === version) continue;
      if (version !== undefined) await this.#sync(name);
      if (version === undefined) secured.delete(name);
      else secured.set(name, version);
    }
    if (sides === undefined || [...versions.keys()].some((name) => secured.get(name) !== sides[name])) {
      await this.sums.secure(versions);
      await this.#checkpoint.write({ sides: Object.fromEntries(secured) });
    }
  }

  readonly layout: Layout = {
    begin: async (connection, { shards, schema }) => {
      await dropOutdated(this.uri, this.#checkpoint.now.entries?.length ?? 1);
      await markOutdated(this.uri, shards, { synced: this.#synced });
      const tables: Table[] = [];
      for (const name of entriesTables(shards)) {
        const table = await connection.createEmptyTable(name, schema).catch(asStoreError('create a table'));
        await createIndexes(table);
        tables.push(table);
      }
      return tables;
    },
    sync: async (shards) => {
      for (const name of entriesTables(shards)) await this.#sync(name);
    },
    retire: (shards) => markOutdated(this.uri, shards, { synced: this.#synced }),
    drop: (but) => dropOutdated(this.uri, but),
  };

  damaged(table: string): (cause: unknown) => never {
    return damagedData(this.uri, table);
  }

  /** A version that LanceDB opens although it was altered would misreport the contents of the table. */
  async #requireRight(table: string, version: number | undefined): Promise<void> {
    this.sums.forgetMissing(table);
    const [wrong] = await wrongManifests(this.uri, { table, files: this.sums.filesOf(table, version) });
    if (wrong !== undefined) throw wrongFile(this.uri, wrong);
  }

  async #sync(table: string): Promise<void> {
    if (!this.#synced) return;
    const tree =
      this.#trees.get(table) ?? new FolderSync(path.join(this.uri, tableFolder(table)), () => this.quarantine.note(unsynced(table)));
    this.#trees.set(table, tree);
    await tree.run().catch(asStoreError('sync the store'));
  }
}

/** Whether an index was broken; it is rebuilt from the rows. */
async function repairIndexes(writer: Table, quarantine: Quarantine): Promise<boolean> {
  const broken = await brokenIndexes(writer);
  if (broken.length === 0) return false;
  await renewIndexes(writer, broken);
  quarantine.note({ message: `${brokenIndexText(broken)} Searches are slower until then.`, mayLose: false });
  return true;
}

/** A new table that was never made durable: the log has all of its rows, and a power cut may have damaged its files undetectably. */
async function dropUnsecured(storePath: string, name: string): Promise<void> {
  await rm(path.join(storePath, tableFolder(name)), { recursive: true, force: true }).catch(asStoreError('open the store'));
}
