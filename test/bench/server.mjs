// One real server on a folder of its own, spoken to over HTTP.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';

const BIN = fileURLToPath(new URL('../../bin/run.js', import.meta.url));
const START_MS = 300_000;
/** Clock ticks of /proc a second, milliseconds each: 100 Hz on every Linux that Node runs on. */
const TICK_MS = 10;

const freePort = () =>
  new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });

/** What the kernel tells of a process; undefined in each place where it has no /proc. */
export function processFigures(pid) {
  const read = (file) => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, 'utf8');
    } catch {
      return '';
    }
  };
  const megabytes = (field) => {
    const kilobytes = new RegExp(`${field}:\\s+(\\d+)`).exec(read('status'))?.[1];
    return kilobytes === undefined ? undefined : Math.round(Number(kilobytes) / 1024);
  };
  return {
    /** Resident memory now, MB. */
    rss: () => megabytes('VmRSS'),
    /** Largest resident memory so far, MB. */
    peakRss: () => megabytes('VmHWM'),
    /** CPU time of all its threads so far, milliseconds. */
    cpuMs: () => {
      const stat = read('stat');
      if (stat === '') return undefined;
      // The name in brackets may hold blanks; user and system time are the 12th and 13th field after it.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
    },
  };
}

async function reached(child, call, log) {
  const deadline = performance.now() + START_MS;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the server ended: ${log()}`);
    try {
      return await call('GET', '/api/health');
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await sleep(3);
    }
  }
}

/**
 * Starts `lore serve` with the builtin embedder, or as `more` variables say, and waits for its first answer. `startMs` is from spawn to that
 * answer.
 */
export async function startServer(folder, more = {}) {
  const port = await freePort();
  const began = performance.now();
  const settings = {
    SERVICE_STORAGE_PATH: folder,
    SERVICE_EMBEDDINGS_PROVIDER: 'builtin',
    SERVICE_SERVER_RATE_LIMIT_ENABLED: 'false',
    ...more,
  };
  const child = spawn(process.execPath, [BIN, 'serve', '--port', String(port)], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  child.stderr.on('data', (chunk) => (log = (log + chunk).slice(-4000)));
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 64, pipelining: 1 });
  const send = async (method, path, body, type = 'application/json') => {
    const headers = body === undefined ? {} : { 'content-type': type };
    const response = await pool.request({ method, path, body, headers, bodyTimeout: 600_000, headersTimeout: 600_000 });
    const bytes = await response.body.arrayBuffer();
    if (response.statusCode === 200) return bytes;
    const why = response.statusCode < 500 ? '' : `\n${log}`;
    const error = new Error(`${method} ${path}: ${response.statusCode} ${Buffer.from(bytes).toString().slice(0, 200)}${why}`);
    throw Object.assign(error, { status: response.statusCode });
  };
  const call = async (...request) => JSON.parse(Buffer.from(await send(...request)).toString());
  await reached(child, call, () => log);
  return {
    pid: child.pid,
    url: `http://127.0.0.1:${port}`,
    startMs: performance.now() - began,
    began,
    /** The bytes of an answer, unread: for timing. */
    send,
    /** The answer, read. */
    call,
    ...processFigures(child.pid),
    /** Waits until nothing runs in the background. */
    async settle() {
      await sleep(600);
      while ((await call('GET', '/api/health')).maintenance !== 'idle') await sleep(100);
    },
    /** The last lines that it wrote to its log. */
    log: () => log,
    /** Ends it with SIGKILL; requests under way fail. */
    async kill() {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await new Promise((resolve) => child.once('exit', resolve));
      await pool.destroy();
    },
    /** Ends it with SIGTERM; the answer is how it ended. */
    async stop() {
      await pool.close();
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await new Promise((resolve) => child.once('exit', resolve));
      return { code: child.exitCode, signal: child.signalCode };
    },
  };
}
