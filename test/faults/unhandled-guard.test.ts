import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openCli } from '../helpers/cli.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');

let folder: string;
beforeEach(async () => {
  // Below the project, so that what it imports is found.
  folder = await mkdtemp(join(ROOT, 'node_modules/.lore-guard-'));
  const guard = fileURLToPath(new URL('unhandled-guard.ts', import.meta.url));
  const config = { test: { root: folder, include: ['*.test.mjs'], setupFiles: [guard], pool: 'forks' } };
  await writeFile(join(folder, 'vitest.config.mjs'), `export default ${JSON.stringify(config)};`);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Runs a file whose one test passes and does `what` on the way. */
async function runWith(what: string): Promise<{ code: number; output: string }> {
  await writeFile(join(folder, 'made.test.mjs'), `import { it } from 'vitest';\nit('passes', async () => { ${what} });\n`);
  const args = [VITEST, 'run', '--config', join(folder, 'vitest.config.mjs')];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close') as Promise<[number]>]);
  return { code, output: stdout + stderr };
}

describe('a test run', { timeout: 120_000 }, () => {
  it('passes without faults, and fails for an unhandled rejection and for a Node warning', async () => {
    expect(await runWith('')).toMatchObject({ code: 0 });
    const rejected = await runWith(`void Promise.reject(new Error('nobody listens')); await new Promise((done) => setTimeout(done, 20));`);
    expect(rejected).toMatchObject({ code: 1, output: expect.stringContaining('nobody listens') });
    const leak = `for (let n = 0; n < 20; n += 1) process.on('SIGUSR2', () => n);`;
    expect(await runWith(leak)).toMatchObject({ code: 1, output: expect.stringContaining('MaxListenersExceededWarning') });
  });

  it('fails for a command that prints a stack', async () => {
    const cli = await openCli();
    await cli.run(['--version'], { env: { NODE_OPTIONS: `--import data:text/javascript,console.error(new%20Error('a%20fault').stack)` } });
    await expect(cli[Symbol.asyncDispose]()).rejects.toThrow('A process said what none may say');
  });
});
