// A real server on a store of its own, its hooks, and the official MCP client connected to it.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

// Both must be in the environment before the native LanceDB module loads.
process.env.LANCE_CPU_THREADS ??= '8';
process.env.LANCEDB_LOG ??= 'error';
const { openApp, VERSION } = await import('../../../dist/app.js');
const { openKeyRing } = await import('../../../dist/config/api-keys.js');
const { ConfigSchema } = await import('../../../dist/config/schema.js');
const { hookOutput } = await import('../../../dist/hooks/run-hook.js');
const { createServer } = await import('../../../dist/http/server.js');
const { silentLog } = await import('../../../dist/memory/log.js');

const PROGRAM = fileURLToPath(new URL('../../../bin/run.js', import.meta.url));
const READY_MS = 60_000;
const SAFE_NAMES = ['PATH', 'SystemRoot', 'TMPDIR', 'TEMP', 'TMP'];

/** Opens all of it below `folder`: { app, cwd, hook, tool, settle, close }. */
export async function openProject(name, folder) {
  const [storage, cwd, home] = ['store', 'work', 'home'].map((each) => path.join(folder, each));
  for (const each of [cwd, home]) mkdirSync(each, { recursive: true });
  const config = ConfigSchema.parse({
    server: { port: 0 },
    storage: { path: storage },
    embeddings: { provider: 'builtin' },
    memory: { namespace: name },
    audit: { path: path.join(folder, 'audit') },
  });
  const app = await openApp({ config }, { log: silentLog, cwd });
  const server = createServer({
    memories: app.memories,
    answers: app.answers,
    keys: openKeyRing({ config, file: path.join(folder, 'keys.json'), log: silentLog }),
    localToken: app.lockToken,
    telemetry: app.telemetry,
    isReady: app.isReady,
    settings: config.server,
    storageType: config.storage.type,
    log: silentLog,
    webRoot: path.join(folder, 'no-web'),
    version: VERSION,
  });
  const { url } = await server.listen();
  app.publishUrl(url);
  const client = new Client({ name: 'evaluation', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
  const env = { SERVICE_STORAGE_PATH: storage, SERVICE_MEMORY_NAMESPACE: name, HOME: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home };
  return {
    app,
    cwd,
    /** Runs a hook here, or in a process of its own: { output, ms }. */
    hook: async ({ client: asking, event, payload, inProcess }) => {
      const given = { event, client: asking, payload: JSON.stringify(payload), env, cwd };
      const began = performance.now();
      const output = await (inProcess ? hookHere(given) : hookProcess(given));
      return { output, ms: performance.now() - began };
    },
    tool: async (tool, args) => {
      const result = await client.callTool({ name: tool, arguments: args });
      if (result.isError === true) throw new Error(JSON.stringify(result.content));
      return result;
    },
    /** Waits until what was told is judged and related. */
    settle: async () => {
      await app.memories.capture.drain();
      const until = performance.now() + READY_MS;
      do {
        await sleep(150);
      } while ((await app.memories.health()).maintenance !== 'idle' && performance.now() < until);
    },
    close: async () => {
      await client.close();
      await server.close();
      await app.close();
    },
  };
}

/** What `lore hook` does, with the input and the environment that a client gives it. */
async function hookHere({ event, client, payload, env }) {
  const [stdin, before] = [Object.getOwnPropertyDescriptor(process, 'stdin'), { ...process.env }];
  Object.defineProperty(process, 'stdin', { value: Readable.from([Buffer.from(payload)], { objectMode: false }), configurable: true });
  Object.assign(process.env, env);
  try {
    return await hookOutput({ event, client });
  } finally {
    Object.defineProperty(process, 'stdin', stdin);
    for (const key of Object.keys(env)) {
      if (before[key] === undefined) delete process.env[key];
      else process.env[key] = before[key];
    }
  }
}

async function hookProcess({ event, client, payload, env, cwd }) {
  const own = Object.fromEntries(SAFE_NAMES.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])));
  const child = spawn(process.execPath, [PROGRAM, 'hook', event, '--client', client], { cwd, env: { ...own, ...env } });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stdin.end(payload);
  await once(child, 'close');
  return output;
}
