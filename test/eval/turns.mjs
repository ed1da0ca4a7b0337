// What capture keeps of turns as people say them: the real service, builtin embedder, a namespace for each session.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { table } from '../bench/markdown.mjs';
import { readLines } from './dataset.mjs';

process.env.LANCE_CPU_THREADS ??= '8';
process.env.LANCEDB_LOG ??= 'error';
const { openApp } = await import('../../dist/app.js');
const { loadConfig } = await import('../../dist/config/load.js');
const { silentLog } = await import('../../dist/memory/log.js');

const SESSION_ITEMS = 8;
const MINUTE_MS = 60_000;
const START = Date.UTC(2026, 0, 5, 8);
const normal = (text) => text.replaceAll(/\s+/g, ' ').toLowerCase();
const holds = (content, words) => words.every((word) => normal(content).includes(normal(word)));

/** The labelled items of a file; every third is held out. */
export function labelledItems(file = 'turns.jsonl') {
  const lines = readLines(fileURLToPath(new URL(`data/${file}`, import.meta.url)));
  return lines.map((item, at) => ({ ...item, heldOut: at % 3 === 2 }));
}

function eventOf(turn) {
  if (turn.person !== undefined) return { event: 'prompt', text: turn.person };
  if (turn.assistant !== undefined) return { event: 'response', text: turn.assistant };
  return { event: 'tool', ...turn };
}

/** Sessions of a few items each; what stands side by side in the file is told in different sessions. */
function sessionsOf(items) {
  const count = Math.ceil(items.length / SESSION_ITEMS);
  return Array.from({ length: count }, (_, session) => items.filter((_item, at) => at % count === session));
}

/** Entries that are new in a namespace, or global. */
async function fresh(memories, namespace, seen) {
  const found = [];
  // What a person says of themselves is global.
  for (const name of [namespace, 'global']) {
    for await (const line of memories.export({ namespace: name })) {
      if (!('content' in line) || seen.has(line.id)) continue;
      seen.add(line.id);
      found.push(line.content);
    }
  }
  return found;
}

/** What was kept at each item: { ...item, kept: entries of its last turn or of a turn that is not outdated, old: those of turns that a later one corrects }. */
async function runTurns(items, folder) {
  const flags = { 'embeddings.provider': 'builtin', 'memory.namespace': 'default', 'storage.path': path.join(folder, 'store') };
  const config = loadConfig({ cwd: folder, env: {}, directories: { data: folder, config: folder }, flags });
  const app = await openApp(config, { log: silentLog, cwd: folder, background: false });
  try {
    const done = [];
    const seen = new Set();
    for (const [at, own] of sessionsOf(items).entries()) {
      const namespace = `turns/session-${at}`;
      let now = START + at * 60 * MINUTE_MS;
      for (const item of own) {
        const result = { ...item, kept: [], old: [] };
        for (const [place, turn] of item.turns.entries()) {
          now += MINUTE_MS;
          await app.memories.capture.accept({ client: 'claude', session: `turns-${at}`, namespace, at: now, ...eventOf(turn) });
          await app.memories.capture.drain();
          const isOld = item.kind === 'correction' && place < item.turns.length - 1;
          result[isOld ? 'old' : 'kept'].push(...(await fresh(app.memories, namespace, seen)));
        }
        done.push(result);
      }
    }
    return done;
  } finally {
    await app.close();
  }
}

/** Files of a folder with one of the secrets in them. */
function leaks(folder, secrets) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.filter((entry) => {
    const bytes = readFileSync(path.join(entry.parentPath, entry.name));
    return secrets.some((secret) => bytes.includes(secret));
  });
}

const missing = ({ keep, kept }) => keep.filter((words) => !kept.some((content) => holds(content, words)));
const junkOf = ({ keep, may = [], kept }) => kept.filter((content) => ![...keep, ...may].some((words) => holds(content, words)));
const ratio = (part, whole) => (whole === 0 ? '-' : (part / whole).toFixed(2));

function figures(items) {
  const sum = (of) => items.reduce((total, item) => total + of(item), 0);
  const wanted = sum(({ keep }) => keep.length);
  const found = wanted - sum((item) => missing(item).length);
  const kept = sum((item) => item.kept.length);
  const junk = sum((item) => junkOf(item).length);
  const outdated = items.filter((item) => item.old.length > 0 && missing(item).length > 0).length;
  return { wanted, found, kept, junk, outdated };
}

function row(name, items) {
  const { wanted, found, kept, junk, outdated } = figures(items);
  return [name, items.length, wanted, found, ratio(found, wanted), kept, junk, ratio(kept - junk, kept), outdated];
}

const HEAD = ['items', 'worth keeping', 'found', 'recall', 'kept', 'junk', 'precision', 'outdated without the new one'];

function split(done, field) {
  const names = [...new Set(done.map((item) => item[field]))];
  const rows = names.flatMap((name) => {
    const own = done.filter((item) => item[field] === name);
    return [
      row(
        `${name}, tuned on`,
        own.filter(({ heldOut }) => !heldOut),
      ),
      row(
        `${name}, held out`,
        own.filter(({ heldOut }) => heldOut),
      ),
    ];
  });
  return table([field === 'lang' ? 'language' : 'kind', ...HEAD], rows);
}

/** The tuning items that went wrong, for whoever works on the rules; held-out ones are never shown. */
export function turnFaults(done) {
  const wrong = done.filter((item) => !item.heldOut && (missing(item).length > 0 || junkOf(item).length > 0));
  return wrong.map((item) =>
    [
      `${item.lang} ${item.kind}: ${item.turns.map((turn) => JSON.stringify(turn)).join(' ')}`,
      ...missing(item).map((words) => `  missed ${JSON.stringify(words)}`),
      ...item.kept.map((content) => `  kept ${JSON.stringify(content)}`),
    ].join('\n'),
  );
}

/** Every item with what was kept of it; and what there is to say of the whole. */
async function judged(file) {
  const folder = mkdtempSync(path.join(tmpdir(), 'lore-eval-'));
  try {
    const items = labelledItems(file);
    const done = await runTurns(items, folder);
    const secrets = items.flatMap(({ never = [] }) => never);
    const turns = items.reduce((sum, item) => sum + item.turns.length, 0);
    const facts =
      `${turns} turns in ${items.length} items of ${Math.ceil(items.length / SESSION_ITEMS)} sessions. Secrets in them: ${secrets.length}; ` +
      `files of the data folder with one of them: ${leaks(folder, secrets).length}.`;
    return { done, facts };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const parts = (done) => [
  row(
    'tuned on',
    done.filter(({ heldOut }) => !heldOut),
  ),
  row(
    'held out',
    done.filter(({ heldOut }) => heldOut),
  ),
];

/** Every table on the labelled turns, as Markdown; and the items with what was kept of them. */
export async function turnsReport() {
  const { done, facts } = await judged('turns.jsonl');
  const text = [facts, table(['turns', ...HEAD], parts(done)), split(done, 'lang'), split(done, 'kind')].join('\n\n');
  return { text, done };
}

/** The same of the turns that somebody else wrote, in sums only. */
export async function secondTurnsReport() {
  const { done, facts } = await judged('turns-second.jsonl');
  return { text: [facts, table(['turns of others', ...HEAD], parts(done))].join('\n\n'), done };
}
