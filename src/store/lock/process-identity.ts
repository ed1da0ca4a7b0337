import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Identifies a process in a file, so that another process can check whether it still runs. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Start time, to distinguish a later process with the same pid; empty if the system does not report it. */
  readonly started: string;
  /** Scope of the pid: boot id and pid namespace. Absent on systems without them. */
  readonly space?: string;
  /** Name of the machine or container. */
  readonly host?: string;
}

/** The pid namespace of a Linux machine itself; every container has another one. */
const MACHINE_ITSELF = 'pid:[4026531836]';

/** Of this process; it never changes. */
const here = ((): string | undefined => {
  if (process.platform !== 'linux') return undefined;
  try {
    return `${bootId()}/${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return undefined;
  }
})();

/** The identity of this process. */
export function thisProcess(): ProcessIdentity {
  return { pid: process.pid, started: startOf(process.pid) ?? '', ...(here !== undefined && { space: here, host: hostname() }) };
}

/** Whether this process is in a separate pid namespace, such as a container. */
export function hasOwnPidNamespace(): boolean {
  return here !== undefined && namespaceOf(here) !== MACHINE_ITSELF;
}

/**
 * Whether a process still runs, and is not a later one with the same pid. `elsewhere` for a process of another container or machine.
 */
export function processState(mark: ProcessIdentity): 'alive' | 'dead' | 'elsewhere' {
  // A lock of a version without this field counts as local.
  if (mark.space === undefined || mark.space === here) return isAlive(mark) ? 'alive' : 'dead';
  return hasRebooted(mark) ? 'dead' : 'elsewhere';
}

/** Whether a process elsewhere runs on the same kernel, for example in another container of this machine. */
export function sharesKernel({ space }: ProcessIdentity): boolean {
  return here !== undefined && space !== undefined && bootOf(space) === bootOf(here);
}

/** The same machine, not a container, restarted since. */
function hasRebooted({ space = '', host }: ProcessIdentity): boolean {
  if (here === undefined) return false;
  const areMachines = namespaceOf(space) === MACHINE_ITSELF && namespaceOf(here) === MACHINE_ITSELF;
  return areMachines && bootOf(space) !== bootOf(here) && host === hostname();
}

const bootOf = (space: string): string => space.slice(0, space.indexOf('/'));
const namespaceOf = (space: string): string => space.slice(space.indexOf('/') + 1);

function isAlive({ pid, started }: ProcessIdentity): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (errorCode(error) !== 'EPERM') return false;
  }
  if (started === '') return true;
  const now = startOf(pid);
  return now === undefined || now === started;
}

/**
 * A value that is constant for the life of a process and differs for the next one with its pid. Empty if there is no such process or the
 * system does not say, undefined if it could not be determined.
 */
function startOf(pid: number): string | undefined {
  try {
    if (process.platform === 'linux') {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // Field 22, counted after the command name, which may contain blanks and parentheses.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const [state, threads, ticks = ''] = [fields[0], Number(fields[17]), fields[19]];
      // A zombie: killed, but not yet reaped by its parent. While it has threads, it may still write.
      if (state === 'Z' && threads <= 1) return '';
      return `${bootId()}:${ticks}`;
    }
    if (process.platform === 'win32') return '';
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch (error) {
    // `ps` exits with a status if it finds none.
    const isGone = ['ENOENT', 'ESRCH'].includes(errorCode(error) ?? '') || typeof (error as { status?: unknown }).status === 'number';
    return isGone ? '' : undefined;
  }
}

function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
}

const errorCode = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;
