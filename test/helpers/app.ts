import { openApp, type App } from '../../src/app.ts';
import { loadConfig, type LoadedConfig } from '../../src/config/load.ts';
import { silentLog, type Log } from '../../src/memory/log.ts';
import { temporaryFolder } from './folder.ts';
import { storeLocation } from './store-location.ts';

/** Configuration with the builtin embedder and everything in one folder; `flags` are key paths. */
export function testConfig(folder: string, flags: Record<string, unknown> = {}): LoadedConfig {
  return loadConfig({
    cwd: folder,
    env: {},
    directories: { data: folder, config: folder },
    flags: { 'embeddings.provider': 'builtin', 'memory.namespace': 'test', 'storage.path': `${folder}/store`, ...flags },
  });
}

export type TestApp = App & { readonly folder: string; readonly config: LoadedConfig };

/** A real app in a temporary folder, removed when disposed. */
export async function openTestApp(flags: Record<string, unknown> = {}, log: Log = silentLog): Promise<TestApp> {
  const folder = await temporaryFolder();
  const location = Object.entries(await storeLocation(folder.path)).map(([name, value]) => [`storage.${name}`, value] as const);
  const config = testConfig(folder.path, { ...Object.fromEntries(location), ...flags });
  const app = await openApp(config, { log, cwd: folder.path });
  return {
    ...app,
    folder: folder.path,
    config,
    [Symbol.asyncDispose]: async () => {
      await app.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}
