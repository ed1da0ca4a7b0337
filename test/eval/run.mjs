// npm run eval [-- --help]: how well Lore finds what it holds, beside two plain baselines. Not part of the tests.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runCommand } from '../bench/command.mjs';
import { rewrite } from '../bench/markdown.mjs';
import { createBm25, createGrep } from './baselines.mjs';
import { captureReport, faults } from './capture.mjs';
import { secondTurnsReport, turnFaults, turnsReport } from './turns.mjs';
import { readDataset } from './dataset.mjs';
import { askLore, MODES } from './lore.mjs';
import { misses } from './misses.mjs';
import { pairsReport } from './pairs.mjs';
import { record } from './record.mjs';
import { inSplit, report, SPLITS } from './report.mjs';

const PROVIDERS = ['builtin', 'local'];
const PAGE = fileURLToPath(new URL('../../docs/quality.md', import.meta.url));
const USAGE = `npm run eval -- [options]
  --data DIR       folder with memories.jsonl and queries.jsonl; default test/eval/data
  --split NAME     tune, held-out or all (default)
  --group NAME     only this group of queries; may be repeated
  --mode NAME      vector, keyword or hybrid; may be repeated; default all
  --embedder NAME  builtin or local; may be repeated; default both, where the local model is on this machine
  --pairs          only the labelled pairs: duplicates, and relations from explicit cues; opens no store
  --capture        only automatic capture: a simulated day of hook events, and labelled turns; --misses shows what went wrong on the tuning part
  --misses         each tuning query without an answer in the first three, and what came instead (hybrid, or the modes named)
  --json FILE      everything that was answered and measured
  --write          put the tables into docs/quality.md (a whole run over the data of the project only)
`;

const options = {
  data: { type: 'string' },
  split: { type: 'string', default: 'all' },
  group: { type: 'string', multiple: true },
  mode: { type: 'string', multiple: true },
  embedder: { type: 'string', multiple: true },
  pairs: { type: 'boolean', default: false },
  capture: { type: 'boolean', default: false },
  misses: { type: 'boolean', default: false },
  json: { type: 'string' },
  write: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
};

function parse() {
  const { values } = parseArgs({ options });
  const unknown = [
    ...[values.split].filter((split) => !SPLITS.includes(split)),
    ...(values.mode ?? []).filter((mode) => !MODES.includes(mode)),
    ...(values.embedder ?? []).filter((embedder) => !PROVIDERS.includes(embedder)),
  ];
  if (unknown.length > 0) throw new Error(`unknown: ${unknown.join(', ')}`);
  const partial = values.data || values.group || values.mode || values.embedder || values.split !== 'all';
  if (values.pairs && (partial || values.misses || values.json)) throw new Error('--pairs takes no other option but --write');
  if (values.capture && (partial || values.pairs || values.json))
    throw new Error('--capture takes no other option but --misses and --write');
  if (values.write && partial) throw new Error('--write takes a whole run, without --data, --split, --group, --mode and --embedder');
  return { ...values, partial };
}

const answer = (find, queries) => new Map(queries.map((query) => [query.id, { ranked: find(query) }]));

async function run(wanted) {
  const folder = path.resolve(wanted.data ?? fileURLToPath(new URL('data', import.meta.url)));
  const all = readDataset(folder);
  const queries = all.queries.filter(({ group }) => wanted.group === undefined || wanted.group.includes(group));
  const dataset = { ...all, queries: inSplit(queries, wanted.split) };
  if (dataset.queries.length === 0) throw new Error('no query is left');
  const lore = [];
  for (const provider of wanted.embedder ?? PROVIDERS) lore.push(await askLore(provider, dataset, wanted.mode ?? MODES));
  const own = lore.flatMap(({ embedder, model, systems = [] }) => systems.map((system) => ({ embedder, model, ...system })));
  const plain = [
    { name: 'BM25', answers: answer(createBm25(all.memories), dataset.queries) },
    { name: 'grep', answers: answer(createGrep(all.memories), dataset.queries) },
  ];
  return { dataset, systems: [...plain, ...own], leftOut: lore.filter(({ leftOut }) => leftOut !== undefined) };
}

function tellPairs({ write }) {
  const text = pairsReport();
  process.stdout.write(`${text}\n`);
  if (write) rewrite(PAGE, 'pairs', text);
}

async function tellCapture({ write, misses: shown }) {
  const day = await captureReport();
  process.stdout.write(`${day.text}\n`);
  if (shown) process.stdout.write(`\n${faults(day.done).join('\n')}\n`);
  const turns = await turnsReport();
  process.stdout.write(`\n${turns.text}\n`);
  if (shown) process.stdout.write(`\n${turnFaults(turns.done).join('\n')}\n`);
  const second = await secondTurnsReport();
  process.stdout.write(`\n${second.text}\n`);
  if (shown) process.stdout.write(`\n${turnFaults(second.done).join('\n')}\n`);
  if (!write) return;
  rewrite(PAGE, 'capture', day.text);
  rewrite(PAGE, 'turns', turns.text);
  rewrite(PAGE, 'turns-second', second.text);
}

async function main(wanted) {
  if (wanted.pairs) return tellPairs(wanted);
  if (wanted.capture) return await tellCapture(wanted);
  const { dataset, systems, leftOut } = await run(wanted);
  const text = report({ systems, leftOut, queries: dataset.queries, memories: dataset.memories.length, split: wanted.split });
  process.stdout.write(`${text}\n`);
  if (wanted.misses) {
    const shown = systems.filter(({ embedder, name }) => embedder !== undefined && (wanted.mode ?? ['hybrid']).includes(name));
    for (const system of shown) process.stdout.write(`\n${misses(system, dataset)}\n`);
  }
  if (wanted.json !== undefined) {
    writeFileSync(wanted.json, record({ memories: dataset.memories.length, queries: dataset.queries, systems, leftOut }));
  }
  if (wanted.write) rewrite(PAGE, 'results', text);
  if (!wanted.partial) {
    process.stdout.write('\n');
    tellPairs(wanted);
    process.stdout.write('\n');
    await tellCapture({ ...wanted, misses: false });
  }
}

await runCommand({ usage: USAGE, parse, main });
