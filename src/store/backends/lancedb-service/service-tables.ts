import { SERVICE } from '../abilities.ts';
import type { Connection, Table } from '@lancedb/lancedb';
import { LoreError } from '../../../memory/errors.ts';
import { createEntries, refuseNewer } from '../folder/creation.ts';
import { createIndexes } from '../../tables/indexes.ts';
import type { Quarantine } from '../../files/quarantine.ts';
import { ENTRIES, FORMAT_VERSION, META, metaSchema } from '../../format/schema.ts';
import { asStoreError } from '../../errors/store-error.ts';
import type { OpenedEntries, OpenedAuxiliary, BackendTables } from '../../tables/backend-tables.ts';
import type { LocalFolder } from './local-folder.ts';

interface Settings {
  readonly uri: string;
  readonly connect: () => Promise<Connection>;
  readonly quarantine: Quarantine;
  readonly home: LocalFolder;
  /** Time limit of one request. */
  readonly timeoutMs: number;
  /** Whether missing tables are created; otherwise opening rejects with `not_found`. */
  readonly create: boolean;
}

/** More tables than a database has. */
const TABLES_AT_MOST = 1000;
/** Row of META: name of the folder with the log. */
const HOME = 'home';
/** The index for word search: without it the service cannot search words. */
const WORDS_INDEX = 'search_text_idx';

/**
 * The tables of a store that LanceDB Cloud or Enterprise keeps. Reads use the newest version, which the service also changes itself. So
 * nothing is rolled back: interrupted writes are repeated over the existing rows.
 */
export class ServiceTables implements BackendTables {
  readonly uri: string;
  readonly quarantine: Quarantine;
  readonly abilities = SERVICE;
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.uri = settings.uri;
    this.quarantine = settings.quarantine;
    this.#settings = settings;
  }

  connect(): Promise<Connection> {
    return this.#settings.connect();
  }

  async openEntries(connection: Connection, width: number): Promise<OpenedEntries> {
    const names = await this.names(connection);
    const isWhole = names.includes(META);
    if (isWhole) await this.#checkMeta(connection);
    else if (!this.#settings.create) throw new LoreError('not_found', `There is no store at ${this.uri}.`);
    if (isWhole && !names.includes(ENTRIES)) throw this.#damaged('its table of entries is missing');
    const table = names.includes(ENTRIES)
      ? await connection.openTable(ENTRIES).catch(asStoreError('open the store'))
      : await createEntries(connection, { width, hasKey: false });
    // Before the name is written, so that a recorded name implies an existing store; interrupted creation continues.
    if (!isWhole && (await rowsOf(table)) > 0) throw this.#damaged('the table that names its format is missing');
    if (await createIndexes(table)) await this.#whenIndexed(table);
    if (!isWhole) await this.#createMeta(connection);
    return { tables: [{ table, version: await table.version().catch(asStoreError('open the store')) }], isSecured: true };
  }

  async openAuxiliary(connection: Connection, name: string): Promise<OpenedAuxiliary | undefined> {
    if (!(await this.names(connection)).includes(name)) return undefined;
    const table = await connection.openTable(name).catch(asStoreError('open the store'));
    const version = await table.version().catch(asStoreError('open the store'));
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

  /** Total over all tables. */
  async names(connection: Connection): Promise<string[]> {
    return await connection.tableNames({ limit: TABLES_AT_MOST }).catch(asStoreError('list the tables of the store'));
  }

  /** In one step, because a table without its rows means a damaged store. */
  async #createMeta(connection: Connection): Promise<void> {
    const told = { format: String(FORMAT_VERSION), created: new Date().toISOString(), [HOME]: await this.#settings.home.name() };
    const rows = Object.entries(told).map(([key, value]) => ({ key, value }));
    const table = await connection.createTable(META, rows, { schema: metaSchema() }).catch(asStoreError('create the store'));
    table.close();
  }

  async #checkMeta(connection: Connection): Promise<void> {
    const table = await connection.openTable(META).catch(asStoreError('open the store'));
    const rows = (await table.query().toArray().catch(asStoreError('read the store'))) as { key?: unknown; value?: unknown }[];
    table.close();
    const told = new Map(rows.map(({ key, value }) => [String(key), String(value)] as const));
    const format = Number(told.get('format'));
    if (!Number.isInteger(format) || format < FORMAT_VERSION) throw this.#damaged('it names no format that this version of Lore reads');
    refuseNewer(format, this.uri);
    const home = told.get(HOME);
    if (home === undefined) throw this.#damaged('it names no folder for its write-ahead log');
    await this.#settings.home.require(home, this.uri);
  }

  async #whenIndexed(table: Table): Promise<void> {
    await table.waitForIndex([WORDS_INDEX], this.#settings.timeoutMs / 1000).catch(asStoreError('index the store'));
  }

  #damaged(why: string): LoreError {
    return new LoreError('filesystem', `The store ${this.uri} is damaged: ${why}. It was left as it is.`, {
      hint: 'Ask the operator of the service for an earlier version of its tables, or set storage.path to another database.',
    });
  }
}

async function rowsOf(table: Table): Promise<number> {
  return await table.countRows().catch(asStoreError('open the store'));
}
