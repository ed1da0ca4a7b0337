// npm run bench:shards [-- --help]: what a large store does as one table, how it moves to several, and what it does then. Not part of the tests.
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runCommand } from './command.mjs';
import { entries, questions } from './corpus.mjs';
import { drive, median } from './load.mjs';
import { rewrite } from './markdown.mjs';
import { requestOf } from './reading.mjs';
import { startServer } from './server.mjs';
import { shardsReport } from './shards-report.mjs';
import { bytesOf } from './maintenance.mjs';
import { importing } from './writing.mjs';

const PAGE = fileURLToPath(new URL('../../docs/performance.md', import.meta.url));
const QUESTIONS = 500;
const USAGE = `npm run bench:shards -- [options]
  --n COUNT         entries in the store; default 1000000
  --namespaces K    namespaces that they are in, of one size; default 100
  --shards LIST     numbers of tables, one after the other; default 1,8
  --rows COUNT      entries of one namespace that a cycle brings; default 300
  --cycles COUNT    cycles; default 3
  --seconds S       length of each timed phase; default 10
  --json FILE       all figures
  --write           put the table into docs/performance.md
`;

const options = {
  n: { type: 'string', default: '1000000' },
  namespaces: { type: 'string', default: '100' },
  shards: { type: 'string', default: '1,8' },
  rows: { type: 'string', default: '300' },
  cycles: { type: 'string', default: '3' },
  seconds: { type: 'string', default: '10' },
  json: { type: 'string' },
  write: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
};

function parse() {
  const { values } = parseArgs({ options });
  const [count, namespaces, rows, cycles] = ['n', 'namespaces', 'rows', 'cycles'].map((name) => Number(values[name]));
  const shards = values.shards.split(',').map(Number);
  const seconds = Number(values.seconds);
  if (![count, namespaces, rows, cycles, ...shards].every((value) => Number.isInteger(value) && value >= 1)) {
    throw new Error('--n, --namespaces, --rows, --cycles and --shards take whole numbers above 0');
  }
  if (!(seconds > 0)) throw new Error('--seconds takes a number above 0');
  return { ...values, count, namespaces, rows, cycles, shards, seconds };
}

const nameOf = (nth) => `team/${nth}`;

/** The corpus, spread evenly over namespaces. */
function* spread(count, namespaces, seed = 42) {
  let nth = 0;
  for (const entry of entries(count, seed)) yield { ...entry, namespace: nameOf(nth++ % namespaces) };
}

function questionsOf(count, namespaces) {
  const step = Math.max(1, Math.floor(count / QUESTIONS));
  const known = [];
  let nth = 0;
  for (const entry of spread(count, namespaces)) if (nth++ % step === 0) known.push(entry);
  return questions(known, QUESTIONS);
}

/** Bytes that a process handed to the system to write, and asked it for, so far. */
function traffic(pid) {
  const text = readFileSync(`/proc/${pid}/io`, 'utf8');
  const field = (name) => Number(new RegExp(`${name}: (\\d+)`).exec(text)?.[1]);
  return { written: field('wchar'), read: field('rchar') };
}

/** Bytes below a folder, each file once however many names it has. */
function bytesOnce(folder) {
  const seen = new Map();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const { ino, size } = lstatSync(path.join(entry.parentPath, entry.name));
    seen.set(ino, size);
  }
  return [...seen.values()].reduce((sum, size) => sum + size, 0);
}

const requestsOf = (asked, mode, filter) => asked.map((question) => requestOf(question, mode, filter));
const asking = (server, requests) => (nth) =>
  server.send('POST', requests[nth % requests.length].path, requests[nth % requests.length].body);

async function recalls(server, asked, { seconds, say }) {
  const results = [];
  for (const mode of ['hybrid', 'vector', 'keyword']) {
    for (const filter of ['one', 'all']) {
      say(`${mode}, ${filter === 'one' ? 'one namespace' : 'all'}`);
      const operation = asking(server, requestsOf(asked, mode, filter));
      await drive(operation, { clients: 4, seconds: seconds / 2 });
      for (const clients of [1, 16]) results.push({ mode, filter, ...(await drive(operation, { clients, seconds, cpuMs: server.cpuMs })) });
    }
  }
  return results;
}

/** Rows that were never there before. */
const freshRows = (count) => Array.from(spread(count, 1, (freshSeed += 1)));
let freshSeed = 9000;

