import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import type { Connection } from '@lancedb/lancedb';
import type { Log } from '../../../memory/log.ts';
import { abilitiesOf, needsFolder } from '../abilities.ts';
import { bytesOfTables, connect, type SharedSettings } from '../connection.ts';
import { refuseNewer } from '../folder/creation.ts';
import type { LogRecord } from '../../format/log-record.ts';
import { Quarantine } from '../../files/quarantine.ts';
import { FORMAT_VERSION } from '../../format/schema.ts';
import type { LockedStore, StoreBackend } from '../backend.ts';
import type { SegmentEnd } from '../../wal/wal.ts';
import type { SpaceCheck } from '../../files/space-check.ts';
import { CheckpointTables, makeCheckpointTables } from './checkpoint-tables.ts';
import { LastKnown } from '../../read/last-known.ts';
import { createShared } from './shared-creation.ts';
import { StorageState } from './storage-state.ts';
import type { SharedCheckpoint } from '../../wal/shared/log-row.ts';
import { SharedWal } from '../../wal/shared/shared-wal.ts';
import { SharedLog } from '../../wal/shared/shared-log.ts';

interface SharedPlaceSettings {
  /** URI of the store. */
  readonly path: string;
  readonly shared: SharedSettings;
  /** Create a missing store; default true. */
  readonly create?: boolean | undefined;
  /** Width of the vectors of a new store. */
  readonly width: number;
  /** Number of entry tables of a new store. */
  readonly shards: number;
  /** Whether this process may maintain the tables if no other server does. */
  readonly mayMaintain: boolean;
  readonly log: Log;
  /** Called once if this process was away for too long and must reopen the store. */
  readonly onLost: () => void;
}

interface Parts {
  readonly tables: CheckpointTables;
  readonly localPath: string;
  readonly shared: SharedLog;
  readonly wal: SharedWal;
  readonly state: StorageState;
  /** Longest wait for the figure. */
  readonly patienceMs: number;
}

/** Age of a cached figure: statistics cost requests and need not be exact to the second. */
const SIZE_AGE_MS = 60_000;
/** A server responds at once; a short command waits for the figure. */
const SERVER_PATIENCE_MS = 20;
/** Without a limit, some kinds of connection return ten names. */
const MOST_TABLES = 10_000;

/** The backend for a store shared by several servers: a log orders their changes, and one server at a time maintains the tables. */
export class ObjectStorageBackend implements StoreBackend {
  readonly tables: CheckpointTables;
  readonly localPath: string;
  readonly hold: LockedStore = { token: randomBytes(24).toString('base64url'), publishUrl: () => undefined };
  readonly space: SpaceCheck = NO_LIMIT;
  readonly #shared: SharedLog;
  readonly #wal: SharedWal;
  readonly #state: StorageState;
  readonly #size: LastKnown<number>;

  private constructor({ tables, localPath, shared, wal, state, patienceMs }: Parts) {
    this.tables = tables;
    this.localPath = localPath;
    this.#shared = shared;
    this.#wal = wal;
    this.#state = state;
    this.#size = new LastKnown(() => this.#measure(), { maxAgeMs: SIZE_AGE_MS, patienceMs });
  }

  /**
   * Opens the store, and creates a missing one. Rejects with `filesystem` if the location has something else, with `not_found` if there
   * is none and it may not be created, with `unavailable` if the storage does not respond.
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
  }: SharedPlaceSettings): Promise<ObjectStorageBackend> {
    const { timeoutMs, leaseMs, localPath } = settings;
    const open = (): Promise<Connection> => connect(uri, settings);
    const makeTables = (connection: Connection): Promise<SharedCheckpoint> => makeCheckpointTables(connection, { width, shards });
    await createShared({ connect: open, timeoutMs, format: FORMAT_VERSION, create, makeTables });
    let wal: SharedWal | undefined;
    const state = new StorageState({ timeoutMs });
    const shared = await SharedLog.open({
      connect: open,
      server: `${hostname()}:${process.pid}`,
      timeoutMs,
      leaseMs,
      log,
      onEvent: (event) => wal?.hear(event),
      state,
    });
    try {
      refuseNewer(shared.format, uri);
      wal = new SharedWal(shared, { leaseMs, mayMaintain, log, onLost });
      const tables = new CheckpointTables({
        uri,
        connect: open,
        quarantine: new Quarantine(uri, log),
        checkpoint: shared.beginning.checkpoint,
      });
      // A store that was created again at the same address is another one.
      const ownPath = path.join(localPath, shared.storeId);
      mkdirSync(ownPath, { recursive: true, mode: 0o700 });
      // A short command writes on request only. A write also reads what others wrote, which would be lost before the store follows the log.
      const following = wal;
      const write = (): Promise<void> | undefined => (following.hasBegun ? shared.showLife() : undefined);
      state.begin({ read: () => shared.ask(), ...(mayMaintain && { write }) });
      return new ObjectStorageBackend({
        tables,
        localPath: ownPath,
        shared,
        wal,
        state,
        patienceMs: mayMaintain ? SERVER_PATIENCE_MS : timeoutMs,
      });
    } catch (error) {
      state.close();
      await shared.close();
      throw error;
    }
  }

  openWal(): Promise<{ wal: SharedWal; beginning: (LogRecord | SegmentEnd)[] }> {
    return Promise.resolve({ wal: this.#wal, beginning: this.#wal.beginning() });
  }

  /** 0 while unknown. */
  async bytes(): Promise<number> {
    return (await this.#size.soon()) ?? 0;
  }

  disk(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  isWritable(): Promise<boolean> {
    return Promise.resolve(!this.#wal.isBroken && this.fault === undefined);
  }

  get fault(): string | undefined {
    return this.#state.fault;
  }

  unlessSilent<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#state.unlessSilent(work);
  }

  requireFolder(): never {
    throw needsFolder(abilitiesOf(this.tables.uri), 'copies');
  }

  release(): void {
    this.#state.close();
    // Closing it again has no effect, and an error now helps nobody.
    this.#shared.close().catch(() => undefined);
  }

  /** Size of the current tables and log, without older versions. */
  async #measure(): Promise<number> {
    return await bytesOfTables(await this.tables.connect(), (connection) => connection.tableNames({ limit: MOST_TABLES }));
  }
}

/** Object storage is never full. */
const NO_LIMIT: SpaceCheck = {
  isFull: false,
  begin: () => Promise.resolve(),
  noteFailure: () => undefined,
  requireRoom: () => Promise.resolve(),
  close: () => Promise.resolve(),
};
