import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { App } from '../../app.ts';
import type { LoadedConfig } from '../../config/load.ts';
import type { Administration } from '../../memory/operations/administration.ts';
import type { Log } from '../../memory/log.ts';

/** Sent to a new demo, so that the statistics are not empty. */
const ASKED = [
  'why do we retry webhooks',
  'deploy on a Friday',
  'time zone of a sailing',
  'refund',
  'contrast',
  'sourdough',
  'lock_timeout',
];

export interface DemoServer extends AsyncDisposable {
  readonly url: string;
  readonly storePath: string;
  /** A configuration that serves this store again. */
  readonly configFile: string;
  readonly memories: number;
}

interface DemoOptions {
  /** An empty folder that nobody else uses. */
  readonly folder: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly webRoot: string;
  readonly log: Log;
}

/**
 * A server on a new store with made-up memories, all in one folder. Does not read the user's files or environment variables, and writes
 * none of the user's files.
 */
export async function openDemo({ folder, port, webRoot, log }: DemoOptions): Promise<DemoServer> {
  const [{ openApp, VERSION: version }, { createServer }, { openKeyRing }, { demoImport, DEMO_NAMESPACE }, { LiveSettings }] =
    await Promise.all([
      import('../../app.ts'),
      import('../../http/server.ts'),
      import('../../config/key-ring.ts'),
      import('../../demo/demo-store.ts'),
      import('../settings/live-settings.ts'),
    ]);
  const { loaded, file } = await demoSettings(folder, { port, namespace: DEMO_NAMESPACE });
  const { server: settings, storage } = loaded.config;
  const live = new LiveSettings(loaded, () => undefined);
  const app = await openApp(loaded, { log, cwd: folder, keysFile: join(folder, 'keys.json'), settings: live });
  const closing: (() => Promise<void>)[] = [() => app.close()];
  const close = async (): Promise<void> => {
    for (const step of closing.splice(0)) await step();
  };
  try {
    const { stored } = await fill(app, demoImport());
    const keys = openKeyRing({ config: loaded.config, file: join(folder, 'keys.json'), log });
    const administration = await administrationOf(folder);
    const serving = { settings, storageType: storage.type, compressExports: storage.compression, webRoot, version, administration };
    const server = createServer({
      memories: app.memories,
      answers: app.answers,
      keys,
      log,
      localToken: app.lockToken,
      telemetry: app.telemetry,
      isReady: app.isReady,
      ...serving,
    });
    closing.unshift(() => server.close());
    const { url } = await server.listen();
    app.publishUrl(url);
    await ask(url);
    return { url, storePath: app.storePath, configFile: file, memories: stored, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The configuration of the demo, also stored as a file, so that a kept store can be served again. */
async function demoSettings(
  folder: string,
  { port, namespace }: { readonly port: number; readonly namespace: string },
): Promise<{ loaded: LoadedConfig; file: string }> {
  const file = join(folder, 'lore.config.json');
  const settings = {
    storage: { path: './store' },
    embeddings: { provider: 'builtin' },
    memory: { namespace },
    server: { cors: { enabled: false } },
  };
  await writeFile(file, `${JSON.stringify(settings, undefined, 2)}\n`);
  const { loadConfig } = await import('../../config/load.ts');
  const directories = { data: folder, config: folder };
  return { loaded: loadConfig({ cwd: folder, env: {}, flags: { 'server.port': port }, configFile: file, directories }), file };
}

async function fill({ memories }: App, lines: string): Promise<{ readonly stored: number }> {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield new TextEncoder().encode(lines);
  }
  return await memories.import(chunks(), { strict: true }, { source: 'import' });
}

/** Reports clients as if nothing was set up: the user's own clients do not belong in the demo. */
async function administrationOf(folder: string): Promise<Administration> {
  const [{ targetStates }, { thisLauncher }, { thisProgram }] = await Promise.all([
    import('../../integrations/target-states.ts'),
    import('../../integrations/launcher.ts'),
    import('./administration.ts'),
  ]);
  const places = { home: join(folder, 'home'), project: join(folder, 'home'), platform: process.platform, env: {}, data: folder };
  const program = thisProgram();
  return {
    integrations: async () => {
      const states = await targetStates({ places, launcher: thisLauncher() });
      const integrations = states.map((state) => ({ ...state, found: false, command: `${program} setup --target ${state.target}` }));
      return { program, integrations };
    },
  };
}

async function ask(url: string): Promise<void> {
  for (const query of ASKED) {
    const body = JSON.stringify({ query });
    const response = await fetch(new URL('api/recall', `${url}/`), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    await response.arrayBuffer();
  }
}