/** What rows of one namespace cost until all is quiet, and how long a client's recalls take meanwhile. */
async function cycle(server, asked, { rows, round }) {
  await server.settle();
  const [before, cpu] = [traffic(server.pid), server.cpuMs()];
  const lines = freshRows(rows).map((entry) => JSON.stringify({ ...entry, namespace: nameOf(round % 10) }));
  const began = performance.now();
  await server.send('POST', '/api/import', lines.join('\n'), 'application/x-ndjson');
  const read = asking(server, requestsOf(asked, 'hybrid', 'one'));
  const times = [];
  const cycle = { isOver: false };
  const settled = server.settle().then(() => (cycle.isOver = true));
  for (let nth = 0; !cycle.isOver; nth += 1) {
    const at = performance.now();
    await read(nth);
    times.push(performance.now() - at);
    // So that what is measured is the cycle and not what asks beside it.
    await sleep(50);
  }
  await settled;
  const after = traffic(server.pid);
  const sorted = times.toSorted((a, b) => a - b);
  return {
    seconds: (performance.now() - began) / 1000,
    cpuSeconds: (server.cpuMs() - cpu) / 1000,
    written: after.written - before.written,
    read: after.read - before.read,
    p50: sorted[Math.floor(sorted.length / 2)],
    worst: sorted.at(-1),
  };
}

async function cycles(server, asked, { count, rows, say }) {
  const all = [];
  for (let round = 0; round < count; round += 1) {
    say(`cycle ${round + 1}`);
    all.push(await cycle(server, asked, { rows, round }));
  }
  return Object.fromEntries(Object.keys(all[0]).map((key) => [key, median(all.map((one) => one[key]))]));
}

/** What a backup adds to the disk where the one before lacks the rows of one cycle. */
async function backup(server, folder, { asked, rows, say }) {
  say('backup');
  const backups = path.join(folder, 'backups');
  await server.call('POST', '/api/backups', '{}');
  const before = bytesOnce(backups);
  await cycle(server, asked, { rows, round: 7 });
  const began = performance.now();
  await server.call('POST', '/api/backups', '{}');
  const result = { added: bytesOnce(backups) - before, seconds: (performance.now() - began) / 1000 };
  rmSync(backups, { recursive: true, force: true });
  return result;
}

async function main({ count, namespaces, shards, rows, cycles: rounds, seconds, json, write }) {
  const machine = `Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model.trim()}, ${seconds} s a phase`;
  const root = mkdtempSync(path.join(tmpdir(), 'lore-bench-'));
  const measured = { machine, date: new Date().toISOString().slice(0, 10), loadBefore: loadavg()[0], count, namespaces, rows, sizes: [] };
  const folder = path.join(root, 'store');
  const say = (text) => process.stderr.write(`${text}\n`);
  try {
    for (const [nth, tables] of shards.entries()) {
      const told = (text) => say(`${tables} ${tables === 1 ? 'table' : 'tables'}: ${text}`);
      const server = await startServer(folder, {
        SERVICE_STORAGE_SHARDS: String(tables),
        SERVICE_STORAGE_BACKUP_INTERVAL: '0',
        SERVICE_STORAGE_BACKUP_PATH: path.join(root, 'backups'),
        SERVICE_STORAGE_SCRUB_INTERVAL: '0',
        SERVICE_SEARCH_VECTOR_CACHE_MB: '1024',
        NODE_OPTIONS: '--max-old-space-size=8192',
      });
      try {
        const size = { tables, startMs: server.startMs };
        if (nth === 0) {
          told(`import of ${count} entries`);
          size.import = await importing(server, count, spread(count, namespaces));
        } else told('move to them');
        const began = performance.now();
        await server.settle();
        size.settledSeconds = (performance.now() - began) / 1000;
        const asked = questionsOf(count, namespaces);
        size.recalls = await recalls(server, asked, { seconds, say: told });
        size.cycle = await cycles(server, asked, { count: rounds, rows, say: told });
        size.backup = await backup(server, root, { asked, rows, say: told });
        Object.assign(size, { rss: server.rss(), peakRss: server.peakRss(), disk: bytesOf(folder) });
        measured.sizes.push(size);
        if (json !== undefined) writeFileSync(json, `${JSON.stringify(measured, undefined, 1)}\n`);
      } finally {
        await server.stop();
      }
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
  const text = shardsReport(measured);
  process.stdout.write(`${text}\n`);
  if (write) rewrite(PAGE, 'shards', text);
}

await runCommand({ usage: USAGE, parse, main });
