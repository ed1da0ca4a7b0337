/**
 * npm run test:nightly -- [--runs 10] [--shuffled 3] [--seed N]
 * Runs `npm test` again and again, the last of them with files and tests in another order each time; the properties try other cases in each. Stops at the
 * first run that fails, keeps its log and prints what brings its order and its cases back.
 */
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '10' },
    shuffled: { type: 'string', default: '3' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
  },
});
for (const [name, value] of Object.entries(values)) {
  if (!/^\d{1,12}$/.test(value)) throw new Error(`--${name} must be a whole number, not ${JSON.stringify(value)}.`);
}
const [runs, shuffled, seed] = [values.runs, values.shuffled, values.seed].map(Number);
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = await mkdtemp(path.join(tmpdir(), 'lore-nightly-'));

/** Runs `npm test` with these words after it; its code, or 1 where a signal ended it. */
async function test(words, { log, cases }) {
  const env = { ...process.env, LORE_FUZZ_SEED: String(cases) };
  const child = spawn('npm', ['test', '--', ...words], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const file = createWriteStream(log);
  for (const stream of [child.stdout, child.stderr]) {
    stream.pipe(file, { end: false });
    stream.pipe(process.stdout, { end: false });
  }
  const code = await new Promise((resolve) => child.once('close', resolve));
  await new Promise((resolve) => file.end(resolve));
  return code ?? 1;
}

for (let run = 1; run <= runs; run += 1) {
  const nth = run - (runs - shuffled);
  const words = nth > 0 ? ['--sequence.shuffle.files', '--sequence.shuffle.tests', `--sequence.seed=${seed + nth - 1}`] : [];
  const cases = seed + run;
  const command = [`LORE_FUZZ_SEED=${cases}`, 'npm', 'test', '--', ...words].join(' ');
  const log = path.join(folder, `run-${run}.log`);
  process.stdout.write(`\nRun ${run} of ${runs}: ${command}\n`);
  const begun = performance.now();
  const code = await test(words, { log, cases });
  const seconds = Math.round((performance.now() - begun) / 1000);
  if (code !== 0) {
    process.stdout.write(`\nRun ${run} of ${runs} failed after ${seconds} s. Its log: ${log}\nAgain: ${command}\n`);
    process.exit(code);
  }
  process.stdout.write(`\nRun ${run} of ${runs} passed in ${seconds} s.\n`);
  await rm(log);
}
await rm(folder, { recursive: true, force: true });
