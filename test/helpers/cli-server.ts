import { dirname, join } from 'node:path';
import { openApp, VERSION } from '../../src/app.ts';
import { LiveSettings } from '../../src/cli/settings/live-settings.ts';
import { administrationHere } from '../../src/cli/server/administration.ts';
import { keysFilePath, openKeyRing } from '../../src/config/api-keys.ts';
import { loadConfig } from '../../src/config/load.ts';
import { createServer } from '../../src/http/server.ts';
import { silentLog } from '../../src/memory/log.ts';
import { environment, type Cli, type Running } from './cli.ts';
import { storePathOf } from './cli-store.ts';

/**
 * Serves the store of a command line in this process with the same settings, keys and lock file as `lore serve`, so that commands find and use
 * the server.
 */
export async function serveHere(cli: Pick<Cli, 'cwd' | 'home'>, env: Readonly<Record<string, string>> = {}): Promise<Running> {
  const directories = { data: dirname(storePathOf(cli)), config: join(cli.home, '.config', 'lore') };
  const loaded = loadConfig({
    cwd: cli.cwd,
    env: { ...environment(cli.home), ...env },
    directories,
    flags: { 'server.port': 0 },
  });
  const log = silentLog;
  const live = new LiveSettings(loaded, () => undefined);
  const keysFile = keysFilePath(directories.config);
  const app = await openApp(loaded, { log, cwd: cli.cwd, keysFile, settings: live });
  const { memories, answers, lockToken: localToken, audit, telemetry, isReady } = app;
  const { server: settings, storage } = loaded.config;
  const lore = createServer({
    memories,
    answers,
    localToken,
    audit,
    telemetry,
    isReady,
    settings,
    log,
    keys: openKeyRing({ config: loaded.config, file: keysFile, log }),
    storageType: storage.type,
    compressExports: storage.compression,
    webRoot: join(cli.home, 'no-web'),
    version: VERSION,
    administration: administrationHere(),
  });
  const stop = async (): Promise<void> => {
    await lore.close();
    await app.close();
  };
  const { url } = await lore.listen().catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  app.publishUrl(url);
  let stopped: Promise<void> | undefined;
  return { url, pid: process.pid, stop: () => (stopped ??= stop()) };
}
