// One real server on a folder of its own, driven over HTTP.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';

const BIN = fileURLToPath(new URL('../../bin/run.js', import.meta.url));

export const freePort = () =>
  new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });

/** Starts `lore serve` and waits for its first answer. `startMs` is from spawn to that answer. */
export async function startServer(folder, env = {}) {
  const port = await freePort();
  const began = performance.now();
  const child = spawn(process.execPath, [BIN, 'serve', '--port', String(port)], {
    env: {
      ...process.env,
      SERVICE_STORAGE_PATH: folder,
      SERVICE_EMBEDDINGS_PROVIDER: 'builtin',
      SERVICE_SERVER_RATE_LIMIT_ENABLED: 'false',
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  child.stderr.on('data', (chunk) => (log = (log + chunk).slice(-4000)));
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 64, pipelining: 1 });
  const call = async (method, path, body, type = 'application/json') => {
    const response = await pool.request({
      method,
      path,
      body,
      headers: body === undefined ? {} : { 'content-type': type },
      bodyTimeout: 600_000,
      headersTimeout: 600_000,
    });
    const text = await response.body.text();
    if (response.statusCode !== 200) throw new Error(`${method} ${path}: ${response.statusCode} ${text.slice(0, 200)}`);
    return JSON.parse(text);
  };
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the server ended: ${log}`);
    try {
      await call('GET', '/api/health');
      break;
    } catch (error) {
      if (performance.now() - began > 60_000) throw error;
      await sleep(3);
    }
  }
  const startMs = performance.now() - began;
  return {
    pid: child.pid,
    startMs,
    began,
    call,
    /** Resident memory now, MB. */
    rss: () => Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024),
    /** Largest resident memory so far, MB. */
    peakRss: () => Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024),
    /** Waits until nothing runs behind the requests. */
    async settle() {
      await sleep(600);
      while ((await call('GET', '/api/health')).maintenance !== 'idle') await sleep(100);
    },
    async stop() {
      await pool.close();
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await new Promise((resolve) => child.once('exit', resolve));
    },
  };
}

/** Closed loop: `clients` workers, one request each at a time, for `seconds` or `most` operations. */
export async function drive(operation, { clients = 1, seconds = 3, most = Infinity }) {
  const times = [];
  let issued = 0;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (issued < most && performance.now() - began < seconds * 1000) {
        const nth = issued;
        issued += 1;
        const start = performance.now();
        await operation(nth);
        times.push(performance.now() - start);
      }
    }),
  );
  times.sort((a, b) => a - b);
  const at = (share) => Number((times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(2));
  return {
    count: times.length,
    perSecond: Math.round(times.length / ((performance.now() - began) / 1000)),
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
  };
}
