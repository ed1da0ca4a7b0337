// What the scripted projects gave, as Markdown.
import { table } from '../../bench/markdown.mjs';
import { mean, quantile } from '../metrics.mjs';
import { tokensOf } from './drive.mjs';
import { says } from './projects.mjs';

const share = (part, whole) => (whole === 0 ? '-' : `${Math.round((100 * part) / whole)} %`);
const most = (values) => (values.length === 0 ? 0 : Math.max(...values));
const round = (value) => Math.round(value);

const SPLITS = [
  { name: 'tuned on', isIn: ({ heldOut }) => !heldOut },
  { name: 'held out', isIn: ({ heldOut }) => heldOut },
  { name: 'all', isIn: () => true },
];

function told(runs, mode) {
  const rows = SPLITS.map(({ name, isIn }) => {
    const own = runs.filter(({ project }) => isIn(project));
    const [asked, idle] = [own.flatMap(({ asked: each }) => each), own.flatMap(({ idle: each }) => each)];
    const answered = (where) => share(asked.filter((each) => each.answered[where]).length, asked.length);
    const outdated = (where) => asked.reduce((sum, each) => sum + each.outdated[where], 0);
    const starts = own.flatMap(({ starts: each }) => each);
    const tokens = asked.map((each) => each.tokens.hook);
    return [
      `${mode}, ${name}`,
      asked.length,
      answered('hook'),
      answered('session'),
      answered('context'),
      answered('recall'),
      `${outdated('hook') + starts.reduce((sum, each) => sum + each.outdated, 0)}, ${outdated('context')}, ${outdated('recall')}`,
      `${round(mean(tokens))} (${most(tokens)})`,
      round(mean(asked.map((each) => each.tokens.context))),
      idle.length === 0 ? '-' : `${round(mean(idle.map((each) => each.tokens)))} (${most(idle.map((each) => each.tokens))})`,
      `${round(mean(starts.map((each) => each.tokens)))} (${most(starts.map((each) => each.tokens))})`,
    ];
  });
  return rows;
}

const ofKind = (wanted) => (fact) => fact.kind === wanted && fact.replaces === undefined;
const COLUMNS = {
  first: ['decision', 'preference', 'convention', 'fix', 'fact'].map((kind) => [
    kind === 'fact' ? 'plain facts' : `${kind}${kind === 'fix' ? 'es' : 's'}`,
    (fact) => fact.kind === kind,
  ]),
  second: [
    ['conventions', ofKind('convention')],
    ['decisions', ofKind('decision')],
    ['fixes', ofKind('fix')],
    ['preferences', ofKind('preference')],
    ['numbers', ofKind('number')],
    ['dates, people, facts', ({ kind }) => ['date', 'person', 'fact'].includes(kind)],
    ['corrections', ({ replaces }) => replaces !== undefined],
    ['not English', ({ language = 'en' }) => language !== 'en'],
  ],
};
COLUMNS.third = COLUMNS.second;
COLUMNS.fourth = COLUMNS.second;
COLUMNS.fifth = COLUMNS.second;
COLUMNS.sixth = COLUMNS.second;
COLUMNS.pairs = COLUMNS.second;
COLUMNS.corrections = COLUMNS.second;

function kept(runs, columns) {
  return SPLITS.map(({ name, isIn }) => {
    const own = runs.filter(({ project }) => isIn(project));
    const facts = own.flatMap(({ project }) => [...project.facts.values()]);
    const found = own.flatMap((run) => [...run.project.facts.values()].filter(({ id }) => run.kept.has(id)));
    const byKind = columns.map(([, isOf]) => share(found.filter(isOf).length, facts.filter(isOf).length));
    const junk = own.reduce((sum, run) => sum + run.junk.length, 0);
    const leaks = own.reduce((sum, run) => sum + run.leaked.length, 0);
    return [name, facts.length, share(found.length, facts.length), ...byKind, junk, leaks];
  });
}

/** One file with every fact that holds, loaded whole at the start of each session. */
function byHand(projects) {
  const texts = projects.map(({ facts }) => {
    const replaced = new Set([...facts.values()].map(({ replaces }) => replaces));
    return [...facts.values()].filter(({ id }) => !replaced.has(id)).map(({ text }) => `- ${text}`);
  });
  return mean(texts.map((lines) => tokensOf(lines.join('\n'))));
}

