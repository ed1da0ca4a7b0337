// npm run bench:budget [-- --help]: the CPU that each operation costs, beside the query of the engine in it and what it may cost.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { budgetReport } from './budget-report.mjs';
import { embedderMs, engineFloor, measureCosts } from './budget-costs.mjs';
import { runCommand } from './command.mjs';
import { rewrite } from './markdown.mjs';

const PAGE = fileURLToPath(new URL('../../docs/performance.md', import.meta.url));
const BUDGET = fileURLToPath(new URL('budget.json', import.meta.url));
const COUNTS = [1000, 10_000];
/** More over its budget than this is too much: figures of one build differ by a tenth from run to run. */
const TOLERANCE = 0.15;
const USAGE = `npm run bench:budget -- [options]
  --n LIST   numbers of entries; default ${COUNTS.join(',')}
  --accept   write what was measured into test/bench/budget.json, the budget from now on; the last one is kept for the course
  --write    put the table into docs/performance.md

Ends with 1 where an operation costs more than ${TOLERANCE * 100} % over its budget. Budgets are scaled by how fast this machine embeds a fixed text.
`;

const options = {
  n: { type: 'string', default: COUNTS.join(',') },
  accept: { type: 'boolean', default: false },
  write: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
};

function parse() {
  const { values } = parseArgs({ options });
  return { ...values, counts: values.n.split(',').map(Number) };
}

async function main({ counts, accept, write }) {
  const load = loadavg()[0];
  const measured = {
    machine: `Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model.trim()}`,
    embedderMs: embedderMs(),
    costs: {},
  };
  const root = mkdtempSync(path.join(tmpdir(), 'lore-budget-'));
  try {
    for (const count of counts) {
      const folder = path.join(root, String(count));
      process.stderr.write(`${count} entries\n`);
      const costs = await measureCosts(folder, count);
      measured.costs[count] = { ...costs, ...(await engineFloor(folder, count)) };
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
  const { before = [], ...last } = JSON.parse(readFileSync(BUDGET, 'utf8'));
  const budget = accept ? { on: new Date().toISOString().slice(0, 10), ...measured, before: [...before, last] } : { ...last, before };
  if (accept) writeFileSync(BUDGET, `${JSON.stringify(budget, undefined, 2)}\n`);
  const { text, over } = budgetReport(measured, budget, { load, tolerance: TOLERANCE });
  process.stdout.write(`${text}\n`);
  if (write) rewrite(PAGE, 'budget', text);
  if (over.length > 0) {
    process.stderr.write(`over budget: ${over.join(', ')}\n`);
    process.exitCode = 1;
  }
}

await runCommand({ usage: USAGE, parse, main });
