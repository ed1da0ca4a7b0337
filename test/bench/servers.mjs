// npm run bench:servers [-- --help]: what 1, 2 and 3 servers on one store in object storage do. Not part of the tests.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runCommand } from './command.mjs';
import { entries } from './corpus.mjs';
import { openCrowd } from './crowd.mjs';
import { drive } from './load.mjs';
import { rewrite } from './markdown.mjs';
import { questionsOf, requestOf } from './reading.mjs';
import { serversReport } from './servers-report.mjs';
import { importing } from './writing.mjs';

const PAGE = fileURLToPath(new URL('../../docs/performance.md', import.meta.url));
const USAGE = `npm run bench:servers -- [options]
  --n COUNT       entries in the store; default 100000
  --servers LIST  numbers of servers, growing; default 1,2,3
  --clients LIST  requests under way at once, over all servers; default 1,16
  --seconds S     length of each timed phase; default 10
  --warm S        length of the recalls before them that are not counted, in each mode; default 5
  --only WHAT     recall or save; default both
  --json FILE     all figures, and the requests to the storage in each phase by method, table and kind of file
  --write         put the tables into docs/performance.md
`;

const options = {
  n: { type: 'string', default: '100000' },
  servers: { type: 'string', default: '1,2,3' },
  clients: { type: 'string', default: '1,16' },
  seconds: { type: 'string', default: '10' },
  warm: { type: 'string', default: '5' },
  only: { type: 'string' },
  json: { type: 'string' },
  write: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
};

function parse() {
  const { values } = parseArgs({ options });
  const list = (name) => [...new Set(values[name].split(',').map(Number))].toSorted((a, b) => a - b);
  const wanted = { count: Number(values.n), servers: list('servers'), clients: list('clients') };
  const [seconds, warm] = [Number(values.seconds), Number(values.warm)];
  const isWhole = (value) => Number.isInteger(value) && value >= 1;
  if (!isWhole(wanted.count) || wanted.count < 100) throw new Error('--n takes a whole number of at least 100');
  if (![...wanted.servers, ...wanted.clients].every(isWhole)) throw new Error('--servers and --clients take whole numbers above 0');
  if (![undefined, 'recall', 'save'].includes(values.only)) throw new Error('--only takes recall or save');
  if (!(seconds > 0) || !(warm >= 0)) throw new Error('--seconds takes a number above 0, --warm one of at least 0');
  return { ...values, ...wanted, seconds, warm };
}

/** Drives all servers with one operation and says what it cost whom, in CPU milliseconds for each operation, and how busy the machine was by that. */
async function phase(crowd, operation, load) {
  const [before, askedBefore] = [crowd.cpu(), crowd.asked()];
  const began = performance.now();
  const { count, ...times } = await drive(operation, load);
  const tookMs = performance.now() - began;
  const after = crowd.cpu();
  const spent = Object.fromEntries(Object.entries(after).map(([who, ms]) => [who, ms - before[who]]));
  const all = Object.values(spent).reduce((sum, ms) => sum + ms, 0);
  const asked = Object.entries(crowd.asked()).map(([kind, times]) => [kind, times - (askedBefore[kind] ?? 0)]);
  const requests = asked.reduce((sum, [, times]) => sum + times, 0) / Math.max(1, count);
  const perSecond = count / (tookMs / 1000);
  const each = Object.fromEntries(Object.entries(spent).map(([who, ms]) => [who, ms / Math.max(1, count)]));
  const most = Object.fromEntries(asked.filter(([, times]) => times > 0).toSorted(([, a], [, b]) => b - a));
  return { ...times, count, perSecond, requests, asked: most, cpu: each, busy: all / (tookMs * cpus().length) };
}

/** Recalls and saves at the number of servers that there are now. */
async function measure(crowd, asked, { only, ...load }) {
  load.say('warm-up');
  await crowd.settle();
  return [...(only === 'save' ? [] : await recalls(crowd, asked, load)), ...(only === 'recall' ? [] : await saves(crowd, load))];
}

