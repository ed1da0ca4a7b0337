// What clients ask of the server: a little of everything, at a bounded rate, with the number of entries held steady.
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { entries, random } from '../bench/corpus.mjs';

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
  const some = () => live[Math.floor(next() * live.length)];
  const pick = (list) => list[Math.floor(next() * list.length)];
  const recall = (searchMode) => async () => {
    const { id, content, namespace } = some();
    const words = content.split(' ').slice(2, 10).join(' ');
    await json('POST', '/api/recall', { query: words, namespace, searchMode, limit: pick([5, 10, 50]) });
    return id;
  };

  const operations = {
    async save() {
      const entry = fresh();
      const { ids } = await json('POST', '/api/save', {
        ...entry,
        content: next() < 0.1 ? `${entry.content} ${'Further words follow. '.repeat(60)}` : entry.content,
      });
      live.push({ ...entry, id: ids[0] });
    },
    async remove() {
      const [oldest] = live.splice(0, 1);
      await json('DELETE', `/api/${oldest.id}`);
    },
    async update() {
      const entry = fresh();
      const { id } = some();
      // Whoever removes it meanwhile is right too.
      await json('PATCH', `/api/${id}`, next() < 0.5 ? { content: entry.content } : { tags: entry.tags }).catch(unless(404));
    },
    hybrid: recall('hybrid'),
    vector: recall('vector'),
    keyword: recall('keyword'),
    list: () => json('GET', `/api/list?limit=${pick([10, 100])}&offset=${Math.floor(next() * target)}`),
    get: () => json('GET', `/api/${some().id}`).catch(unless(404)),
    stats: () => json('GET', pick(['/api/stats', '/api/health', '/api/namespaces', '/api/timeline', '/api/entities?limit=20'])),
    mcp: () => askMcp(server().url),
    refused: () => json('POST', '/api/save', { content: '' }).catch(unless(400)),
  };
  const weights = { save: 20, update: 8, hybrid: 16, vector: 10, keyword: 10, list: 8, get: 8, stats: 4, mcp: 2, refused: 2 };
  const bag = Object.entries(weights).flatMap(([name, weight]) => Array.from({ length: weight }, () => name));

  /** Counts it, and keeps what it rejects with. */
  async function run(name, operation) {
    counts[name] = (counts[name] ?? 0) + 1;
    try {
      await operation();
    } catch (error) {
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
      for (const line of answer
        .trim()
        .split('\n')
        .map((text) => JSON.parse(text))) {
        if (line.status === 'stored') live.push({ ...made[line.line - 1], id: line.id });
      }
    },
    /** Leaves the server alone for so long that it merges what is there. */
    async rest() {
      await sleep(QUIET_MS);
      await server().settle();
    },
  };
}

/** One request of the Model Context Protocol, which makes a server of that protocol of its own. */
async function askMcp(url) {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const answer = await fetch(`${url}/mcp`, { method: 'POST', headers, body: '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}' });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`POST /mcp: ${answer.status} ${text.slice(0, 200)}`);
}

/** Passes what was refused with this status; anything else goes on as it is. */
function unless(status) {
  return (error) => {
    if (error.status !== status) throw error;
  };
}

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
