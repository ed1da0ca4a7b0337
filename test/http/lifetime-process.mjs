// A whole server in a process of its own: used hard, closed, and left to end by itself. Prints what it saw as JSON.
// node lifetime-process.mjs FOLDER SAVES STREAMS [MODELS]: MODELS is a folder with the tiny model; without it the builtin embedder serves.
import { get } from 'node:http';
import { openApp, VERSION } from '../../dist/app.js';
import { loadConfig } from '../../dist/config/load.js';
import { createServer } from '../../dist/http/server.js';

const [folder, saves, streams, models] = process.argv.slice(2);
const AT_ONCE = 50;
const GONE_MS = 10_000;
/** To whoever started this process. */
const PIPES = new Set(['PipeWrap', 'TTYWrap']);
const warnings = [];
process.on('warning', ({ name, message }) => warnings.push(`${name}: ${message}`));

const nothing = () => undefined;
const log = { trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing, fatal: nothing };
const local = { 'embeddings.model': 'local/tiny', 'embeddings.localModelPath': models, 'embeddings.allowDownload': false };
const loaded = loadConfig({
  cwd: folder,
  env: {},
  directories: { data: folder, config: folder },
  flags: { 'embeddings.provider': models === undefined ? 'builtin' : 'local', ...(models === undefined ? {} : local), 'server.port': 0 },
});

async function withRest(count, work) {
  for (let start = 0; start < count; start += AT_ONCE)
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - start) }, (_, nth) => work(start + nth)));
}

const app = await openApp(loaded, { log, cwd: folder });
const keys = { required: false, grantFor: nothing };
const settings = loaded.config.server;
const server = createServer({ ...app, keys, localToken: 'token', settings, storageType: 'lancedb', log, version: VERSION });
const { url } = await server.listen();

const call = async (method, path, body, further = {}) => {
  const json = { headers: { 'content-type': 'application/json', ...further }, body: JSON.stringify(body) };
  const answer = await fetch(`${url}${path}`, { method, ...(body === undefined ? {} : json) });
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return await answer.arrayBuffer();
};
/** Listens until the first bytes are there, then goes. */
const listen = () =>
  new Promise((resolve, reject) => {
    const request = get(`${url}/api/events`, { agent: false }, (response) => {
      response.once('data', () => {
        request.destroy();
        resolve();
      });
    });
    request.once('error', reject);
  });

await withRest(Number(saves), (nth) => call('POST', '/api/save', { content: `The heron number ${nth} waits for fish` }));
await withRest(Number(streams), listen);
await withRest(Math.min(100, Number(saves)), (nth) => call('POST', '/api/recall', { query: `heron ${nth}` }));
await call('GET', '/api/export');
await call('POST', '/api/backups', {});
await call('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'ping' }, { accept: 'application/json, text/event-stream' });
await server.close();
await app.close();
// What is being closed is gone a few turns later.
const begun = performance.now();
let resources = [];
do {
  await new Promise((resolve) => setImmediate(resolve));
  resources = process.getActiveResourcesInfo();
} while (resources.some((kind) => !PIPES.has(kind)) && performance.now() - begun < GONE_MS);
const leftListening = ['SIGTERM', 'SIGINT', 'uncaughtException', 'unhandledRejection', 'exit'].filter(
  (name) => process.listenerCount(name) > 1,
);
process.stdout.write(`${JSON.stringify({ resources, warnings, leftListening })}\n`);
