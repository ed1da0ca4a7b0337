import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { auditOf } from './admin-audit.ts';
import { captureLocation, type CaptureLocation } from './config/capture-location.ts';
import { keysFilePath } from './config/api-keys.ts';
import { contextLocation } from './config/context-location.ts';
import { userDirectories } from './config/directories.ts';
import type { LoadedConfig } from './config/load.ts';
import { localStoreFolder, storeAbilities } from './lock-holder.ts';
import { keyFileOperations } from './config/key-file-operations.ts';
import { detectNamespace, type DetectedNamespace } from './config/namespace.ts';
import { chooseEmbedder } from './embeddings/choose.ts';
import type { EmbedderChoice } from './embeddings/embedder.ts';
import { ActiveModel } from './embeddings/active-model.ts';
import { loadStore } from './load-store.ts';
import type { AuditSink } from './memory/audit.ts';
import { Clock } from './memory/clock.ts';
import { LoreError } from './memory/errors.ts';
import type { SettingOperations } from './memory/operations/administration.ts';
import type { StoredResponses } from './memory/idempotency.ts';
import type { Log } from './memory/log.ts';
import { scopedLog } from './memory/request-scope.ts';
import type { ReadableTelemetry } from './memory/telemetry.ts';
import { isOnService, isRemote } from './memory/store-address.ts';
import type { StoreOperations } from './memory/operations/sync-operations.ts';
import type { WordStatistics } from './memory/words/word-statistics.ts';
import { IdempotencyStore } from './service/changes/idempotency-store.ts';
import { auditedBy } from './service/audit/audited.ts';
import { Freshness } from './service/freshness.ts';
import { MemoryService } from './service/memory-service.ts';
import { refreshed } from './service/refreshed.ts';
import type { ServiceSettings } from './service/service-settings.ts';
import { renameOldNames } from './service/transfer/old-names.ts';
import { WriteLimiter } from './service/write-limiter.ts';
import { spaceOf } from './service/recall/vector-leg.ts';
import { requireFolder } from './store/backends/abilities.ts';
import type { RemoteSettings, SharedSettings } from './store/backends/connection.ts';
import { useOwnEngineTemp } from './store/tables/engine-temp.ts';
import { makePrivate, makeNewFilesPrivate } from './store/files/privacy.ts';
import type { BackupLocation } from './store/backends/backup-locations.ts';
import type { Store } from './store/store.ts';
import { openRecorder } from './telemetry/open-recorder.ts';
import type { Recorder } from './telemetry/recorder.ts';
import { withoutUndefined } from './memory/without-undefined.ts';
import { DAY_MS } from './memory/durations.ts';

export const VERSION = (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }).version;

export interface App extends AsyncDisposable {
  readonly memories: StoreOperations;
  /** Stored responses of requests with an `Idempotency-Key`. */
  readonly answers: StoredResponses;
  readonly choice: EmbedderChoice;
  readonly namespace: DetectedNamespace;
  readonly storePath: string;
  /** Secret in the lock file: anyone who can read the store folder may use the running server. */
  readonly lockToken: string;
  /** The same memories for a local user who can read the store folder: writes to the audit log if it is enabled. */
  readonly ownMemories: StoreOperations;
  /** Audit log for operations of other callers; absent if it is disabled. */
  readonly audit?: AuditSink;
  /** Metrics since the app was opened. */
  readonly telemetry: ReadableTelemetry;
  /** Whether the store would accept a write now, checked without writing. */
  readonly isReady: () => Promise<boolean>;
  /** Resolves when this process has lost a shared store because it was unreachable for too long. Open the store again. */
  readonly lost: Promise<void>;
  /** Publishes in the lock file where the server of this process listens, and whether it hands the store over on request (`requestStore`). */
  publishUrl(url: string, options?: { readonly yields?: boolean }): void;
  /** Finishes accepted work, then closes everything in reverse order. Safe to repeat. */
  close(): Promise<void>;
}

