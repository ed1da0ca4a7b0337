// How much of a simulated day Lore keeps, and how much of that is worth it: the real service on a store of its own, builtin embedder.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { table } from '../bench/markdown.mjs';
import { simulatedDay } from './capture-day.mjs';
import { readDataset } from './dataset.mjs';

process.env.LANCE_CPU_THREADS ??= '8';
process.env.LANCEDB_LOG ??= 'error';
const { openApp } = await import('../../dist/app.js');
const { loadConfig } = await import('../../dist/config/load.js');
const { statementsIn } = await import('../../dist/memory/capture/capture-statements.js');
const { silentLog } = await import('../../dist/memory/log.js');

const SECRET = /ghp_[A-Z2-7]{36}|hunter2_[A-Z2-7]{12}|AKIA[A-Z2-7]{16}|sk-proj-[A-Z2-7]{40}/g;
const normal = (text) => text.replaceAll(/\s+/g, ' ').toLowerCase();

/** Files of a folder that hold any of the secrets, byte for byte. */
function leaks(folder, secrets) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => {
      const bytes = readFileSync(file);
      return secrets.some((secret) => bytes.includes(secret));
    });
}

/** What became of each event: { ...labelled, entries, verdict }. */
async function runDay({ events, known }, folder) {
  const config = loadConfig({
    cwd: folder,
    env: {},
    directories: { data: folder, config: folder },
    flags: { 'embeddings.provider': 'builtin', 'memory.namespace': 'default', 'storage.path': path.join(folder, 'store') },
  });
  const app = await openApp(config, { log: silentLog, cwd: folder, background: false });
  try {
    const { memories } = app;
    for (const { content, namespace } of known) await memories.save({ content, namespace }, { source: 'cli' });
    // The clients were told of them in their sessions.
    for (const { content, namespace } of known) await memories.recall({ query: content, namespace, limit: 3 });
    const seen = new Set((await listed(memories)).map(({ id }) => id));
    const done = [];
    let before = await memories.capture.stats({});
    for (const labelled of events) {
      await memories.capture.accept(labelled.event);
      await memories.capture.drain();
      const after = await memories.capture.stats({});
      const reason = Object.keys(after.byReason).find((name) => after.byReason[name] > before.byReason[name]);
      const entries = after.kept > before.kept ? (await listed(memories, labelled.event.namespace)).filter(({ id }) => !seen.has(id)) : [];
      for (const { id } of entries) seen.add(id);
      done.push({ ...labelled, entries, reason });
      before = after;
    }
    return { done, stats: before };
  } finally {
    await app.close();
  }
}

/** By an export: what is listed counts as given out, and is not captured any more. What a person says of themselves is global. */
async function listed(memories, namespace) {
  const found = [];
  for (const wanted of namespace === undefined ? [{}] : [{ namespace }, { namespace: 'global' }]) {
    for await (const line of memories.export(wanted)) if ('content' in line) found.push(line);
  }
  return found;
}

/** Entries that nobody asked for: of events without a gist, and of others those without it. */
const junkIn = ({ gist, entries }) =>
  gist === undefined ? entries.length : entries.filter(({ content }) => !normal(content).includes(normal(gist))).length;
const isFound = ({ gist, entries }) => entries.some(({ content }) => normal(content).includes(normal(gist)));
const share = (part, whole) => (whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)} %`);

function figures(done) {
  const entries = done.reduce((sum, { entries: own }) => sum + own.length, 0);
  const junk = done.reduce((sum, event) => sum + junkIn(event), 0);
  const wanted = done.filter(({ gist }) => gist !== undefined);
  const found = wanted.filter(isFound).length;
  return { events: done.length, entries, junk, wanted: wanted.length, found };
}

function overall(done) {
  const splits = [
    ['tuned on', done.filter(({ heldOut }) => !heldOut)],
    ['held out', done.filter(({ heldOut }) => heldOut)],
    ['all', done],
  ];
  const rows = splits.map(([name, events]) => {
    const { events: count, entries, junk, wanted, found } = figures(events);
    return [name, count, wanted, entries, `${junk} (${share(junk, entries)})`, `${found} (${share(found, wanted)})`];
  });
  return table(['templates', 'events', 'worth keeping', 'kept', 'of these junk', 'of those worth it found'], rows);
}

function byKind(done) {
  const kinds = [...new Set(done.map(({ kind }) => kind))].toSorted((a, b) => a.localeCompare(b));
  const rows = kinds.map((kind) => {
    const own = done.filter((event) => event.kind === kind);
    const { events, entries, junk, wanted, found } = figures(own);
    const reasons = new Map();
    for (const { reason } of own) if (reason !== undefined) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    const named = [...reasons].toSorted(([, a], [, b]) => b - a).map(([reason, count]) => `${reason} ${count}`);
    return [kind, events, wanted, found, entries, junk, named.slice(0, 4).join(', ')];
  });
  return table(['kind of event', 'events', 'worth keeping', 'found', 'kept', 'junk', 'refused as'], rows);
}

/** Texts that were written for another purpose, as if a user typed them: what of them the rules for prompts keep. */
function elsewhere() {
  const { memories, queries } = readDataset(fileURLToPath(new URL('data', import.meta.url)));
  const kept = (texts) => texts.filter((text) => statementsIn(text).length > 0).length;
  const isEnglish = (text) => !/[^\u0020-\u007e\u2010-\u2026\n]/.test(text);
  const [facts, questions] = [memories.map(({ content }) => content), queries.map(({ query }) => query)];
  const rows = [
    ['memories in English, worth keeping', facts.filter(isEnglish)],
    ['memories in other languages, or with other letters, worth keeping', facts.filter((text) => !isEnglish(text))],
    ['queries, not worth it', questions],
  ].map(([name, texts]) => [name, texts.length, `${kept(texts)} (${share(kept(texts), texts.length)})`]);
  return `### The texts of the search evaluation, said as prompts\n\n${table(['texts', 'count', 'kept something of'], rows)}`;
}

/** The tuning events that went wrong, for whoever works on the rules. */
export function faults(done) {
  const shown = done.filter((event) => !event.heldOut && (junkIn(event) > 0 || (event.gist !== undefined && !isFound(event))));
  return shown.map(({ kind, event, gist, entries, reason }) =>
    [
      `${kind}: ${JSON.stringify(event.text ?? [event.tool, event.input, event.output])}`,
      `  wanted ${JSON.stringify(gist)}, refused as ${reason}`,
      ...entries.map(({ content }) => `  kept ${JSON.stringify(content)}`),
    ].join('\n'),
  );
}

/** Every table on the simulated day, as Markdown; and the events with what became of them. */
export async function captureReport() {
  const folder = mkdtempSync(path.join(tmpdir(), 'lore-eval-'));
  try {
    const day = simulatedDay();
    const { done, stats } = await runDay(day, folder);
    const secrets = [...new Set(day.events.flatMap(({ event }) => (event.text ?? '').match(SECRET) ?? []))];
    const leaked = leaks(folder, secrets);
    const { entries, junk } = figures(done);
    const facts =
      `${done.length} events of 12 sessions in 4 projects, with ${day.known.length} memories in the store before. ` +
      `Kept ${stats.kept}, refused ${stats.refused}. Junk among what is kept: ${share(junk, entries)} (wanted: less than 5 %). ` +
      `Secrets in the events: ${secrets.length}; files of the data folder with one of them: ${leaked.length}.`;
    return { text: [facts, overall(done), byKind(done), elsewhere()].join('\n\n'), done };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
