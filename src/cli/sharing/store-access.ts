import { setTimeout as sleep } from 'node:timers/promises';
import type { LoadedConfig } from '../../config/load.ts';
import type { HttpSettings } from '../../http/settings.ts';
import type { KeyRing } from '../../memory/grant.ts';
import type { Log } from '../../memory/log.ts';
import type { McpMemories } from '../../mcp/caller.ts';

/** One way to access the memories, until it is no longer valid. */
export interface StoreAccess {
  readonly memories: McpMemories;
  /** False once another process has the store, or is about to take it. */
  isGood(): boolean;
  /** Runs a call, counted as in progress. */
  use<T>(work: (memories: McpMemories) => Promise<T>): Promise<T>;
  /** Waits for running calls (5 seconds at most) and releases the store. Safe to repeat. */
  close(): Promise<void>;
}

export interface StoreAccessOptions {
  readonly loaded: LoadedConfig;
  readonly log: Log;
  readonly version: string;
  /** Called once if the access becomes invalid while unused. */
  readonly onLost: () => void;
}

const GUEST_POLL_MS = 1_000;
const HOST_POLL_MS = 250;
const FINISH_MS = 5_000;

/** A server that shares a store has only one key, the token in the lock file. */
const TOKEN_ONLY: KeyRing = { required: true, grantFor: () => undefined };

/** Opens the store in this process and serves it to other processes on a local port. Rejects as `openApp` does. */
export async function openAsHost({ loaded, log, version, onLost }: StoreAccessOptions): Promise<StoreAccess> {
  const [{ openApp }, { isStoreRequested }, { createServer }] = await Promise.all([
    import('../../app.ts'),
    import('../../lock-holder.ts'),
    import('../../http/server.ts'),
  ]);
  const app = await openApp(loaded, { log, ownsProcess: true });
  const { type: storageType, compression: compressExports } = loaded.config.storage;
  const { memories, ownMemories, answers, lockToken: localToken, audit, telemetry, isReady } = app;
  const settings = settingsOf(loaded);
  const server = createServer({
    settings,
    memories,
    answers,
    keys: TOKEN_ONLY,
    log,
    localToken,
    audit,
    telemetry,
    isReady,
    storageType,
    compressExports,
    version,
  });
  try {
    const { url } = await server.listen();
    app.publishUrl(url, { yields: true });
  } catch (error) {
    await app.close();
    throw error;
  }
  const access = countedAccess(ownMemories, async (whenIdle) => {
    clearInterval(watch);
    await Promise.race([Promise.all([server.close(), whenIdle]), sleep(FINISH_MS)]);
    await app.close();
  });
  const watch = setInterval(() => {
    if (!isStoreRequested(loaded)) return;
    clearInterval(watch);
    onLost();
  }, HOST_POLL_MS);
  return access;
}

/**
 * Opens a shared store in this process, as another server. The access becomes invalid if this process was suspended for too long. Rejects
 * as `openApp` does.
 */
export async function openShared({ loaded, log }: Pick<StoreAccessOptions, 'loaded' | 'log'>): Promise<StoreAccess> {
  const { openApp } = await import('../../app.ts');
  const app = await openApp(loaded, { log });
  const access = countedAccess(app.ownMemories, async (whenIdle) => {
    await Promise.race([whenIdle, sleep(FINISH_MS)]);
    await app.close();
  });
  let isLost = false;
  void app.lost.then(() => (isLost = true));
  return { ...access, isGood: () => access.isGood() && !isLost };
}

/** Uses the process that has the store open. */
export async function connectAsGuest(
  holder: { readonly url: string; readonly token: string },
  { loaded, onLost }: StoreAccessOptions,
): Promise<StoreAccess> {
  const [{ liveHolder }, { createHttpClient }] = await Promise.all([import('../../lock-holder.ts'), import('../../client/http-client.ts')]);
  const client = createHttpClient({ baseUrl: holder.url, key: holder.token });
  const isThere = () => liveHolder(loaded)?.token === holder.token;
  const access = countedAccess(client, async (whenIdle) => {
    clearInterval(watch);
    await Promise.race([whenIdle, sleep(FINISH_MS)]);
    await client.close();
  });
  const watch = setInterval(() => {
    if (isThere()) return;
    clearInterval(watch);
    onLost();
  }, GUEST_POLL_MS);
  return { ...access, isGood: () => access.isGood() && isThere() };
}

function settingsOf({ config: { server } }: LoadedConfig): HttpSettings {
  const cors = { ...server.cors, enabled: false };
  const rateLimit = { ...server.rateLimit, enabled: false };
  return { ...server, host: '127.0.0.1', port: 0, allowedHosts: [], trustedProxies: [], allowUnauthenticated: false, cors, rateLimit };
}

function countedAccess(memories: McpMemories, release: (whenIdle: Promise<void>) => Promise<void>): StoreAccess {
  let calls = 0;
  let onIdle = (): void => {};
  let closing: Promise<void> | undefined;
  const whenIdle = (): Promise<void> => (calls === 0 ? Promise.resolve() : new Promise((resolve) => (onIdle = resolve)));
  return {
    memories,
    isGood: () => closing === undefined,
    async use(work) {
      calls += 1;
      try {
        return await work(memories);
      } finally {
        calls -= 1;
        if (calls === 0) onIdle();
      }
    },
    close: () => (closing ??= release(whenIdle())),
  };
}