export interface AppOptions {
  readonly log: Log;
  /** Folder in which the namespace is detected. Default: the working directory. */
  readonly cwd?: string;
  /** Whether to download the model and re-embed in the background: right for a server, wrong for a short command. Default true. */
  readonly background?: boolean;
  /**
   * Whether Lore is the only program in this process. Lore then sets TMPDIR to a temporary folder for the engine and removes what the engine
   * leaves there. Default false: the environment of a program that embeds Lore is not changed.
   */
  readonly ownsProcess?: boolean;
  /** Whether a missing store is created. If false, opening it rejects with `not_found`. Default true. */
  readonly create?: boolean;
  /** File of the API keys. Default: the one of this user. */
  readonly keysFile?: string;
  /**
   * Changes settings; without it they cannot be changed. Lore reads parts of the configuration at each use, so it may be changed in place.
   */
  readonly settings?: SettingOperations;
  /** Variables that switch traces on (docs/observability.md); default none. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Opens the store in this process and starts the services. Rejects with `filesystem` if another process has the store open. */
export async function openApp(
  { config }: Pick<LoadedConfig, 'config'>,
  { log: given, cwd = process.cwd(), background = true, ownsProcess = false, create = true, env = {}, ...around }: AppOptions,
): Promise<App> {
  makeNewFilesPrivate();
  const log = scopedLog(given);
  // The engine reads TMPDIR when it starts.
  if (ownsProcess) await useOwnEngineTemp();
  const telemetry = await openRecorder({ version: VERSION, log, env });
  const backups = backupLocation({ config });
  const shared = sharedSettings(config);
  // Loaded here, so that a command that talks to a running server does not load LanceDB.
  const loading = loadStore();
  // A rejection before the await would end the process as unhandled.
  loading.catch(() => {});
  const namespace = await detectNamespace({
    cwd,
    ...withoutUndefined({ configured: config.memory.namespace }),
  });
  const lost = whenLost();
  let store: Store | undefined;
  const statistics: WordStatistics = {
    get rows() {
      return store?.words.rows ?? 0;
    },
    documentFrequency: (token) => store?.words.documentFrequency(token) ?? 0,
  };
  const choice = new ActiveModel(chooseEmbedder({ config: config.embeddings, statistics, log, telemetry, background }), log);
  try {
    const { Store } = await loading;
    store = await Store.open(
      {
        path: config.storage.path,
        create,
        durability: config.storage.durability,
        shards: config.storage.shards,
        reserveBytes: config.storage.reserveMB * 1024 * 1024,
        vectorCacheBytes: config.search.vectorCacheMB * 1024 * 1024,
        hnsw: { fromRows: config.search.hnswMaxElements, efConstruction: config.search.hnswEfConstruction, ef: config.search.hnswEf },
        ...withoutUndefined({ backups, shared }),
        // A short command must not start maintenance that it cannot finish.
        mayMaintain: background,
        onLost: () => lost.lose(),
        answers: { keptMs: config.server.idempotencyMs },
        tombstones: { keptMs: config.sync.tombstoneDays * DAY_MS },
        log,
        telemetry,
      },
      spaceOf(choice.target),
    );
    await makePrivate(ownFolders(config), log);
    await followStore(store, choice, { check: background });
    await renameOldNames({ store, clock: new Clock(), limiter: new WriteLimiter(writesOf(config)), log });
  } catch (error) {
    await store?.close();
    await choice.close();
    await telemetry.close();
    throw error;
  }
  return assemble({ config, choice, store, namespace, log, telemetry, background, backups, around, lost: lost.happens });
}

/** Switches to the embedder that made the vectors of the store, now and when another server changes the model. */
async function followStore(store: Store, choice: ActiveModel, { check }: { readonly check: boolean }): Promise<void> {
  const { catalog, spaces } = store;
  const vectors = { stamps: () => catalog.embedders(), named: () => spaces.named?.fingerprint, areShared: store.abilities.shared };
  choice.follow(vectors, { check });
  spaces.tell(() => choice.look());
  if (choice.active !== choice.target || !spaces.isServed) await spaces.serve(spaceOf(choice.active));
}

function whenLost(): { readonly happens: Promise<void>; lose(): void } {
  let lose = (): void => undefined;
  const happens = new Promise<void>((resolve) => {
    lose = resolve;
  });
  return { happens, lose: () => lose() };
}

const captureLocationOf = (config: LoadedConfig['config']): CaptureLocation =>
  captureLocation(config.storage.path, () => userDirectories().data);

/** Connection settings of a remote store and the local folder for its files on this machine; undefined for a store in a folder. */
function sharedSettings(config: LoadedConfig['config']): SharedSettings | undefined {
  const { options, timeoutMs, leaseMs } = config.storage;
  if (storeAbilities({ config }).onDisk) return undefined;
  return { options, timeoutMs, leaseMs, localPath: localStoreFolder({ config }) };
}

/** Folders on this machine with memories or data about them. */
function ownFolders(config: LoadedConfig['config']): string[] {
  const backups = backupLocation({ config });
  return [
    localStoreFolder({ config }),
    captureLocationOf(config).folder,
    ...(backups === undefined || backups.remote !== undefined ? [] : [backups.location]),
    ...(config.audit.enabled ? [config.audit.path] : []),
  ];
}

/** Backup destination of a store; undefined if the store cannot be backed up. */
export function backupLocation({ config }: Pick<LoadedConfig, 'config'>): BackupLocation | undefined {
  return storeAbilities({ config }).copies || config.storage.backupPath !== undefined ? requireBackupLocation({ config }) : undefined;
}

/** Backup destination of a store. Throws `conflict` if no destination is configured. */
export function requireBackupLocation({ config }: Pick<LoadedConfig, 'config'>): BackupLocation {
  const { path, backupPath, compression: compress } = config.storage;
  if (backupPath === undefined) requireFolder(storeAbilities({ config }), 'copies');
  const location = backupPath ?? join(dirname(path), 'backups', basename(path));
  return { location, compress, version: VERSION, ...withoutUndefined({ remote: remoteSettings({ config }, location) }) };
}

/** Connection settings for object storage; undefined for a folder. */
export function remoteSettings({ config }: Pick<LoadedConfig, 'config'>, place: string): RemoteSettings | undefined {
  if (!isRemote(place)) return undefined;
  const { options, timeoutMs } = config.storage;
  // Options of a LanceDB service do not apply to object storage.
  return { options: isOnService(config.storage.path) === isOnService(place) ? options : {}, timeoutMs };
}

interface Parts extends Pick<LoadedConfig, 'config'> {
  readonly choice: EmbedderChoice;
  readonly store: Store;
  readonly namespace: DetectedNamespace;
  readonly log: Log;
  readonly telemetry: Recorder;
  readonly background: boolean;
  readonly backups: BackupLocation | undefined;
  readonly around: Pick<AppOptions, 'keysFile' | 'settings'>;
  readonly lost: Promise<void>;
}

function assemble(parts: Parts): App {
  const { choice, store, namespace, log, telemetry, background, config } = parts;
  const audit = auditOf({ config }, log);
  const service = new MemoryService({
    store,
    choice,
    log,
    telemetry,
    settings: serviceSettings(parts, (what) => [audit?.degraded(what) ?? []].flat()),
  });
  const freshness = new Freshness(store);
  const { shared } = storeAbilities(parts);
  const memories = shared
    ? refreshed(service, {
        freshness,
        maxAgeMs: config.storage.readConsistencyMs,
        unlessSilent: (work) => store.backend.unlessSilent?.(work) ?? work(),
      })
    : service;
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await service.close();
    await audit?.close();
    if (!background) await store.leaveTidy();
    await store.close();
    await choice.close();
    await telemetry.close();
  };
  return {
    memories,
    answers: new IdempotencyStore(store),
    ownMemories: audit === undefined ? memories : auditedBy(memories, { key: 'local', access: 'full' }, audit),
    ...withoutUndefined({ audit }),
    choice,
    namespace,
    storePath: store.path,
    lockToken: store.hold.token,
    telemetry,
    isReady: () => store.isWritable(),
    lost: parts.lost,
    publishUrl: (url, options) => store.hold.publishUrl(url, options),
    close: () => (closing ??= close()),
    [Symbol.asyncDispose]: () => (closing ??= close()),
  };
}

