// npm run soak [-- --help]: half an hour of mixed use of one server, and whether anything of it grows. Not part of the tests.
import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { happeningsOf } from './happenings.mjs';
import { sampleOf } from './samples.mjs';
import { openServers } from './servers.mjs';
import { createTraffic } from './traffic.mjs';
import { tableOf, verdictOn } from './verdict.mjs';

const USAGE = `npm run soak -- [options]
  --minutes N    how long; default 30
  --rate N       requests a second; default 20
  --entries N    entries that there are once it is warm; default 3000
  --model NAME   tiny (default): a real model in a process of its own, which is killed now and then; builtin: none
  --out FILE     all samples and the verdict, as JSON
Exits 1 where something was answered wrongly, an entry is missing or not as it was acknowledged, or a figure grows beyond its bound.
`;
const options = {
  minutes: { type: 'string', default: '30' },
  rate: { type: 'string', default: '20' },
  entries: { type: 'string', default: '3000' },
  model: { type: 'string', default: 'tiny' },
  out: { type: 'string' },
  help: { type: 'boolean', default: false },
};
/** Samples of a run, however long it is; at most one in two seconds. */
const SAMPLES = 180;
const STOP_MS = 10_000;
/** Of the time: early, so that the life after it is long enough to tell a leak from a warm-up. */
const RESTART_AT = 1 / 5;
const SHOWN_FAULTS = 20;
const CHUNK = 1000;
const LOG_CHARS = 1000;

function parse() {
  const { values } = parseArgs({ options });
  const numbers = ['minutes', 'rate', 'entries'].map((name) => {
    if (!(Number(values[name]) > 0)) throw new Error(`--${name} takes a number above 0`);
    return [name, Number(values[name])];
  });
  if (!['tiny', 'builtin'].includes(values.model)) throw new Error('--model takes tiny or builtin');
  return { ...values, ...Object.fromEntries(numbers) };
}

const say = (text) => process.stderr.write(`${text}\n`);

/** Calls `work` every so many milliseconds until `isOver`, one call at a time. */
async function repeat(everyMs, work, isOver) {
  while (!isOver()) {
    await sleep(everyMs);
    if (!isOver()) await work();
  }
}

/** Calls `step` so often a second. What a busy machine has missed is made up for, up to a second of it. */
async function keepPace(rate, step, isOver) {
  let due = performance.now();
  while (!isOver()) {
    const now = performance.now();
    for (due = Math.max(due, now - 1000); due <= now; due += 1000 / rate) step();
    await sleep(due - now);
  }
}

async function stopServer(servers, traffic) {
  const end = await servers.stop();
  say(`stopped in ${end.ms} ms, exit code ${end.code}`);
  if (end.code === 0 && end.ms <= STOP_MS) return;
  traffic.faults.push(
    `the server ended with ${end.code ?? end.signal} after ${end.ms} ms; its log ends with: ${servers.current().log().slice(-LOG_CHARS)}`,
  );
}

/** Everything that clients do for `minutes`, with one restart. Gives the samples. */
async function soak(servers, traffic, { minutes, rate }) {
  const began = performance.now();
  const passed = () => (performance.now() - began) / 60_000;
  const isOver = () => passed() >= minutes;
  const samples = [];
  const sample = () =>
    traffic.during(async () => {
      const life = servers.count;
      samples.push({ life, hours: passed() / 60, ...(await sampleOf(servers.current(), servers.folder)) });
      const { entries, rssMB, fds, files } = samples.at(-1);
      say(`${passed().toFixed(1)} min: ${entries} entries, ${rssMB} MB, ${fds} fds, ${files} files, ${traffic.faults.length} faults`);
    });
  const restart = async () => {
    await sleep(minutes * 60_000 * RESTART_AT);
    await traffic.pause(async () => {
      await stopServer(servers, traffic);
      await servers.startAgain();
      await traffic.compare();
    });
  };
  await Promise.all([
    keepPace(rate, () => traffic.step(), isOver),
    repeat(Math.max(2000, (minutes * 60_000) / SAMPLES), sample, isOver),
    restart(),
    ...happeningsOf(servers, traffic).map(({ name, every, work }) => repeat(every * 1000, () => void traffic.run(name, work), isOver)),
  ]);
  await traffic.pause(() => traffic.rest());
  await sample();
  return samples;
}

/** Every entry that was acknowledged and not removed is there as it was acknowledged, and nothing else is. */
async function checkEntries(traffic) {
  const { stats } = await traffic.json('GET', '/api/health');
  if (stats.totalEntries !== traffic.live.length)
    traffic.faults.push(`${stats.totalEntries} entries are there, ${traffic.live.length} were expected`);
  for (let start = 0; start < traffic.live.length; start += CHUNK) {
    const ids = traffic.live.slice(start, start + CHUNK).map(({ id }) => id);
    const { matches } = await traffic.json('POST', '/api/forget', { ids });
    if (matches !== ids.length) traffic.faults.push(`${ids.length - matches} of ${ids.length} entries are missing`);
  }
  await traffic.compare();
}

async function main(wanted) {
  const servers = await openServers(wanted.model);
  const traffic = createTraffic(servers.current, { target: wanted.entries });
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void servers.leave().then(() => process.exit(1)));
  try {
    while (traffic.live.length < wanted.entries) await traffic.import(Math.min(CHUNK, wanted.entries - traffic.live.length));
    await traffic.rest();
    const samples = await soak(servers, traffic, wanted);
    await checkEntries(traffic);
    await stopServer(servers, traffic);
    const verdict = verdictOn(samples);
    const faults = [...traffic.faults, ...verdict.faults];
    const machine = `Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model.trim()}, load ${loadavg()[0].toFixed(1)}`;
    const report = { machine, ...wanted, operations: traffic.counts, figures: verdict.figures, faults, samples };
    if (wanted.out !== undefined) writeFileSync(wanted.out, `${JSON.stringify(report, undefined, 1)}\n`);
    const counts = Object.entries(traffic.counts).map(([name, count]) => `${count} ${name}`);
    const shown = faults.slice(0, SHOWN_FAULTS).map((fault) => `  ${fault}`);
    const words = faults.length === 0 ? 'Nothing grows, nothing is missing.' : [`${faults.length} faults:`, ...shown].join('\n');
    process.stdout.write(`${machine}; ${wanted.minutes} minutes\n${counts.join(', ')}\n\n${tableOf(verdict)}\n\n${words}\n`);
    return faults.length === 0 ? 0 : 1;
  } finally {
    await servers.leave();
  }
}

let wanted;
try {
  wanted = parse();
} catch (error) {
  say(`${error.message}\n\n${USAGE}`);
  process.exit(2);
}
if (wanted.help) process.stdout.write(USAGE);
else process.exitCode = await main(wanted);
