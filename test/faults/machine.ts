/** What the machine that runs the tests allows to be broken on purpose. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const INSTALL_TIMEOUT_MS = 300_000;
const isLinux = process.platform === 'linux';

export const isRoot = isLinux && process.getuid?.() === 0;

/** Whether file systems can be mounted here: a container may forbid it even to root. */
export const mayMount = isRoot && mounts();

/** Programs that make faults. As root on Debian those that are missing are installed, once. */
const PROGRAMS = { strace: 'strace', faketime: 'faketime', prlimit: 'util-linux', setpriv: 'util-linux' } as const;

/** Whether the program is here and works. What cannot be had is said in one line, so that a skipped test is no secret. */
export function has(program: keyof typeof PROGRAMS): boolean {
  if (isLinux && !isInPath(program)) install(PROGRAMS[program]);
  const works = isLinux && isInPath(program) && (program !== 'strace' || traces());
  if (!works) process.stderr.write(`skipped: the tests that need ${program}, which this machine does not have or forbids\n`);
  return works;
}

function isInPath(program: string): boolean {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return [...folders, '/usr/bin', '/usr/sbin'].some((folder) => folder !== '' && existsSync(join(folder, program)));
}

function install(name: string): void {
  if (!isRoot || !existsSync('/usr/bin/apt-get')) return;
  const options = { timeout: INSTALL_TIMEOUT_MS, stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const;
  try {
    execFileSync('apt-get', ['update', '-qq'], options);
    execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name], options);
  } catch {
    // Without a network there is none: the tests that need it are skipped.
  }
}

/** A container may forbid one process to look into another. */
function traces(): boolean {
  try {
    execFileSync('strace', ['-o', '/dev/null', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function mounts(): boolean {
  try {
    execFileSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'ignore' });
    return true;
  } catch {
    process.stderr.write('skipped: the tests that mount file systems, which this machine forbids\n');
    return false;
  }
}

/** A disk of its own, this many megabytes large, in memory; gone when disposed. Only where `mayMount`. */
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
