import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');

let folder: string;
beforeEach(async () => {
  // Below the project, so that what it imports is found.
  folder = await mkdtemp(join(ROOT, 'node_modules/.lore-lost-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('a crashed test process is reported with its exit, its test, and its remains', { timeout: 120_000 }, async () => {
  const reporter = fileURLToPath(new URL('../helpers/lost-workers.ts', import.meta.url));
  const config = `import LostWorkers from ${JSON.stringify(reporter)};
    export default { test: { root: ${JSON.stringify(folder)}, include: ['*.test.mjs'], pool: 'forks', reporters: ['default', new LostWorkers()] } };`;
  await writeFile(join(folder, 'vitest.config.ts'), config);
  await writeFile(
    join(folder, 'made.test.mjs'),
    `import { it } from 'vitest';\nit('crashes', async () => { await new Promise(setImmediate); process.abort(); });\n`,
  );
  const child = spawn(process.execPath, [VITEST, 'run', '--config', join(folder, 'vitest.config.ts')], {
    cwd: folder,
    env: { ...process.env, LORE_LOST_WORKERS: join(folder, 'lost') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  expect(stdout + stderr).toMatch(/ended with SIGABRT/);
  expect(stderr).toContain('made.test.mjs did not end.');
  const core = /^Its core is (.+)\.$/m.exec(stderr)?.[1];
  // Where the system gives cores to a program of its own, or may not write any, that is said.
  expect(core === undefined ? /core_pattern|gave its core/.test(stderr) || process.platform !== 'linux' : existsSync(core)).toBe(true);
});
