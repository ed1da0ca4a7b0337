// npm run eval:code -- --project NAME=FOLDER …: how well Lore finds code and documents of projects, and saved decisions beside them. Not part of the tests.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runCommand } from '../bench/command.mjs';
import { rewrite, table } from '../bench/markdown.mjs';
import { createWindows } from './code-baselines.mjs';
import { configFor, openReady, settle } from './lore.mjs';

const { indexProject } = await import('../../dist/sources/project/index-run.js');

const PAGE = fileURLToPath(new URL('../../docs/quality.md', import.meta.url));
const DATA = fileURLToPath(new URL('data', import.meta.url));
/** What a merge replaced is removed within this time after the last one. */
const TIDY_MS = 8000;
const TIDY_AT_MOST_MS = 90_000;
/** Projects that were added later, to see whether what was tuned on the others holds: every second question is held out. */
const LATER = new Set(['flask', 'zod']);
const SPLITS = ['all', 'tune', 'held-out'];
const USAGE = `npm run eval:code -- --project NAME=FOLDER [--project …] [options]
  --project     a project of test/eval/data/code-questions.jsonl and the folder that its files are in, given several times
  --split NAME  tune, held-out or all (default)
  --misses      each tuning question without an answer in the first five, and what came instead
  --write       put the tables into docs/quality.md
`;
const TEST_FILE = /(?:^|\/)(?:tests?|__tests__|spec)\/|\.(?:test|spec|drill)\.|(?:^|\/)test_[^/]*$|_test\.\w+$/;

function parse() {
  const options = {
    project: { type: 'string', multiple: true, default: [] },
    split: { type: 'string', default: 'all' },
    misses: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  };
  const { values } = parseArgs({ options });
  if (!SPLITS.includes(values.split)) throw new Error('--split is tune, held-out or all');
  const projects = values.project.map((given) => ({
    name: given.split('=')[0],
    folder: path.resolve(given.split('=').slice(1).join('=')),
  }));
  if (projects.length === 0 && !values.help) throw new Error('name at least one project');
  return { ...values, projects };
}

const read = (name) =>
  readFileSync(path.join(DATA, name), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

/** Every third question of a project is held out, of later ones every second. Throws where an answer is not there: it was moved, or the folder is another. */
function questionsOf({ name: project, folder }) {
  const wanted = read('code-questions.jsonl')
    .filter((question) => question.project === project)
    .map((question, nth) => ({ ...question, heldOut: LATER.has(project) ? nth % 2 === 1 : nth % 3 === 2 }));
  const absent = wanted.flatMap(({ files }) => files.filter((file) => !existsSync(path.join(folder, file))));
  if (absent.length > 0) throw new Error(`${project} has no ${absent.join(', ')}`);
  return wanted;
}

function bytesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + (statSync(path.join(parentPath, name), { throwIfNoEntry: false })?.size ?? 0), 0);
}

/** Indexes a project into a store of its own: { app, facts }. */
async function indexed(project, folder) {
  const config = configFor('builtin', folder);
  const { app } = await openReady(config, { folder, provider: 'builtin' });
  const { index, memory } = config.config;
  const run = () =>
    indexProject({
      project: { folder: project.folder, root: project.name, scope: '', namespace: project.name },
      sources: app.memories.sources,
      maxFileBytes: index.maxFileSizeKB * 1024,
      maxFiles: index.maxFilesPerScan,
      splitting: { size: index.chunkSize ?? memory.chunkSize, overlap: memory.chunkOverlap },
      dryRun: false,
    });
  let report = await run();
  while (report.files.left > 0) {
    const next = await run();
    report = { ...next, ms: report.ms + next.ms, entries: { stored: report.entries.stored + next.entries.stored } };
  }
  await settle(app, 'builtin');
  return { app, report };
}

const place = (files, wanted) => {
  const at = files.findIndex((file) => wanted.includes(file));
  return at === -1 ? Number.POSITIVE_INFINITY : at + 1;
};

/** What one system answers: { name, found: question -> [file of each passage], ms }. */
async function askLore(memories, questions, namespace, name, more = {}) {
  const found = new Map();
  const times = [];
  for (const question of questions) {
    const began = performance.now();
    const { results } = await memories.recall({
      query: question.query,
      namespace,
      limit: 10,
      searchMode: 'hybrid',
      countUse: false,
      ...more,
    });
    times.push(performance.now() - began);
    found.set(
      question,
      results.map(({ entry }) => entry.sourceRef?.file ?? entry.content),
    );
  }
  return { name, found, ms: times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0 };
}

const mean = (values) => (values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length);
const figure = (value) => value.toFixed(2);

function rowsOf(systems, questions, label) {
  return systems.map(({ name, found, ms }) => {
    const places = questions.map((question) => place(found.get(question) ?? [], question.files));
    const plain = questions.filter(({ kind }) => kind !== 'tests');
    const tests = mean(
      plain.map((question) => mean((found.get(question) ?? []).slice(0, 5).map((file) => (TEST_FILE.test(file) ? 1 : 0)))),
    );
    const within = (most) => figure(mean(places.map((at) => (at <= most ? 1 : 0))));
    const rank = figure(mean(places.map((at) => 1 / at)));
    return [label, name, questions.length, within(1), within(3), within(5), rank, figure(tests), ms === undefined ? '' : ms.toFixed(0)];
  });
}

function kindRows(systems, questions) {
  const kinds = [...new Set(questions.map(({ kind }) => kind))];
  return kinds.map((kind) => {
    const own = questions.filter((question) => question.kind === kind);
    return [
      kind,
      own.length,
      ...systems.map(({ found }) => figure(mean(own.map((question) => (place(found.get(question) ?? [], question.files) <= 5 ? 1 : 0))))),
    ];
  });
}

