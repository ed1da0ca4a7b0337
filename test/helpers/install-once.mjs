// Dependencies of a few drills have a separate lock file and are not part of the repository's `npm ci`: they are installed once, when needed.
import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

/**
 * Installs the lock file in `folder`, unless it is already installed and unchanged. Rejects with one line that says what is missing.
 */
export async function installOnce(folder) {
  const lock = path.join(folder, 'package-lock.json');
  // Compared by a copy, not by age: a clone gives every file a new time.
  const done = path.join(folder, 'node_modules', '.installed-lock.json');
  const [wanted, present] = await Promise.all([readFile(lock, 'utf8'), readFile(done, 'utf8').catch(() => undefined)]);
  if (wanted === present) return;
  process.stderr.write(`Installing the packages of ${path.join(folder, 'package.json')}, once.\n`);
  const args = ['ci', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund'];
  await promisify(execFile)('npm', args, { maxBuffer: 1e8 }).catch((error) => {
    const reason = /^npm (?:error|ERR!) (?!code )(.+)$/m.exec(String(error.stderr))?.[1] ?? error.message;
    throw new Error(`\`npm ci --prefix ${folder}\` failed, so what needs it cannot run: ${reason}`);
  });
  await mkdir(path.dirname(done), { recursive: true });
  await copyFile(lock, done);
}
