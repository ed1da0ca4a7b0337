// node test/eval/model/relevance.mjs [-- --help]: trains src/service/recall/relevance-weights.ts on scripted projects (docs/adr/0068).
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runCommand } from '../../bench/command.mjs';
import { drive } from '../sessions/drive.mjs';
import { readProjects, says, SETS } from '../sessions/projects.mjs';
import { randomFrom } from './random.mjs';

const { Relevance } = await import('../../../dist/service/recall/relevance.js');

const OUT = fileURLToPath(new URL('../../../src/service/recall/relevance-weights.ts', import.meta.url));
const USAGE = `node test/eval/model/relevance.mjs [options]
  --set NAME   ${Object.keys(SETS).join(', ')}; may be repeated; default all
  --keep DIR   what each set gave: written, and read where it is there
  --write      write the weights; else they are only printed
`;
const options = {
  set: { type: 'string', multiple: true },
  keep: { type: 'string' },
  write: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
};
const MODES = ['captured', 'by hand'];
/** Of the weights, against learning single projects by heart. */
const SHRINK = 2e-3;
const ROUNDS = 500;
const RATE = 0.08;

/** Prompts of other projects that each project is asked, too: nothing there answers them. */
const FOREIGN = 8;

/** The projects, each with prompts of others before the last turn of its last session. */
function withForeign(projects) {
  const next = randomFrom(11);
  const asked = projects.flatMap(({ name, sessions }) =>
    sessions.flatMap(({ turns }) => turns.filter(({ does }) => does === 'ask').map(({ text }) => ({ name, text }))),
  );
  for (const { name, sessions } of projects) {
    const others = asked.filter((each) => each.name !== name);
    const taken = Array.from({ length: Math.min(FOREIGN, others.length) }, () => others.splice(Math.floor(next() * others.length), 1)[0]);
    for (const { text } of taken) sessions.at(-1).turns.splice(-1, 0, { does: 'idle', text });
  }
  return projects;
}

/** Every prompt of the projects of a set that were not held out, with the features of each entry and whether it answers: [{ isIdle, rows: [{ features, answers }] }]. */
async function gather(set) {
  const prompts = [];
  let asked;
  const weigh = Object.getOwnPropertyDescriptor(Relevance.prototype, 'weigh').value;
  Relevance.prototype.weigh = async function observed(results, prompt) {
    const weighed = await weigh.call(this, results, prompt);
    if (asked !== undefined) {
      const { wanted } = asked;
      const rows = weighed.map(({ features, result }) => ({
        features,
        answers: wanted !== undefined && says(result.entry.content, wanted),
      }));
      prompts.push({ isIdle: wanted === undefined, rows });
      // The hook asks the same once more.
      asked = undefined;
    }
    return weighed;
  };
  const folder = mkdtempSync(path.join(tmpdir(), 'lore-relevance-'));
  try {
    for (const project of withForeign(readProjects(set).filter(({ heldOut }) => !heldOut))) {
      // Where nobody says anything, nothing is captured.
      const isSaid = project.sessions.some(({ turns }) => turns.some(({ does }) => does === 'user'));
      for (const mode of isSaid ? MODES : ['by hand']) {
        const own = path.join(folder, `${project.name}-${mode}`);
        await drive(project, own, { mode, processes: false, observe: (each) => (asked = each) });
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
    Relevance.prototype.weigh = weigh;
  }
  return prompts;
}

/** The same from a file that an earlier run left. */
async function keptOf(set, keep) {
  if (keep === undefined) return await gather(set);
  const file = path.join(keep, `${set}.json`);
  if (!existsSync(file)) {
    mkdirSync(keep, { recursive: true });
    writeFileSync(file, JSON.stringify(await gather(set)));
  }
  return JSON.parse(readFileSync(file, 'utf8'));
}

const dot = (a, b) => {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += a[at] * b[at];
  return sum;
};

/** Logistic regression by Adam over standardised features: { name -> weight of the raw feature, bias }. The same for the same prompts. */
export function train(prompts) {
  const rows = prompts.flatMap((each) => each.rows);
  const names = Object.keys(rows[0].features);
  const raw = rows.map(({ features }) => names.map((name) => features[name]));
  const mean = names.map((_, at) => raw.reduce((sum, row) => sum + row[at], 0) / raw.length);
  const spread = names.map((_, at) => Math.sqrt(raw.reduce((sum, row) => sum + (row[at] - mean[at]) ** 2, 0) / raw.length) || 1);
  const scaled = raw.map((row) => Float64Array.from([1, ...row.map((value, at) => (value - mean[at]) / spread[at])]));
  const [weights, first, second] = Array.from({ length: 3 }, () => new Float64Array(names.length + 1));
  for (let round = 1; round <= ROUNDS; round++) {
    const slope = new Float64Array(weights.length);
    for (const [nth, row] of scaled.entries()) {
      const error = 1 / (1 + Math.exp(-dot(weights, row))) - Number(rows[nth].answers);
      for (let at = 0; at < row.length; at++) slope[at] += (error * row[at]) / scaled.length;
    }
    for (let at = 0; at < weights.length; at++) {
      const step = slope[at] + (at === 0 ? 0 : SHRINK * weights[at]);
      first[at] = 0.9 * first[at] + 0.1 * step;
      second[at] = 0.999 * second[at] + 0.001 * step * step;
      weights[at] -= (RATE * (first[at] / (1 - 0.9 ** round))) / (Math.sqrt(second[at] / (1 - 0.999 ** round)) + 1e-8);
    }
  }
  const [bias, ...own] = weights;
  const entries = names.map((name, at) => [name, own[at] / spread[at]]);
  return { bias: bias - names.reduce((sum, _, at) => sum + (own[at] * mean[at]) / spread[at], 0), ...Object.fromEntries(entries) };
}

const sourceOf = (weights) =>
  [
    '/** Made by test/eval/model/relevance.mjs: what each feature adds to the logarithm of the odds that an entry answers a prompt. */',
    'export const RELEVANCE: Readonly<Record<string, number>> = {',
    ...Object.entries(weights).map(([name, weight]) => `  ${name}: ${Number(weight.toFixed(3))},`),
    '};',
    '',
  ].join('\n');

async function main({ set: sets = Object.keys(SETS), keep, write }) {
  const prompts = [];
  for (const set of sets) prompts.push(...(await keptOf(set, keep)));
  const weights = train(prompts);
  const rows = prompts.reduce((sum, { rows: each }) => sum + each.length, 0);
  process.stdout.write(`${prompts.length} prompts, ${rows} entries\n${sourceOf(weights)}`);
  if (write) writeFileSync(OUT, sourceOf(weights));
}

await runCommand({ usage: USAGE, parse: () => parseArgs({ options }).values, main });
