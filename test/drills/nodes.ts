import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { installOnce } from '../helpers/install-once.mjs';

/** The versions of Node that the package is for. */
export const MAJORS = [20, 22, 24, 26] as const;

const INSTALLED = fileURLToPath(new URL('./nodes', import.meta.url));

/**
 * The program of each version that is on this machine: the one that runs this, and those of the folders that LORE_TEST_NODES names. CI installs the others
 * from a registry, where there is one, on Linux.
 */
export async function findNodes({ registry }: { readonly registry: boolean }): Promise<ReadonlyMap<number, string>> {
  const folders = process.env['LORE_TEST_NODES']?.split(delimiter) ?? [];
  if (registry && process.env['CI'] !== undefined && process.platform === 'linux' && process.arch === 'x64') {
    await installOnce(INSTALLED);
    folders.push(...MAJORS.slice(1).map((major) => join(INSTALLED, 'node_modules', `node-${major}`)));
  }
  const programs = folders.flatMap((folder) => [join(folder, 'node'), join(folder, 'bin', 'node')]).filter((path) => existsSync(path));
  const found = new Map<number, string>();
  // Its own last: it is the surest to be whole.
  for (const program of [...programs, process.execPath]) {
    const { stdout } = await promisify(execFile)(program, ['-p', 'process.versions.node']);
    found.set(Number.parseInt(stdout, 10), program);
  }
  return found;
}
