import { setTimeout as sleep } from 'node:timers/promises';
import type { App, AppOptions } from '../app.ts';
import { LoreError } from '../memory/errors.ts';
import type { Log } from '../memory/log.ts';
import type { MemoryOperations } from '../memory/operations/operations.ts';
import type { SyncOperations } from '../memory/operations/sync-operations.ts';
import type { LoadedConfig } from '../config/load.ts';
import { LockWait } from './lock-wait.ts';
import { onShutdown } from './shutdown.ts';
import { withoutUndefined } from '../memory/without-undefined.ts';

/** A command that saves or searches takes a second, ten on a busy machine. A longer one is an import or similar. */
const HOLDER_WAIT_MS = 15_000;
const HOLDER_RETRY_MS = 100;
/** An MCP server finishes running calls and their background work before it releases the store. */
const HANDOVER_WAIT_MS = 20_000;
const PROBE_MS = 1_000;
/** A sync consists of many requests; each can be retried. */
const SYNC_RETRIES = 3;

/** The operations of a store, however it is reached, until `close`. */
export interface Connection {
  readonly memories: MemoryOperations;
  /** The store as one side of a sync. */
  openSync(): Promise<SyncOperations>;
  /** URL of the server in use; undefined if this process opened the store itself. */
  readonly server: string | undefined;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface ConnectOptions {
  readonly log: Log;
  /** Use this server instead of finding one. */
  readonly url: string | undefined;
  readonly key: string | undefined;
  /** Create a missing store; otherwise reject with `not_found`. Default true. */
  readonly create?: boolean;
  /** Longest wait for one holder of the store. Default 15 seconds. */
  readonly holderWaitMs?: number;
}

/**
 * Opens the store: through the server that has it open, or else in this process. If another command has it open, or the server does not
 * answer because it is stopping, this waits up to 15 seconds. Then it rejects with `filesystem` and names the holder; a server that still
 * does not answer causes `network` in the first call.
 */
export async function connect(
  loaded: LoadedConfig,
  { create = true, holderWaitMs = HOLDER_WAIT_MS, ...options }: ConnectOptions,
): Promise<Connection> {
  if (options.url !== undefined) return throughServer(checkedUrl(options.url), options.key);
  const { liveHolder } = await import('../lock-holder.ts');
  for (const patience = new LockWait(holderWaitMs); ; await sleep(HOLDER_RETRY_MS)) {
    const holder = liveHolder(loaded);
    const isLate = patience.isOver(holder);
    if (holder?.url !== undefined && (isLate || (await isReachable(holder.url)))) return throughServer(holder.url, holder.token);
    if (holder !== undefined && !isLate) continue;
    try {
      // If the holder still runs, this reports it.
      const { openApp } = await import('../app.ts');
      const app = await openApp(loaded, { log: options.log, background: false, ownsProcess: true, create });
      const { ownMemories } = app;
      return owned({ memories: ownMemories, server: undefined, openSync: () => Promise.resolve(ownMemories.sync) }, () => app.close());
    } catch (error) {
      const overtaken = !isLate && liveHolder(loaded) !== undefined;
      if (!overtaken) throw error;
    }
  }
}

/** Like `connect`, but does not create a store: undefined if there is none. */
export async function connectIfExists(loaded: LoadedConfig, options: Omit<ConnectOptions, 'create'>): Promise<Connection | undefined> {
  try {
    return await connect(loaded, { ...options, create: false });
  } catch (error) {
    if (error instanceof LoreError && error.code === 'not_found') return undefined;
    throw error;
  }
}

/**
 * Opens the store in this process, for a server. Asks an MCP server that has the store open to hand it over, and waits 15 seconds for
 * another command, but not for another server. Rejects with `filesystem` and names the holder.
 */
export async function openOnceUnlocked(loaded: LoadedConfig, options: Pick<AppOptions, 'log' | 'env' | 'settings'>): Promise<App> {
  const [{ openApp }, { requestStore, liveHolder, storeAbilities }] = await Promise.all([import('../app.ts'), import('../lock-holder.ts')]);
  if (!storeAbilities(loaded).lockFile) return await openApp(loaded, { ...options, ownsProcess: true });
  let withdraw: (() => void) | undefined;
  const [patience, handover] = [new LockWait(HOLDER_WAIT_MS), new LockWait(HANDOVER_WAIT_MS)];
  try {
    for (let failures = 0; ; await sleep(HOLDER_RETRY_MS)) {
      const holder = liveHolder(loaded);
      if (holder?.yields === true) withdraw ??= requestStore(loaded);
      const isLate = (withdraw === undefined ? patience : handover).isOver(holder);
      const maySoonBeFree = holder !== undefined && (holder.yields === true || holder.url === undefined);
      if (maySoonBeFree && !isLate) continue;
      try {
        return await openApp(loaded, { ...options, ownsProcess: true });
      } catch (error) {
        failures += 1;
        // The other process may have ended in between; a second failure is final.
        const now = liveHolder(loaded);
        const isTaken = now !== undefined && now.yields !== true && now.url !== undefined;
        if (isLate || isTaken || (now === undefined && failures > 1)) throw error;
      }
    }
  } finally {
    withdraw?.();
  }
}

/**
 * Address of the server that has the store open, or of the given one; opens nothing. Rejects with `network` if none answers, with a hint
 * how to start one.
 */
export async function runningServer(loaded: LoadedConfig, named: string | undefined): Promise<string> {
  const hint = '`lore serve` starts one.';
  if (named !== undefined) {
    const url = checkedUrl(named);
    if (await isReachable(url)) return url;
    throw new LoreError('network', `No server answers at ${url}.`, { hint });
  }
  const { liveHolder, storeAbilities } = await import('../lock-holder.ts');
  if (!storeAbilities(loaded).lockFile) {
    throw new LoreError(
      'network',
      `Several servers may have the store ${loaded.config.storage.path} open; it does not record their addresses.`,
      {
        hint: 'Name one with --url.',
      },
    );
  }
  const holder = liveHolder(loaded);
  // An MCP server shares its store with commands, but has no page.
  const url = holder?.yields === true ? undefined : holder?.url;
  if (url !== undefined && (await isReachable(url))) return url;
  throw new LoreError('network', `No server has the store ${loaded.config.storage.path} open.`, { hint });
}

/** Whether a server answers HTTP there, with any response. */
export async function isReachable(url: string): Promise<boolean> {
  return fetch(new URL('healthz', url), { method: 'HEAD', signal: AbortSignal.timeout(PROBE_MS) }).then(
    () => true,
    () => false,
  );
}

async function throughServer(url: string, key: string | undefined): Promise<Connection> {
  const { createHttpClient } = await import('../client/http-client.ts');
  const place = { baseUrl: url, ...withoutUndefined({ key }) };
  const client = createHttpClient(place);
  const openSync = async (): Promise<SyncOperations> => {
    const [{ Transport }, { groupCalls }] = await Promise.all([import('../client/transport.ts'), import('../client/group-calls.ts')]);
    return groupCalls('sync', new Transport({ ...place, retries: SYNC_RETRIES }));
  };
  return owned({ memories: client, server: url, openSync }, () => client.close());
}

function checkedUrl(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol === 'http:' || parsed?.protocol === 'https:') return parsed.href;
  throw new LoreError('invalid_input', `--url: ${JSON.stringify(url)} is not an http or https address.`, {
    hint: 'Write it as http://127.0.0.1:7007.',
  });
}

/** Closes once, also when the process is asked to end early. */
function owned(parts: Pick<Connection, 'memories' | 'server' | 'openSync'>, release: () => Promise<void>): Connection {
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= release().finally(forget);
    return closing;
  };
  const forget = onShutdown(close);
  return { ...parts, close, [Symbol.asyncDispose]: close };
}
