import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPrograms } from './machine.ts';

const PREFIX = 'lore-run-';

/**
 * Runs before all tests. Installs the programs that cause faults, or names the missing ones. Bundles the latest compiled command line. Gives the
 * test processes a temporary folder that is removed with them, because the engine leaves files behind.
 */
export default async function setup(): Promise<() => Promise<void>> {
  installPrograms();
  bundleProgram();
  const before = process.env['TMPDIR'];
  // Vitest calls this once per project. Nested folders would make socket names too long for Chromium.
  if (before !== undefined && basename(before).startsWith(PREFIX)) return () => Promise.resolve();
  const folder = await mkdtemp(join(tmpdir(), PREFIX));
  // Some tests run a process as another user, which must reach its folder in here.
  await chmod(folder, 0o711);
  process.env['TMPDIR'] = folder;
  return async () => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  };
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Bundles the command line if it was compiled after the last bundle, as when single tests are run. */
function bundleProgram(): void {
  const changedAt = (file: string): number => statSync(join(ROOT, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (changedAt('dist/.tsbuildinfo') <= changedAt('dist/program/main.js')) return;
  execFileSync(process.execPath, ['bin/bundle.mjs'], { cwd: ROOT, stdio: 'inherit' });
}
