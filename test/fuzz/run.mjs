/**
 * npm run fuzz -- [--cases 20000] [--seed N] [--only routes|sequences|bytes|mcp]
 * Tries many requests and sequences of operations from a seed that is new each time, and prints what brings a failing run back.
 */
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: process.env.LORE_FUZZ_CASES || '20000' },
    seed: { type: 'string', default: process.env.LORE_FUZZ_SEED || String(randomInt(2 ** 31)) },
    only: { type: 'string' },
  },
});
const { cases, seed, only } = values;
for (const [name, value] of Object.entries({ cases, seed })) {
  if (!/^\d{1,12}$/.test(value)) throw new Error(`--${name} must be a whole number, not ${JSON.stringify(value)}.`);
}
const file = only === undefined ? 'test/fuzz' : `test/fuzz/${only}.drill.ts`;
const again = `npm run fuzz -- --cases ${cases} --seed ${seed}${only === undefined ? '' : ` --only ${only}`}`;
process.stdout.write(`About ${cases} cases from seed ${seed}. The same once more: ${again}\n`);

const root = fileURLToPath(new URL('../..', import.meta.url));
const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));
const child = spawn(process.execPath, [vitest, 'run', '--config', 'test/vitest.config.ts', file], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, LORE_FUZZ_CASES: cases, LORE_FUZZ_SEED: seed },
});
child.once('exit', (code, signal) => {
  if (code !== 0) process.stdout.write(`\nFailed${signal === null ? '' : ` (${signal})`}. Again: ${again}\n`);
  process.exitCode = code ?? 1;
});
