// A folder in /tmp with a HOME, a project and a model of its own, in which a client is started without an account and without a way out of this machine.
import { spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startModel } from './model-server.mjs';

const LORE = fileURLToPath(new URL('../../../bin/run.js', import.meta.url));
/** Nothing answers there: a client that looks for news of its own finds none, at once. */
const NOWHERE = 'http://127.0.0.1:9';
const TEST = `#!/bin/sh
[ -f .env ] && { echo "12 passed"; exit 0; }
echo "Error: DATABASE_URL is not set" >&2
exit 1
`;

/** @param {{ name: string, env?: Record<string, string> }} client */
export async function openPlace(client, { lore = LORE, thinksMs = 4000 } = {}) {
  const folder = await realpath(await mkdtemp(join(tmpdir(), `lore-client-${client.name}-`)));
  const [home, project, bin] = ['home', 'shop', 'bin'].map((name) => join(folder, name));
  for (const each of [home, project, bin]) await mkdir(each);
  await writeFile(join(project, 'test.sh'), TEST);
  await chmod(join(project, 'test.sh'), 0o755);
  // The plugins call `lore` by its name.
  await writeFile(join(bin, 'lore'), `#!/bin/sh\nexec "${process.execPath}" "${lore}" "$@"\n`);
  await chmod(join(bin, 'lore'), 0o755);
  const model = await startModel({ pauseMs: thinksMs });
  const env = {
    HOME: home,
    PATH: [bin, dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':'),
    LANG: 'C.UTF-8',
    HTTPS_PROXY: NOWHERE,
    HTTP_PROXY: NOWHERE,
    NO_PROXY: '127.0.0.1,localhost',
    ...client.env,
  };
  const place = {
    folder,
    home,
    project,
    model,
    env,
    /** Starts a program in the project; `onLine` hears its output with the time since the start. */
    run: (command, args, options = {}) => run(command, args, { cwd: project, ...options, env: { ...env, ...options.env } }),
    lore: (...args) => run(process.execPath, [lore, ...args], { cwd: project, env }),
    /** Starts `lore serve` and gives its process once it answers. */
    serve: () => serve(lore, { cwd: project, env }),
    write: async (path, text) => {
      const file = join(folder, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
      return file;
    },
    read: (path) => readFile(join(folder, path), 'utf8').catch(() => undefined),
    close: async () => {
      await model.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  await place.run('git', ['init', '-q']);
  return place;
}

function run(command, args, { cwd, env, onLine, timeoutMs = 120_000 }) {
  return new Promise((resolve) => {
    const began = performance.now();
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
    let [out, err, rest] = ['', '', ''];
    child.stdout.on('data', (chunk) => {
      out += chunk;
      const lines = (rest + chunk).split('\n');
      rest = lines.pop();
      for (const line of lines) onLine?.(line, performance.now() - began);
    });
    child.stderr.on('data', (chunk) => (err += chunk));
    child.on('error', (error) => (err += error));
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code, out, err, ms: performance.now() - began });
    });
  });
}

async function serve(lore, { cwd, env }) {
  const child = spawn(process.execPath, [lore, 'serve', '--port', '0'], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  await new Promise((resolve, reject) => {
    let said = '';
    const hear = (chunk) => {
      said += chunk;
      if (/http:\/\/127\.0\.0\.1:\d+|http:\/\/localhost:\d+/.test(said)) resolve();
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.on('close', () => reject(new Error(`lore serve ended: ${said}`)));
  });
  const ended = new Promise((resolve) => child.on('close', resolve));
  return {
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal);
      await ended;
    },
  };
}
