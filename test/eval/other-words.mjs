// npm run eval:words [-- --help]: questions that share no word with the fact that answers them, and questions that no fact answers. Not part of the tests.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runCommand } from '../bench/command.mjs';
import { rewrite, table } from '../bench/markdown.mjs';
import { readLines } from './dataset.mjs';
import { configFor, fill, openReady, settle } from './lore.mjs';
import { mean } from './metrics.mjs';

const DATA = fileURLToPath(new URL('data/other-words.jsonl', import.meta.url));
const PAGE = fileURLToPath(new URL('../../docs/quality.md', import.meta.url));
const FIRST = 5;
const NAMESPACE = 'shop';
/** Facts of a project that is just begun. */
const FEW = 15;
const KINDS = ['name', 'word', 'value', 'abbr', 'lang'];
const USAGE = `npm run eval:words -- [options]
  --misses   what went wrong in the part that is not held out
  --write    put the table into docs/quality.md
`;
const options = {
  misses: { type: 'boolean', default: false },
  write: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
};

/** Every answerable question lies in a small project, too: { fact -> namespace }. */
const smallProjectOf = (facts) => new Map(facts.map(({ fact }, at) => [fact, `small-${at % Math.ceil(facts.length / FEW)}`]));

async function ask(memories, { question, fact }, namespace) {
  const { results } = await memories.recall({ query: question, namespace, limit: FIRST });
  const report = await memories.capture.context({ prompt: question, namespace, countUse: false });
  const found = results.map(({ entry }) => entry.content);
  return {
    first: found[0] === fact,
    found: found.includes(fact),
    told: report.items.some(({ text }) => text === fact),
    tokens: report.tokens,
    results: found,
    context: report.text,
  };
}

async function run() {
  const lines = readLines(DATA);
  const facts = lines.filter(({ fact }) => fact !== undefined);
  const folder = mkdtempSync(path.join(tmpdir(), 'lore-eval-'));
  try {
    const { app } = await openReady(configFor('builtin', folder), { folder, provider: 'builtin' });
    try {
      const small = smallProjectOf(facts);
      const createdAt = (at) => new Date(Date.UTC(2026, 0, 1) + at * 3_600_000).toISOString();
      const both = facts.flatMap(({ fact }, at) =>
        [NAMESPACE, small.get(fact)].map((namespace) => JSON.stringify({ content: fact, namespace, createdAt: createdAt(at) })),
      );
      await fill(app, { importLines: both });
      await settle(app, 'builtin');
      const asked = [];
      const began = process.cpuUsage();
      for (const line of lines.filter(({ question }) => question !== undefined)) {
        const large = await ask(app.memories, line, NAMESPACE);
        asked.push({ ...line, large, small: line.fact === undefined ? undefined : await ask(app.memories, line, small.get(line.fact)) });
      }
      const { user, system } = process.cpuUsage(began);
      return { asked, facts: facts.length, cpuMs: (user + system) / 1000 / asked.length };
    } finally {
      await app.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const percent = (of, is) => `${Math.round(100 * mean(of.map((each) => (is(each) ? 1 : 0))))} %`;

function row(name, asked) {
  const answerable = asked.filter(({ kind }) => kind !== 'none');
  const none = asked.filter(({ kind }) => kind === 'none');
  return [
    name,
    answerable.length,
    percent(answerable, ({ large }) => large.first),
    percent(answerable, ({ large }) => large.found),
    percent(answerable, ({ large }) => large.told),
    Math.round(mean(answerable.map(({ large }) => large.tokens))),
    percent(answerable, ({ small }) => small.told),
    none.length === 0 ? '' : Math.round(mean(none.map(({ large }) => large.tokens))),
    none.length === 0 ? '' : percent(none, ({ large }) => large.tokens === 0),
  ];
}

function reportOf(asked) {
  const splits = [
    ['tuned on', asked.filter(({ split }) => split === 'tune')],
    ['held out', asked.filter(({ split }) => split === 'held-out')],
    ['all', asked],
  ];
  const kinds = KINDS.map((kind) => [`all, ${kind}`, asked.filter((each) => each.kind === kind)]);
  return table(
    ['questions', 'answerable', 'first', 'first five', 'context', 'its tokens', 'context of 15 facts', 'no answer: tokens', 'told nothing'],
    [...splits, ...kinds].map(([name, own]) => row(name, own)),
  );
}

function faultsOf(asked) {
  const wrong = ({ kind, large, small }) => (kind === 'none' ? large.tokens > 0 : !large.told || !small.told);
  return asked
    .filter((each) => each.split === 'tune' && wrong(each))
    .map(({ kind, question, fact, large, small }) =>
      [
        `${kind}: ${question} -> ${fact ?? '(nothing)'}`,
        `  found ${large.found}, told ${large.told}, of few ${small?.told}`,
        `  ${large.results.join(' | ')}`,
        `  ${large.context.replaceAll('\n', '\n  ')}`,
      ].join('\n'),
    );
}

async function main({ misses, write }) {
  const { asked, cpuMs } = await run();
  const text = reportOf(asked);
  process.stdout.write(`${text}\n\nCPU of a question (recall and context, twice where it has an answer): ${cpuMs.toFixed(1)} ms.\n`);
  if (misses) process.stdout.write(`\n${faultsOf(asked).join('\n')}\n`);
  if (write) rewrite(PAGE, 'words', text);
}

await runCommand({ usage: USAGE, parse: () => parseArgs({ options }).values, main });
