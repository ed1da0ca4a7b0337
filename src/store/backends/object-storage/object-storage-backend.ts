import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import type { Connection } from '@lancedb/lancedb';
import type { Log } from '../../../memory/log.ts';
import { abilitiesOf, needsFolder } from '../abilities.ts';
import { connect, type SharedSettings } from '../connection.ts';
import { refuseNewer } from '../folder/creation.ts';
import type { JournalRecord } from '../../format/log-record.ts';
import { Quarantine } from '../../files/quarantine.ts';
import { FORMAT_VERSION } from '../../format/schema.ts';
import type { Hold, StorePlace } from '../backend.ts';
import type { PartEnd } from '../../wal/wal.ts';
import type { Room } from '../../files/room.ts';
import { HeadTables, makeHeadTables } from './checkpoint-tables.ts';
import { createShared } from './shared-creation.ts';
import type { SharedHead } from '../../wal/shared/log-row.ts';
import { SharedLedger } from '../../wal/shared/shared-wal.ts';
import { SharedLog } from '../../wal/shared/shared-log.ts';

export interface SharedPlaceSettings {
  /** The address. */
  readonly path: string;
  readonly shared: SharedSettings;
  /** Whether a store is made where nothing is there; default true. */
  readonly create?: boolean | undefined;
  /** Width of the vectors, for a store that is made. */
  readonly width: number;
  /** Tables that the entries of a store that is made are spread over. */
  readonly shards: number;
  /** Whether this process looks after the tables where nobody else does. */
  readonly mayMaintain: boolean;
  readonly log: Log;
  /** Told once when this process was away for too long: the store must be opened anew. */
  readonly onLost: () => void;
}

/** Statistics are requests, and the figure is no matter of seconds. */
const SIZE_AGE_MS = 60_000;
/** Unset, some kinds of connection give ten names. */
const MOST_TABLES = 10_000;

/** A place that many servers share: they agree by a log in it, and one of them at a time looks after the tables. */
export class SharedPlace implements StorePlace {
  readonly tables: HeadTables;
  readonly localPath: string;
  readonly hold: Hold = { token: randomBytes(24).toString('base64url'), publishUrl: () => undefined };
  readonly room: Room = NO_LIMIT;
  readonly #shared: SharedLog;
  readonly #ledger: SharedLedger;
  #size: { readonly bytes: Promise<number>; readonly at: number } | undefined;

  private constructor(tables: HeadTables, localPath: string, shared: SharedLog, ledger: SharedLedger) {
    this.tables = tables;
    this.localPath = localPath;
    this.#shared = shared;
    this.#ledger = ledger;
  }

  /**
   * Opens the store of a place, making it where nothing is there. Rejects with `filesystem` where something else is there, with `not_found` where nothing is and nothing may be made, with `unavailable`
   * where the place does not answer.
   */
  static async open({
    path: uri,
    shared: settings,
    create,
    width,
    shards,
    mayMaintain,
    log,
    onLost,
  }: SharedPlaceSettings): Promise<SharedPlace> {
    const { timeoutMs, leaseMs, localPath } = settings;
    const open = (): Promise<Connection> => connect(uri, settings);
    const makeTables = (connection: Connection): Promise<SharedHead> => makeHeadTables(connection, { width, shards });
    await createShared({ connect: open, timeoutMs, format: FORMAT_VERSION, create, makeTables });
    let ledger: SharedLedger | undefined;
    const shared = await SharedLog.open({
      connect: open,
      server: `${hostname()}:${process.pid}`,
      timeoutMs,
      leaseMs,
      log,
      onEvent: (event) => ledger?.hear(event),
    });
    try {
      refuseNewer(shared.format, uri);
      ledger = new SharedLedger(shared, { leaseMs, mayMaintain, log, onLost });
      const tables = new HeadTables({ uri, connect: open, quarantine: new Quarantine(uri, log), head: shared.beginning.head });
      // A store that is made anew at the same address is another one.
      const ownPath = path.join(localPath, shared.storeId);
      mkdirSync(ownPath, { recursive: true, mode: 0o700 });
      return new SharedPlace(tables, ownPath, shared, ledger);
    } catch (error) {
      await shared.close();
      throw error;
    }
  }

  openLedger(): Promise<{ ledger: SharedLedger; beginning: (JournalRecord | PartEnd)[] }> {
    return Promise.resolve({ ledger: this.#ledger, beginning: this.#ledger.beginning() });
  }

  async bytes(): Promise<number> {
    if (this.#size === undefined || performance.now() - this.#size.at > SIZE_AGE_MS) {
      this.#size = { bytes: this.#measure(), at: performance.now() };
    }
    return await this.#size.bytes.catch(() => 0);
  }

  disk(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  async isWritable(): Promise<boolean> {
    return await this.#ledger.catchUp().then(
      () => true,
      () => false,
    );
  }

  requireFolder(): never {
    throw needsFolder(abilitiesOf(this.tables.uri), 'backups');
  }

  release(): void {
    // Closing it again does nothing; what fails now is of no use to anybody.
    this.#shared.close().catch(() => undefined);
  }

  /** Of the tables and the log as they are; what older versions keep is not counted. */
  async #measure(): Promise<number> {
    const connection = await this.tables.connect();
    try {
      let bytes = 0;
      for (const name of await connection.tableNames({ limit: MOST_TABLES })) {
        const table = await connection.openTable(name);
        bytes += (await table.stats()).totalBytes;
        table.close();
      }
      return bytes;
    } finally {
      connection.close();
    }
  }
}

/** Object storage is never full. */
const NO_LIMIT: Room = {
  isFull: false,
  begin: () => Promise.resolve(),
  noteFailure: () => undefined,
  requireRoom: () => Promise.resolve(),
  close: () => Promise.resolve(),
};
