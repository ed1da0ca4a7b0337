/** Changes each source of targets.mjs in small ways, one at a time, in a copy of the project, and says which changes its tests do not notice. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { TARGETS } from './targets.mjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const USAGE = 'node test/mutants/run.mjs [PART OF A SOURCE PATH…]';

const { positionals } = parseArgs({ allowPositionals: true });
const wanted = TARGETS.filter(({ source }) => positionals.length === 0 || positionals.some((part) => source.includes(part)));
if (wanted.length === 0) throw new Error(`No target is named so. Usage: ${USAGE}`);

process.chdir(ROOT);
if (!existsSync(join(HERE, 'node_modules'))) {
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: HERE, stdio: 'inherit' });
}
const { Stryker } = await import('@stryker-mutator/core');

const rows = [];
for (const target of wanted) rows.push(await run(target));
print('\n| Source | Score | Noticed | Not noticed | Not run | Left out | Seconds |');
for (const { source, score, noticed, survived, uncovered, left, seconds } of rows)
  print(`| ${source} | ${score} % | ${noticed} | ${survived} | ${uncovered} | ${left} | ${seconds} |`);
const low = rows.filter(({ score, least }) => !(score >= least));
for (const { source, score, least } of low) print(`${source}: ${score} % is too low, at least ${least} % have to be noticed.`);
process.exitCode = low.length === 0 ? 0 : 1;

async function run({ source, tests, least }) {
  process.env['LORE_MUTANT_TESTS'] = tests.join(',');
  const startedAt = performance.now();
  const mutants = await new Stryker({
    mutate: [source],
    testRunner: 'vitest',
    vitest: { configFile: join('test', 'mutants', 'vitest.config.ts'), related: false },
    plugins: ['@stryker-mutator/vitest-runner', join(HERE, 'messages.mjs')],
    ignorers: ['wording'],
    coverageAnalysis: 'perTest',
    concurrency: 1,
    reporters: ['dots'],
    disableTypeChecks: false,
    ignorePatterns: ['/docs/images'],
    // TypeScript 7 has no longer what would rewrite it; it refers to nothing outside.
    tsconfigFile: 'none',
    tempDirName: join(tmpdir(), 'lore-mutants'),
    cleanTempDir: 'always',
    allowConsoleColors: false,
    logLevel: 'warn',
    timeoutMS: 10_000,
  }).runMutationTest();
  const count = (...states) => mutants.filter(({ status }) => states.includes(status)).length;
  for (const mutant of mutants) if (mutant.status === 'Survived' || mutant.status === 'NoCoverage') tell(mutant);
  // One that never ends is noticed as well; what could not be run says nothing.
  const [noticed, survived, uncovered] = [count('Killed', 'Timeout'), count('Survived'), count('NoCoverage')];
  const score = Math.round((1000 * noticed) / (noticed + survived + uncovered)) / 10;
  const left = count('Ignored', 'CompileError', 'RuntimeError');
  return { source, least, score, noticed, survived, uncovered, left, seconds: Math.round((performance.now() - startedAt) / 1000) };
}

function tell({ fileName, location, mutatorName, replacement, status }) {
  const { line, column } = location.start;
  print(`${status} ${fileName.slice(ROOT.length)}:${line}:${column} ${mutatorName}: ${replacement}`);
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
