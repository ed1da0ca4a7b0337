/** What the test machine has and which faults tests may cause on it. */
import { execFileSync, type ExecFileSyncOptions } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const INSTALL_TIMEOUT_MS = 300_000;
const isLinux = process.platform === 'linux';

export const isRoot = isLinux && process.getuid?.() === 0;

/** Whether file systems can be mounted here: a container may forbid it even to root. */
export const mayMount = isRoot && isDone('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']);

/** Runs a command like a container: with its own pids, the first is 1, and killed together with its parent. */
export const IN_CONTAINER = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child'] as const;

/** Whether processes can have their own pids here. */
export const mayContain = isRoot && isDone('unshare', [...IN_CONTAINER.slice(1), 'true']);

/** Programs that cause faults, and jq for the examples of the documentation, with their Debian packages. */
const PROGRAMS = { strace: 'strace', faketime: 'faketime', prlimit: 'util-linux', setpriv: 'util-linux', jq: 'jq' } as const;
type Program = keyof typeof PROGRAMS;

/** Path of a command; undefined if it is not installed. */
export function pathOf(command: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return [...folders, '/usr/bin', '/usr/sbin'].map((folder) => join(folder, command)).find((path) => existsSync(path));
}

/** Whether a command is installed. */
export const hasCommand = (command: string): boolean => pathOf(command) !== undefined;

/** Whether one of these programs works here: a container may forbid tracing other processes. Installs nothing. */
export function has(program: Program): boolean {
  return isLinux && hasCommand(program) && (program !== 'strace' || isDone('strace', ['-o', '/dev/null', 'true']));
}

/**
 * Installs missing programs if possible: as root on Debian. Names those that cannot be installed in one line, so that skipped tests are visible.
 * Not for test files, which run in parallel: package managers exclude each other. Safe to repeat.
 */
export function installPrograms(): void {
  const programs = Object.keys(PROGRAMS) as Program[];
  const missing = programs.filter((program) => !hasCommand(program));
  if (missing.length > 0 && isRoot && existsSync('/usr/bin/apt-get'))
    installPackages([...new Set(missing.map((program) => PROGRAMS[program]))]);
  const lacking: string[] = programs.filter((program) => !has(program));
  if (!mayMount) lacking.push('mounted file systems');
  if (lacking.length > 0)
    process.stderr.write(`Skipped: the tests that need ${lacking.join(', ')}, which this machine lacks or forbids.\n`);
}

/** Installs one by one, because a system may offer only some of them. Needs a network. Not for test files. */
export function installPackages(names: readonly string[]): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  if (!isDone('apt-get', ['update', '-qq'], { env, timeout: INSTALL_TIMEOUT_MS })) return;
  for (const name of names)
    isDone('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name], { env, timeout: INSTALL_TIMEOUT_MS });
}

function isDone(command: string, args: readonly string[], options: ExecFileSyncOptions = {}): boolean {
  try {
    execFileSync(command, args, { ...options, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A disk in memory of this many megabytes; removed when disposed. Only if `mayMount`. */
export async function smallDisk(megabytes: number): Promise<{ readonly path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), 'lore-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path]);
  return {
    path,
    [Symbol.asyncDispose]: async () => {
      execFileSync('umount', ['-l', path]);
      await rm(path, { recursive: true, force: true });
    },
  };
}
