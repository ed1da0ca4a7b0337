import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPrograms } from './machine.ts';

/**
 * Runs before all tests: what makes faults is there, or it is said what is not. The processes of the tests get a folder for temporary files that goes with
 * them: the engine leaves much behind in a process that is not Lore's own.
 */
export default async function setup(): Promise<() => Promise<void>> {
  installPrograms();
  const before = process.env['TMPDIR'];
  const folder = await mkdtemp(join(tmpdir(), 'lore-run-'));
  process.env['TMPDIR'] = folder;
  return async () => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  };
}