const writesOf = ({ storage }: LoadedConfig['config']): ServiceSettings['writes'] => ({
  changes: storage.queueLimit,
  bytes: storage.queueMB * 1024 * 1024,
});

const fixedSettings: SettingOperations = {
  list: () => Promise.reject(new LoreError('not_found', 'Only `lore serve` shows settings; this server was started another way.')),
  change: () => Promise.reject(new LoreError('not_found', 'Only `lore serve` changes settings; this server was started another way.')),
};

/** Adds members to a section of the configuration; its own members are still read at each use. */
const reading = <Section extends object, More extends object>(section: Section, more: More): Section & More =>
  Object.assign(Object.create(section) as Section, more);

function serviceSettings(
  { config, namespace, background, backups, around }: Parts,
  alarms: NonNullable<ServiceSettings['alarms']>,
): ServiceSettings {
  const { vectorWeight, keywordWeight } = config.search;
  return {
    namespace: namespace.namespace,
    get defaultMode() {
      return config.search.defaultMode;
    },
    get defaultLimit() {
      return config.search.limit;
    },
    get maxLimit() {
      return config.memory.maxLimit;
    },
    weights: {
      ...withoutUndefined({ vector: vectorWeight, keyword: keywordWeight }),
    },
    priors: {
      get recency() {
        return config.search.recencyWeight;
      },
      get importance() {
        return config.search.importanceWeight;
      },
    },
    passages: {
      chunkSize: config.memory.chunkSize,
      chunkOverlap: config.memory.chunkOverlap,
      fileChunkSize: config.index.chunkSize,
    },
    similarFrom: config.memory.deduplicationThreshold,
    redactSecrets: config.memory.redactSecrets,
    maxLineBytes: config.server.bodyLimitBytes,
    writes: writesOf(config),
    capture: reading(config.capture, {
      place: captureLocationOf(config),
      contexts: contextLocation(config.storage.path),
      namespaceOf: async (folder: string) => (await detectNamespace({ cwd: folder })).namespace,
    }),
    compaction: config.compaction,
    version: VERSION,
    alarms,
    keys: keyFileOperations(around.keysFile ?? keysFilePath(userDirectories().config)),
    settings: around.settings ?? fixedSettings,
    background,
    scrubIntervalMs: config.storage.scrubInterval,
    backups: { place: backups, intervalMs: config.storage.backupInterval },
  };
}
