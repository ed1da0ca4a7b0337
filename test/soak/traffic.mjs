// The clients of a run: a little of everything, at a bounded rate, with the number of entries held steady.
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { entries, random } from '../bench/corpus.mjs';
import { differencesOf, liveEntry } from './live-entries.mjs';
import { operationsOn } from './operations.mjs';

/** More in flight than this is not added to. */
const MOST_AT_ONCE = 16;
const IMPORT_TYPE = 'application/x-ndjson';
/** Share of what is asked that removes entries, while there are too many. */
const REMOVED = 0.6;
/** So many too many are removed before anything else. */
const MANY = 500;
/** Longer than the half second after which the server takes a moment for quiet. */
const QUIET_MS = 1500;

/**
 * The clients of one run. `server()` is the server of the moment; `target` how many entries there are to be. `faults` collects what was
 * answered other than it should have been.
 */
export function createTraffic(server, { target, seed = 1 }) {
  const next = random(seed);
  const texts = entries(Number.MAX_SAFE_INTEGER, seed + 1);
  const fresh = () => texts.next().value;
  /** Entries that are there, oldest first. */
  const live = [];
  const counts = {};
  const faults = [];
  const running = new Set();
  let turn = Promise.resolve();
  let paused = 0;

  const json = (method, path, body) => server().call(method, path, body === undefined ? undefined : JSON.stringify(body));
  const pick = (list) => list[Math.floor(next() * list.length)];
  const operations = operationsOn({ server, json, live, fresh, next, target });
  const weights = { save: 20, update: 8, hybrid: 16, vector: 10, keyword: 10, list: 8, get: 8, stats: 4, mcp: 2, 'empty save': 2 };
  const bag = Object.entries(weights).flatMap(([name, weight]) => Array.from({ length: weight }, () => name));

  const tally = (what) => (counts[what] = (counts[what] ?? 0) + 1);
  /** Counts it by what came of it, and keeps what it rejects with. */
  async function run(name, operation) {
    try {
      const outcome = await operation();
      tally(outcome === undefined ? name : `${name} (${outcome})`);
    } catch (error) {
      tally(`${name} (failed)`);
      faults.push(`${name}: ${error.message}`);
    }
  }

  return {
    counts,
    faults,
    live,
    json,
    run,
    /** Begins one operation, unless too many are on their way or all rest. */
    step() {
      if (paused > 0 || running.size >= MOST_AT_ONCE) return;
      const name =
        live.length > target && next() < (live.length > target + MANY ? 1 : REMOVED) ? 'remove' : live.length < 10 ? 'save' : pick(bag);
      const work = run(name, operations[name]);
      running.add(work);
      void work.finally(() => running.delete(work));
    },
    /** Waits for what is on its way and lets nothing begin while `work` runs; one after another. */
    async pause(work) {
      paused += 1;
      const mine = turn.then(() => Promise.all(running)).then(work);
      turn = mine.catch(() => {});
      await mine.finally(() => (paused -= 1));
    },
    /** Runs beside the traffic, but not while it is paused. */
    async during(work) {
      await turn;
      const done = work();
      running.add(done);
      await done.finally(() => running.delete(done));
    },
    /** Imports new entries, in one request. */
    async import(count) {
      const made = Array.from({ length: count }, fresh);
      const body = made.map((entry) => JSON.stringify(entry)).join('\n');
      const answer = Buffer.from(await server().send('POST', '/api/import?report=full', body, IMPORT_TYPE)).toString();
      const stored = linesOf(answer).filter(({ status }) => status === 'stored');
      live.push(...stored.map(({ line, id }) => liveEntry(made[line - 1], id)));
      if (stored.length !== count) faults.push(`import: ${stored.length} of ${count} new entries are stored`);
    },
    /** Holds the whole store against what was acknowledged. Only while nothing else is under way. */
    async compare() {
      const [, ...exported] = linesOf(Buffer.from(await server().send('GET', '/api/export')).toString());
      faults.push(...differencesOf(live, exported).map((difference) => `export: ${difference}`));
    },
    /** Leaves the server alone for so long that it merges what is there. */
    async rest() {
      await sleep(QUIET_MS);
      await server().settle();
    },
  };
}

const linesOf = (text) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

/** Listens to events for a while, then goes: in the middle of the answer, as a page does that is closed. */
export function listen(url, ms) {
  return new Promise((resolve, reject) => {
    const request = get(`${url}/api/events`, { agent: false }, (response) => {
      let bytes = 0;
      response.on('data', (chunk) => (bytes += chunk.length));
      response.on('error', () => {});
      setTimeout(() => {
        request.destroy();
        if (response.statusCode === 200 && bytes > 0) resolve(bytes);
        else reject(new Error(`events: ${response.statusCode}, ${bytes} bytes`));
      }, ms);
    });
    request.on('error', (error) => reject(error));
  });
}
