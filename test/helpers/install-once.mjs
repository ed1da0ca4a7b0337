// What only a few drills need has a lock file of its own and is not part of `npm ci` of the repository: it is installed where it is needed, once.
import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

/**
 * Installs what the lock file in `folder` names, unless that has been done since the lock file last changed. Rejects with one line that says
 * what is missing.
 */
export async function installOnce(folder) {
  const lock = path.join(folder, 'package-lock.json');
  // Its own copy, not its age: a clone makes every file again.
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
