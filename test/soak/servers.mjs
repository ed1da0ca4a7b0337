// One server after another on one folder, with everything of theirs below it.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';
import { startServer } from '../bench/server.mjs';

const TINY_MODEL = fileURLToPath(new URL('../helpers/tiny-model.ts', import.meta.url));

/** Variables of a server with everything of its own below `root`. */
async function settingsOf(root, model) {
  const home = path.join(root, 'home');
  mkdirSync(home);
  const apart = { HOME: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home, SERVICE_STORAGE_BACKUP_PATH: path.join(root, 'backups') };
  if (model === 'builtin') return apart;
  const models = path.join(root, 'models');
  const { module } = await runnerImport(TINY_MODEL, { configFile: false, logLevel: 'error' });
  await module.writeTinyModel(models);
  return {
    ...apart,
    SERVICE_EMBEDDINGS_PROVIDER: 'local',
    SERVICE_EMBEDDINGS_MODEL: module.TINY_MODEL,
    SERVICE_EMBEDDINGS_LOCAL_MODEL_PATH: models,
    SERVICE_EMBEDDINGS_ALLOW_DOWNLOAD: 'false',
  };
}

/** Starts the first server, with a model called `model`. */
export async function openServers(model) {
  const root = mkdtempSync(path.join(tmpdir(), 'lore-soak-'));
  const folder = path.join(root, 'store');
  const settings = await settingsOf(root, model);
  let server = await startServer(folder, settings);
  const servers = {
    /** Holds everything. */
    root,
    folder,
    backups: path.join(root, 'backups'),
    /** Whether the present one is on its way out, or the next one not there yet. */
    isLeaving: false,
    /** How many there were. */
    count: 1,
    current: () => server,
    /** Ends it with SIGTERM. The answer is how it ended and how long that took, milliseconds. */
    async stop() {
      servers.isLeaving = true;
      const began = performance.now();
      const end = await server.stop();
      return { ...end, ms: Math.round(performance.now() - began) };
    },
    /** Ends it if it runs, and removes everything. */
    async leave() {
      if (!servers.isLeaving) await servers.stop();
      rmSync(root, { recursive: true, force: true });
    },
    async startAgain() {
      server = await startServer(folder, settings);
      servers.count += 1;
      servers.isLeaving = false;
    },
  };
  return servers;
}
