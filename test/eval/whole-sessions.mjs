// npm run eval:whole-sessions [-- --help]: what is kept of sessions whose facts need a neighbour, or are taken back. Not part of the tests.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runCommand } from '../bench/command.mjs';
import { rewrite, table } from '../bench/markdown.mjs';
import { quantile } from './metrics.mjs';
import { openClient } from './sessions/clients.mjs';
import { openProject } from './sessions/server.mjs';

const DATA = fileURLToPath(new URL('data/whole-sessions.txt', import.meta.url));
const PAGE = fileURLToPath(new URL('../../docs/quality.md', import.meta.url));
const WAYS = { 'events only': false, 'with the transcript': true };
const USAGE = `npm run eval:whole-sessions -- [options]
  --session NAME   only this session; may be repeated
  --misses         what went wrong in the sessions that are not held out
  --write          put the table into docs/quality.md (a whole run only)
`;
const options = {
  session: { type: 'string', multiple: true },
  misses: { type: 'boolean', default: false },
  write: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
};

const wordsOf = (text) => text.split(' & ').map((word) => word.trim().toLowerCase());
const says = (text, words) => words.every((word) => text.toLowerCase().includes(word));

/** [{ name, heldOut, turns: [[who, text]], want: [words], fine: [words], never: [words] }] */
function readSessions() {
  const sessions = [];
  for (const line of readFileSync(DATA, 'utf8').split('\n')) {
    const [verb, rest = ''] = line.split(/ (.*)/s);
    const last = sessions.at(-1);
    if (verb === 'session') {
      const [name, split] = rest.split(' ');
      sessions.push({ name, heldOut: split === 'held-out', turns: [], want: [], fine: [], never: [] });
    } else if (['want', 'fine', 'never'].includes(verb)) last[verb].push(wordsOf(rest));
    else if (verb === 'user' || verb === 'assistant') last.turns.push([verb, rest]);
  }
  return sessions;
}

/** What is in the store after a session: { held, stopMs }. Entries that another one takes the place of do not count. */
async function entriesAfter(session, folder, hasTranscript) {
  const opened = await openProject(session.name, folder);
  const client = openClient('claude', { session: session.name, cwd: opened.cwd });
  const stopMs = [];
  const send = async ({ event, payload }) => {
    const { transcript_path: _, ...bare } = payload;
    const { ms } = await opened.hook({ client: 'claude', inProcess: true, event, payload: hasTranscript ? payload : bare });
    if (event === 'Stop') stopMs.push(ms);
    await opened.app.memories.capture.drain();
  };
  try {
    await send(client.start());
    for (const [nth, [who, text]] of session.turns.entries()) {
      // Between two tools the assistant speaks, and no event says so.
      const isBetween = who === 'assistant' && session.turns[nth + 1]?.[0] === 'assistant';
      const event = who === 'user' ? client.prompt(text) : client.answer(text);
      if (!isBetween) await send(event);
    }
    await send(client.end());
    const { entries } = await opened.app.memories.list({ namespace: session.name, limit: 100 });
    return { held: entries.filter(({ superseded }) => superseded !== true).map(({ content }) => content), stopMs };
  } finally {
    await opened.close();
  }
}

function judged({ want, fine, never }, held) {
  const found = want.filter((words) => held.some((text) => says(text, words)));
  const isWanted = (text) => [...want, ...fine].some((words) => says(text, words));
  const outdated = held.filter((text) => !isWanted(text) && never.some((words) => says(text, words)));
  const junk = held.filter((text) => !isWanted(text) && !outdated.includes(text));
  const doubled = want.filter((words) => held.filter((text) => says(text, words)).length > 1);
  return { wanted: want.length, found: found.length, held, outdated, junk, doubled: doubled.length };
}

function rowOf(way, split, runs) {
  const own = runs.filter(({ session }) => split === 'all' || session.heldOut === (split === 'held out'));
  const sum = (of) => own.reduce((total, { judgement }) => total + of(judgement), 0);
  const [wanted, found, held] = [sum((j) => j.wanted), sum((j) => j.found), sum((j) => j.held.length)];
  const [outdated, junk] = [sum((j) => j.outdated.length), sum((j) => j.junk.length)];
  const precision = held === 0 ? '-' : ((held - outdated - junk) / held).toFixed(2);
  return [
    `${way}, ${split}`,
    own.length,
    `${found} of ${wanted}`,
    (found / wanted).toFixed(2),
    precision,
    outdated,
    junk,
    sum((j) => j.doubled),
  ];
}

async function main({ session: names, misses, write }) {
  if (write && names) throw new Error('--write takes a whole run');
  const sessions = readSessions().filter(({ name }) => names === undefined || names.includes(name));
  const folder = mkdtempSync(path.join(tmpdir(), 'lore-eval-'));
  const rows = [];
  const times = [];
  try {
    for (const [way, hasTranscript] of Object.entries(WAYS)) {
      const runs = [];
      const ms = [];
      for (const session of sessions) {
        const { held, stopMs } = await entriesAfter(session, path.join(folder, `${session.name}-${hasTranscript}`), hasTranscript);
        runs.push({ session, judgement: judged(session, held) });
        ms.push(...stopMs);
      }
      rows.push(...['tuned on', 'held out', 'all'].map((split) => rowOf(way, split, runs)));
      times.push(`${way}: median ${quantile(ms, 0.5).toFixed(1)} ms, p95 ${quantile(ms, 0.95).toFixed(1)} ms`);
      for (const { session, judgement } of misses ? runs.filter((run) => !run.session.heldOut) : []) {
        const { found, wanted, outdated, junk, held } = judgement;
        if (found < wanted || outdated.length + junk.length > 0)
          process.stdout.write(`${way}, ${session.name}: ${found} of ${wanted}\n${held.map((text) => `    ${text}\n`).join('')}`);
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const head = ['sessions', 'number', 'facts kept', 'recall', 'precision', 'outdated kept', 'junk kept', 'doubled'];
  const text = [table(head, rows), `Hook at the end of a turn, within the process: ${times.join('; ')}.`].join('\n\n');
  process.stdout.write(`${text}\n`);
  if (write) rewrite(PAGE, 'whole-sessions', text);
}

await runCommand({ usage: USAGE, parse: () => parseArgs({ options }).values, main });
