import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPrograms } from './machine.ts';

const PREFIX = 'lore-run-';

/**
 * Runs before all tests: what makes faults is there, or it is said what is not. The command line is the one that was compiled last. The processes of the tests get a folder for temporary files that goes with
 * them: the engine leaves much behind in a process that is not Lore's own.
 */
export default async function setup(): Promise<() => Promise<void>> {
  installPrograms();
  bundleProgram();
  const before = process.env['TMPDIR'];
  // Vitest asks once for each project: one folder within another makes the names of sockets too long for Chromium.
  if (before !== undefined && basename(before).startsWith(PREFIX)) return () => Promise.resolve();
  const folder = await mkdtemp(join(tmpdir(), PREFIX));
  // Some tests run a process as another user, who has to get at its own folder in it.
  await chmod(folder, 0o711);
  process.env['TMPDIR'] = folder;
  return async () => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  };
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Bundles the command line where it was compiled after the last bundle, as whoever runs single tests does. */
function bundleProgram(): void {
  const changedAt = (file: string): number => statSync(join(ROOT, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (changedAt('dist/.tsbuildinfo') <= changedAt('dist/program/main.js')) return;
  execFileSync(process.execPath, ['bin/bundle.mjs'], { cwd: ROOT, stdio: 'inherit' });
}
