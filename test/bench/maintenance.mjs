// What a store does and needs beside requests: maintenance, starts, space.
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { entries } from './corpus.mjs';
import { drive, median, summary } from './load.mjs';
import { hybridReads } from './reading.mjs';
import { startServer } from './server.mjs';
import { importing } from './writing.mjs';

const ROUNDS = 3;
const STARTS = 5;
const PROBES = 100;

/** Bytes of all files below a folder. Files that go meanwhile count nothing. */
export function bytesOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + (statSync(path.join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0), 0);
}

/** What the server says of its own indexes against exact search; undefined where it has no such route. */
export async function diagnosing(server) {
  try {
    return await server.call('POST', '/api/diagnose', JSON.stringify({ probes: PROBES }));
  } catch (error) {
    if (error.status === 404 || error.status === 405) return undefined;
    throw error;
  }
}

/** What maintenance does, asked for again and again: `state`, and `over` once it has come and gone or `stop` was called. */
function watchMaintenance(server) {
  const watch = { state: 'idle', over: false, stop: () => (watch.over = true) };
  const follow = async () => {
    let seen = false;
    while (!watch.over) {
      watch.state = (await server.call('GET', '/api/health')).maintenance;
      seen ||= watch.state !== 'idle';
      if (seen && watch.state === 'idle') watch.stop();
      else await sleep(50);
    }
  };
  watch.ended = follow();
  return watch;
}

/** Times of one client's reads until maintenance is over, at most ten phases long; only those that began during maintenance count. */
async function readsDuring(server, read, { seconds }) {
  const times = [];
  const watch = watchMaintenance(server);
  const deadline = performance.now() + seconds * 10_000;
  for (let nth = 0; !watch.over && performance.now() < deadline; nth += 1) {
    const busy = watch.state !== 'idle';
    const began = performance.now();
    await read(nth);
    if (busy) times.push(performance.now() - began);
  }
  watch.stop();
  await watch.ended;
  return times;
}

/** Reads of one client while nothing else happens, and while maintenance works off an import of a tenth of the store. */
export async function readingDuringMaintenance(server, asked, { count, seconds }) {
  const read = hybridReads(server, asked);
  await server.settle();
  // A server that has just started is still being compiled.
  await drive(read, { seconds });
  const { count: reads, p50, p95, p99 } = await drive(read, { seconds });
  const times = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const more = Math.min(20_000, Math.max(2000, Math.floor(count / 10)));
    await importing(server, more, entries(more, 500 + round));
    times.push(...(await readsDuring(server, read, { seconds })));
    await server.settle();
  }
  return { quiet: { count: reads, p50, p95, p99 }, busy: summary(times) };
}

/** Starts the server some times; the last one is left running. Medians; times from spawn, milliseconds. */
export async function starting(folder, [{ query, namespace }]) {
  const body = JSON.stringify({ query, namespace, searchMode: 'hybrid' });
  const [health, first, rss] = [[], [], []];
  for (let round = 1; ; round += 1) {
    const server = await startServer(folder);
    health.push(server.startMs);
    await server.send('POST', '/api/recall', body);
    first.push(performance.now() - server.began);
    await server.settle();
    rss.push(server.rss());
    const figures = { healthMs: Math.round(median(health)), firstRecallMs: Math.round(median(first)), idleRss: median(rss) };
    if (round === STARTS) return { server, figures };
    await server.stop();
  }
}