async function recalls(crowd, asked, { clients, seconds, warm, say }) {
  const bodies = (mode) => asked.map((question) => requestOf(question, mode, 'one').body);
  const reads = ['hybrid', 'keyword'].map((mode) => ({ mode, requests: bodies(mode) }));
  const recall = (requests) => (nth) => crowd.send(nth, 'POST', '/api/recall', requests[nth % requests.length]);
  const results = [];
  for (const { requests } of reads) await drive(recall(requests), { clients: Math.max(...clients), seconds: warm });
  for (const { mode, requests } of reads) {
    say(`recall, ${mode}`);
    for (const together of clients) {
      results.push({ what: `recall, ${mode}`, ...(await phase(crowd, recall(requests), { clients: together, seconds })) });
    }
  }
  return results;
}

async function saves(crowd, { clients, seconds, say }) {
  const results = [];
  say('save');
  for (const together of clients) {
    await crowd.settle();
    results.push({ what: 'save', ...(await phase(crowd, savesOf(crowd, together), { clients: together, seconds })) });
  }
  return results;
}

/** Saves an entry that no other phase saves. */
function savesOf(crowd, seed) {
  const made = entries(Infinity, 2000 + 100 * crowd.servers.length + seed);
  return (nth) => crowd.send(nth, 'POST', '/api/save', JSON.stringify(made.next().value));
}

/** What the others do while the maintaining server is killed in the middle; a request that it had begun is not counted. */
async function saveAtKill(crowd, { clients, seconds, say }) {
  say('save, one is killed');
  await crowd.settle();
  const save = savesOf(crowd, 1);
  let slowest = 0;
  const timed = async (nth) => {
    const began = performance.now();
    const isDone = await save(nth).then(
      () => true,
      () => false,
    );
    if (isDone) slowest = Math.max(slowest, performance.now() - began);
  };
  const driving = drive(timed, { clients: Math.max(...clients), seconds });
  await sleep((seconds * 1000) / 3);
  await crowd.kill();
  await driving;
  return slowest;
}

async function main({ count, servers, clients, seconds, warm, only, json, write }) {
  const machine = `Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model.trim()}, ${seconds} s a phase`;
  const root = mkdtempSync(path.join(tmpdir(), 'lore-bench-'));
  mkdirSync(path.join(root, 'azurite'));
  const measured = { machine, date: new Date().toISOString().slice(0, 10), count, loadBefore: loadavg()[0], starts: [], phases: [] };
  const started = performance.now();
  const say = (text) => process.stderr.write(`${((performance.now() - started) / 1000).toFixed(0).padStart(5)} s  ${text}\n`);
  let crowd;
  try {
    crowd = await openCrowd(root);
    say(`import of ${count} entries`);
    const began = performance.now();
    measured.import = await importing(crowd.servers[0], count);
    say('work behind the import');
    await crowd.settle();
    measured.import.settledSeconds = (performance.now() - began) / 1000;
    const asked = questionsOf(count);
    for (const wanted of servers) {
      const told = (text) => say(`${wanted} ${wanted === 1 ? 'server' : 'servers'}: ${text}`);
      told('start');
      while (crowd.servers.length < wanted) measured.starts.push((await crowd.grow()).startMs);
      const results = await measure(crowd, asked, { only, clients, seconds, warm, say: told });
      measured.phases.push(...results.map((result) => ({ servers: wanted, ...result })));
      if (json !== undefined) writeFileSync(json, `${JSON.stringify(measured, undefined, 1)}\n`);
    }
    measured.rss = crowd.servers.map((server) => server.rss());
    if (only !== 'recall' && crowd.servers.length > 1) measured.slowestAtKill = await saveAtKill(crowd, { clients, seconds, say });
    say('end');
    if (json !== undefined) writeFileSync(json, `${JSON.stringify(measured, undefined, 1)}\n`);
  } finally {
    await crowd?.stop();
    rmSync(root, { recursive: true, force: true });
  }
  const text = serversReport(measured);
  process.stdout.write(`${text}\n`);
  if (write) rewrite(PAGE, 'servers', text);
}

await runCommand({ usage: USAGE, parse, main });