/** Decisions about the project, each with one question: the share with the right one among the first three, beside the index and alone. */
async function decisions(memories, project) {
  const all = read('code-decisions.jsonl').filter((decision) => decision.project === project.name);
  const bare = `${project.name} without index`;
  for (const { content } of all) {
    await memories.save({ content, namespace: project.name }, { source: 'mcp' });
    await memories.save({ content, namespace: bare }, { source: 'mcp' });
  }
  const right = async (namespace, more) => {
    const { found } = await askLore(memories, all, namespace, '', more);
    return all.map((decision) => (place(found.get(decision), [decision.content]) <= 3 ? 1 : 0));
  };
  return {
    all,
    beside: await right(project.name),
    alone: await right(bare),
    asked: await right(project.name, { filter: { kind: 'memory' } }),
  };
}

/** The store as it lies on the disk afterwards, without the space that it keeps free. */
const storeBytes = (folder) => bytesBelow(path.join(folder, 'store')) - statSync(path.join(folder, 'store', 'ballast')).size;

/** Resolves once the store has had one size for as long as tidying takes. */
async function tidied(folder) {
  const deadline = Date.now() + TIDY_AT_MOST_MS;
  for (let [before, now] = [-1, storeBytes(folder)]; before !== now && Date.now() < deadline; [before, now] = [now, storeBytes(folder)])
    await sleep(TIDY_MS);
}

async function measure(project) {
  const folder = mkdtempSync(path.join(tmpdir(), 'lore-eval-code-'));
  try {
    const measured = await measureIn(folder, project);
    return { ...measured, store: storeBytes(folder) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureIn(folder, project) {
  const { app, report } = await indexed(project, folder);
  try {
    const questions = questionsOf(project);
    const first = await askLore(app.memories, questions, project.name, 'Lore');
    const files = await app.memories.sources.list({ namespace: project.name, limit: 10_000 });
    const windows = createWindows(
      project.folder,
      files.sources.map(({ path: file }) => file),
    );
    const systems = [
      first,
      { name: 'BM25, 40 lines', found: new Map(questions.map((question) => [question, windows.bm25(question.query)])) },
      { name: 'ripgrep, words', found: new Map(questions.map((question) => [question, windows.grep(question.query)])) },
    ];
    const told = await decisions(app.memories, project);
    systems.splice(1, 0, await askLore(app.memories, questions, project.name, 'Lore, beside decisions'));
    await tidied(folder);
    return { project, questions, systems, told, report, text: windows.bytes, files: files.total };
  } finally {
    await app.close();
  }
}

function textOf(measured, split) {
  const isIn = ({ heldOut }) => split === 'all' || heldOut === (split === 'held-out');
  const head = ['set', 'system', 'questions', 'first', 'first 3', 'first 5', 'MRR', 'tests in first 5', 'ms'];
  const parts = [
    ...measured.map(({ project, questions, systems }) => rowsOf(systems, questions.filter(isIn), project.name)),
    ...(split === 'all' ? [false, true] : []).map((heldOut) => {
      const questions = measured.flatMap((each) => each.questions.filter((question) => question.heldOut === heldOut));
      return rowsOf(merged(measured), questions, heldOut ? 'held out' : 'tuned on');
    }),
  ];
  const all = measured.flatMap(({ questions }) => questions.filter(isIn));
  const both = merged(measured);
  const sizes = measured.map(({ project, report, text, store, files }) => [
    project.name,
    files,
    (text / 1e6).toFixed(2),
    report.entries.stored,
    (store / 1e6).toFixed(1),
    (store / text).toFixed(1),
    (report.ms / 1000).toFixed(1),
  ]);
  const decided = measured.filter(({ told: { all: own } }) => own.length > 0);
  const told = decided.map(({ project, told: { all: own, beside, alone, asked } }) => [
    project.name,
    own.length,
    ...[alone, beside, asked].map((share) => figure(mean(share))),
  ]);
  return [
    table(head, parts.flat()),
    table(['kind', 'questions', ...both.map(({ name }) => `${name}, first 5`)], kindRows(both, all)),
    table(['decisions of', 'questions', 'alone, first 3', 'beside the index', 'with `kind: memory`'], told),
    table(['project', 'files', 'MB of text', 'entries', 'MB of store', 'store / text', 'index, s'], sizes),
  ].join('\n\n');
}

/** Systems over the questions of all projects. */
function merged(measured) {
  return measured[0].systems.map(({ name }, nth) => ({ name, found: new Map(measured.flatMap(({ systems }) => [...systems[nth].found])) }));
}

async function main({ projects, split, misses, write }) {
  const measured = [];
  for (const project of projects) measured.push(await measure(project));
  const text = textOf(measured, split);
  process.stdout.write(`${text}\n`);
  if (misses) {
    for (const { questions, systems, told } of measured) {
      for (const question of questions.filter(({ heldOut }) => !heldOut)) {
        const found = systems[0].found.get(question);
        if (place(found, question.files) > 5)
          process.stdout.write(
            `\n${question.kind}: ${question.query}\n  wanted ${question.files.join(', ')}\n  found  ${found.slice(0, 6).join(', ')}\n`,
          );
      }
      for (const [nth, decision] of told.all.entries())
        if (told.beside[nth] === 0 && nth % 3 !== 2) process.stdout.write(`\ndecision: ${decision.query}\n  ${decision.content}\n`);
    }
  }
  if (write) rewrite(PAGE, 'code', text);
}

await runCommand({ usage: USAGE, parse, main });
