// npm run bench [-- --n 1000,10000 --seconds 3]: what one server on this machine does, as Markdown tables. Not part of the tests.
import { mkdtempSync, rmSync, statSync, readdirSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { embedText } from '../../dist/embeddings/builtin.js';
import { corpus, questions } from './corpus.mjs';
import { drive, startServer } from './server.mjs';

const option = (name, otherwise) => {
  const at = process.argv.indexOf(`--${name}`);
  return at === -1 ? otherwise : process.argv[at + 1];
};
const sizes = option('n', '10000').split(',').map(Number);
const seconds = Number(option('seconds', '3'));
const MODES = ['vector', 'keyword', 'hybrid'];

const say = (text = '') => process.stdout.write(`${text}\n`);
const row = (...cells) => say(`| ${cells.join(' | ')} |`);
const head = (...cells) => {
  say();
  row(...cells);
  row(...cells.map(() => '---'));
};
const bytesOf = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(path.join(entry.parentPath, entry.name)).size, 0);

function embedding() {
  const texts = corpus(20_000).map(({ content }) => content.split(' ').slice(0, 26).join(' '));
  const began = process.cpuUsage();
  for (const text of texts) embedText(text);
  const { user, system } = process.cpuUsage(began);
  head('builtin embedder', 'texts per CPU second');
  row('20,000 different texts of 26 words, each once', Math.round(texts.length / ((user + system) / 1e6)));
}

async function saving(folder) {
  const entries = corpus(30_000, 1);
  const server = await startServer(folder);
  head('saving, one request an entry', 'clients', 'saves/s', 'p50 ms', 'p95 ms', 'p99 ms');
  let next = 0;
  for (const clients of [1, 8, 32]) {
    const result = await drive(() => server.call('POST', '/api/save', JSON.stringify(entries[next++])), { clients, seconds, most: 8000 });
    row('POST /api/save', clients, result.perSecond, result.p50, result.p95, result.p99);
  }
  await server.stop();
}

async function recalling(folder, count) {
  const entries = corpus(count);
  let server = await startServer(folder);
  const began = performance.now();
  for (let start = 0; start < count; start += 2000) {
    const lines = entries.slice(start, start + 2000).map((entry) => JSON.stringify(entry));
    await server.call('POST', '/api/import', lines.join('\n'), 'application/x-ndjson');
  }
  const importMs = performance.now() - began;
  await server.settle();
  const settledMs = performance.now() - began;

  head(`${count} entries, recall in one namespace`, 'clients', 'qps', 'p50 ms', 'p95 ms', 'p99 ms', 'known entry in top 10');
  const asked = questions(entries, 400);
  for (const searchMode of MODES) {
    const bodies = asked.map(({ query, namespace }) => JSON.stringify({ query, namespace, searchMode, limit: 10 }));
    let hits = 0;
    for (const [nth, { content }] of asked.slice(0, 200).entries()) {
      const { results } = await server.call('POST', '/api/recall', bodies[nth]);
      if (results.some(({ entry }) => entry.content === content)) hits += 1;
    }
    for (const clients of [1, 16]) {
      const result = await drive((nth) => server.call('POST', '/api/recall', bodies[nth % bodies.length]), { clients, seconds });
      row(searchMode, clients, result.perSecond, result.p50, result.p95, result.p99, (hits / 200).toFixed(3));
    }
  }
  const lists = [0, Math.floor(count * 0.25)];
  for (const offset of lists) {
    const result = await drive(() => server.call('GET', `/api/list?namespace=bench/ns-0&limit=100&offset=${offset}`), {
      seconds: seconds / 2,
    });
    row(`list 100 at offset ${offset}`, 1, result.perSecond, result.p50, result.p95, result.p99, '-');
  }
  const peak = server.peakRss();
  await server.stop();

  head(`${count} entries, start and size`, 'value');
  row('import, entries/s', Math.round(count / (importMs / 1000)));
  row('import and all background work, s', (settledMs / 1000).toFixed(1));
  const [health, first, idle] = [[], [], []];
  for (let round = 0; round < 5; round += 1) {
    server = await startServer(folder);
    health.push(server.startMs);
    await server.call(
      'POST',
      '/api/recall',
      JSON.stringify({ query: asked[0].query, namespace: asked[0].namespace, searchMode: 'hybrid' }),
    );
    first.push(performance.now() - server.began);
    await server.settle();
    idle.push(server.rss());
    await server.stop();
  }
  const median = (values) => Math.round(values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]);
  row('start to first health, ms (median of 5)', median(health));
  row('start to first recall, ms (median of 5)', median(first));
  row('RSS idle after start and one recall, MB', median(idle));
  row('RSS peak under load, MB', peak);
  row('disk at once, bytes an entry', Math.round(bytesOf(folder) / count));
  server = await startServer(folder);
  await server.call(
    'POST',
    '/api/import',
    corpus(1000, 9)
      .map((entry) => JSON.stringify(entry))
      .join('\n'),
    'application/x-ndjson',
  );
  // The versions that the last merge replaced are removed half a minute after it, and that merges once more.
  await sleep(80_000);
  await server.settle();
  await server.stop();
  row('disk after 1,000 more and the clean-up behind them, bytes an entry', Math.round(bytesOf(folder) / (count + 1000)));
  row('mean content, characters', Math.round(entries.reduce((sum, { content }) => sum + content.length, 0) / count));
}

say(`Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model.trim()}`);
embedding();
const root = mkdtempSync(path.join(tmpdir(), 'lore-bench-'));
try {
  await saving(path.join(root, 'saving'));
  for (const count of sizes) await recalling(path.join(root, String(count)), count);
} finally {
  rmSync(root, { recursive: true, force: true });
}
