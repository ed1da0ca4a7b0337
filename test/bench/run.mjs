// npm run bench [-- --help]: what one server on this machine does, at growing numbers of entries. Not part of the tests.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { embedText } from '../../dist/embeddings/builtin.js';
import { runCommand } from './command.mjs';
import { entries } from './corpus.mjs';
import { rewrite } from './markdown.mjs';
import { curves, report } from './report.mjs';
import { measureSize } from './size.mjs';

const DOCS = new URL('../../docs/', import.meta.url);
const USAGE = `npm run bench -- [options]
  --n LIST       numbers of entries; default 1000,10000,100000
  --huge         1,000,000 entries as well
  --seconds S    length of each timed phase; default 3
  --json FILE    all figures; written after each number of entries
  --with FILE    figures of an earlier run, shown beside those of other numbers of entries
  --write        put the tables into docs/performance.md and draw docs/performance.svg
`;

const options = {
  n: { type: 'string', default: '1000,10000,100000' },
  huge: { type: 'boolean', default: false },
  seconds: { type: 'string', default: '3' },
  json: { type: 'string' },
  with: { type: 'string' },
  write: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
};

function parse() {
  const { values } = parseArgs({ options });
  const counts = [...new Set([...values.n.split(',').map(Number), ...(values.huge ? [1_000_000] : [])])].toSorted((a, b) => a - b);
  const seconds = Number(values.seconds);
  if (!counts.every((count) => Number.isInteger(count) && count >= 100)) throw new Error('--n takes whole numbers of at least 100');
  if (!(seconds > 0)) throw new Error('--seconds takes a number above 0');
  return { ...values, counts, seconds };
}

/** Texts that the builtin embedder does in a second of CPU, each text once. */
function embedderRate() {
  const texts = Array.from(entries(20_000), ({ content }) => content.split(' ').slice(0, 26).join(' '));
  const began = process.cpuUsage();
  for (const text of texts) embedText(text);
  const { user, system } = process.cpuUsage(began);
  return Math.round(texts.length / ((user + system) / 1e6));
}

async function main({ counts, seconds, json, with: earlier, write }) {
  const machine = `Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model.trim()}, ${seconds} s a phase`;
  const measured = { machine, date: new Date().toISOString().slice(0, 10), seconds, embedder: embedderRate(), sizes: [] };
  const root = mkdtempSync(path.join(tmpdir(), 'lore-bench-'));
  try {
    for (const count of counts) {
      const say = (phase) => process.stderr.write(`${count} entries: ${phase}\n`);
      const folder = path.join(root, String(count));
      measured.sizes.push(await measureSize(folder, count, { seconds, say }));
      rmSync(folder, { recursive: true, force: true });
      if (json !== undefined) writeFileSync(json, `${JSON.stringify(measured, undefined, 1)}\n`);
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
  if (earlier !== undefined) {
    const others = JSON.parse(readFileSync(earlier, 'utf8')).sizes.filter(({ count }) => !counts.includes(count));
    measured.sizes = [...others, ...measured.sizes].toSorted((a, b) => a.count - b.count);
  }
  const text = report(measured);
  process.stdout.write(`${text}\n`);
  if (!write) return;
  writeFileSync(fileURLToPath(new URL('performance.svg', DOCS)), curves(measured));
  rewrite(fileURLToPath(new URL('performance.md', DOCS)), 'results', text);
}

await runCommand({ usage: USAGE, parse, main });
