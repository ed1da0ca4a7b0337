// npm run eval:sessions [-- --help]: what an agent is told in later sessions of what was said in earlier ones. Not part of the tests.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runCommand } from '../bench/command.mjs';
import { rewrite } from '../bench/markdown.mjs';
import { drive } from './sessions/drive.mjs';
import { readProjects, SETS } from './sessions/projects.mjs';
import { sessionFaults, sessionsReport } from './sessions/report.mjs';
import { askServerMemory } from './sessions/server-memory.mjs';

const PAGE = fileURLToPath(new URL('../../docs/quality.md', import.meta.url));
const MODES = ['captured', 'by hand'];
const OTHER_SETS = Object.keys(SETS).filter((name) => name !== 'first');
const USAGE = `npm run eval:sessions -- [options]
  --mode NAME      captured or "by hand"; may be repeated; default both
  --project NAME   only this project; may be repeated
  --second         the second set, test/eval/data/sessions-second
  --third          the third set, test/eval/data/sessions-third
  --fourth         the fourth set, test/eval/data/sessions-fourth
  --fifth          the fifth set, test/eval/data/sessions-fifth
  --sixth          the sixth set, test/eval/data/sessions-sixth
  --pairs          24 projects of facts and prompts, test/eval/data/sessions-pairs; by hand only
  --corrections    24 projects whose facts change, test/eval/data/sessions-corrections
  --training       the set for training, test/eval/data/sessions-training; its figures say nothing of texts by others
  --processes      run the hooks of each last session as processes, for their time
  --misses         what went wrong in the projects that are not held out
  --server-memory DIR  also ask the real @modelcontextprotocol/server-memory, installed in this folder
  --write          put the tables into docs/quality.md (a whole run only)
`;

const options = {
  mode: { type: 'string', multiple: true },
  project: { type: 'string', multiple: true },
  ...Object.fromEntries(OTHER_SETS.map((name) => [name, { type: 'boolean', default: false }])),
  processes: { type: 'boolean', default: false },
  misses: { type: 'boolean', default: false },
  'server-memory': { type: 'string' },
  write: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
};

function parse() {
  const { values } = parseArgs({ options });
  const unknown = (values.mode ?? []).filter((mode) => !MODES.includes(mode));
  if (unknown.length > 0) throw new Error(`unknown: ${unknown.join(', ')}`);
  if (values.write && (values.mode || values.project)) throw new Error('--write takes a whole run');
  return { ...values, set: OTHER_SETS.findLast((name) => values[name]) ?? 'first' };
}

async function main({ mode: wanted, project: names, set, processes, misses, write, 'server-memory': rival }) {
  const mode = wanted ?? (set === 'pairs' ? ['by hand'] : MODES);
  const projects = readProjects(set).filter(({ name }) => names === undefined || names.includes(name));
  const folder = mkdtempSync(path.join(tmpdir(), 'lore-eval-'));
  try {
    const modes = new Map();
    for (const each of mode) {
      const runs = [];
      for (const project of projects) {
        const own = path.join(folder, `${each.replace(' ', '-')}-${project.name}`);
        runs.push({ project, ...(await drive(project, own, { mode: each, processes })) });
      }
      modes.set(each, runs);
    }
    const serverMemory = rival === undefined ? undefined : await askServerMemory(rival, projects);
    const text = sessionsReport(modes, { projects, set, serverMemory });
    process.stdout.write(`${text}\n`);
    if (misses) process.stdout.write(`\n${sessionFaults(modes).join('\n')}\n`);
    if (write) rewrite(PAGE, SETS[set], text);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

await runCommand({ usage: USAGE, parse, main });