/** `search_nodes` of server-memory finds a text by a part of it: at best, each longer word of the question is tried, and all that has one is read. */
function bySubstring(projects) {
  const asked = projects.flatMap((project) =>
    project.sessions.flatMap(({ turns }, nth) => {
      const known = project.sessions
        .slice(0, nth)
        .flatMap((each) => each.turns.flatMap((turn) => (turn.does === 'fact' ? [turn.fact] : [])));
      return turns
        .filter(({ does }) => does === 'ask')
        .map((turn) => ({ known, fact: project.facts.get(turn.fact), wanted: turn.words, text: turn.text }));
    }),
  );
  const found = asked.map(({ known, fact, wanted, text }) => {
    const words = text.toLowerCase().match(/[\p{L}\p{N}_]{5,}/gu) ?? [];
    const hits = known.filter((each) => words.some((word) => each.text.toLowerCase().includes(word)));
    const read = hits.map((each) => each.text).join('\n');
    return { isFound: says(read, { words: wanted ?? fact.words }), tokens: tokensOf(read) };
  });
  return { share: share(found.filter(({ isFound }) => isFound).length, found.length), tokens: mean(found.map(({ tokens }) => tokens)) };
}

function ofServerMemory({ version, found }) {
  const answered = share(found.filter(({ isFound }) => isFound).length, found.length);
  return [`server-memory ${version}`, found.length, answered, '', '', '', '', round(mean(found.map(({ tokens }) => tokens))), '', '', 0];
}

/** Every table; `modes`: mode -> what `drive` gave for each project, with the project. `serverMemory`: what `askServerMemory` gave, if it was asked. */
export function sessionsReport(modes, { projects, set, serverMemory }) {
  const columns = COLUMNS[set] ?? COLUMNS.sixth;
  const rows = [...modes].flatMap(([mode, runs]) => told(runs, mode));
  const substring = bySubstring(projects);
  const hookMs = [...modes.values()].flatMap((runs) => runs.flatMap((run) => run.hookMs));
  const processMs = [...modes.values()].flatMap((runs) => runs.flatMap((run) => run.processMs));
  const times = (name, values) =>
    values.length === 0 ? [] : [`${name}: median ${round(quantile(values, 0.5))} ms, p95 ${round(quantile(values, 0.95))} ms.`];
  return [
    table(
      [
        'facts, projects',
        'questions',
        'hook',
        'session',
        'memory_context',
        'recall, first five',
        'outdated (hook, context, recall)',
        'tokens of a hook (most)',
        'of memory_context',
        'nothing to answer (most)',
        'start (most)',
      ],
      [
        ...rows,
        ['no memory', '', '0 %', '0 %', '', '', '', 0, '', 0, 0],
        ['CLAUDE.md by hand', '', '0 %', '100 %', '', '', '', 0, '', 0, round(byHand(projects))],
        ...(serverMemory === undefined
          ? [['server-memory, by words', '', substring.share, '', '', '', '', round(substring.tokens), '', '', 0]]
          : [ofServerMemory(serverMemory)]),
      ],
    ),
    table(
      ['captured', 'facts', 'kept', ...columns.map(([name]) => name), 'junk kept', 'secrets leaked'],
      kept(modes.get('captured') ?? [], columns),
    ),
    [...times('Hook of a prompt, within the process', hookMs), ...times('Hook of a prompt, as a process', processMs)].join(' '),
  ].join('\n\n');
}

/** Facts that no entry holds, each with what was said before it. */
function notKept({ project, kept: ids }) {
  return project.sessions.flatMap(({ turns }) =>
    turns.flatMap(({ does, fact }, nth) => {
      if (does !== 'fact' || ids.has(fact.id)) return [];
      const said = turns.slice(0, nth).findLast((turn) => ['user', 'assistant', 'save'].includes(turn.does));
      return [{ fact, said: `${said?.does}: ${said?.text}` }];
    }),
  );
}

/** What went wrong in the projects that are not held out, for whoever works on what is told. */
export function sessionFaults(modes) {
  return [...modes].flatMap(([mode, runs]) =>
    runs
      .filter(({ project }) => !project.heldOut)
      .flatMap((run) => [
        ...run.asked
          .filter(({ answered, outdated }) => !answered.hook || !answered.context || outdated.hook + outdated.context + outdated.recall > 0)
          .map(({ project, fact, question, answered, outdated, texts }) =>
            [
              `${mode}, ${project}: ${question}`,
              `  wanted ${fact.text}${run.kept.has(fact.id) ? '' : ' (not kept)'}`,
              `  ${JSON.stringify(answered)} outdated ${JSON.stringify(outdated)}`,
              `  hook: ${texts.hook.replaceAll('\n', '\n    ')}`,
              `  context: ${texts.context.replaceAll('\n', '\n    ')}`,
              `  recall: ${texts.first.join(' | ')}`,
            ].join('\n'),
          ),
        ...run.idle
          .filter(({ tokens, contextTokens }) => tokens + contextTokens > 0)
          .map(({ text, prompt, context }) => `${mode}, idle: ${text}\n  ${prompt}\n  context: ${context}`),
        ...notKept(run).map(({ said, fact }) => `${mode}, ${run.project.name}, not kept (${fact.kind}): ${fact.text}\n  said: ${said}`),
        ...run.leaked.map((secret) => `${mode}, ${run.project.name}, leaked: ${secret}`),
        ...run.junk.map((text) => `${mode}, ${run.project.name}, junk: ${text}`),
      ]),
  );
}
