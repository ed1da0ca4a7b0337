import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** How a file names the process that wrote it, so that another one can tell whether that still runs. */
export interface ProcessMark {
  readonly pid: number;
  /** Tells a process from a later one that got the same pid; empty where the system does not say. */
  readonly started: string;
  /** Where the pid means something: a boot of a kernel and a namespace of pids in it. Absent where the system knows no such namespaces. */
  readonly space?: string;
  /** Name of the machine or container. */
  readonly host?: string;
}

/** The namespace of pids that a Linux machine itself has; every container has another one. */
const MACHINE_ITSELF = 'pid:[4026531836]';

/** Of this process. It keeps it for life. */
const here = ((): string | undefined => {
  if (process.platform !== 'linux') return undefined;
  try {
    return `${bootId()}/${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return undefined;
  }
})();

/** How a file names this process. */
export function thisProcess(): ProcessMark {
  return { pid: process.pid, started: startOf(process.pid) ?? '', ...(here !== undefined && { space: here, host: hostname() }) };
}

/** Whether this process is in a container, or anything else that has pids of its own. */
export function hasPidsOfItsOwn(): boolean {
  return here !== undefined && namespaceOf(here) !== MACHINE_ITSELF;
}

/**
 * Whether a process still runs, and is not another one that got its pid since. `elsewhere` where its pid says nothing here: it is, or was, in
 * another container or on another machine.
 */
export function judge(mark: ProcessMark): 'alive' | 'dead' | 'elsewhere' {
  // A lock of a version that did not say counts as one of here.
  if (mark.space === undefined || mark.space === here) return isAlive(mark) ? 'alive' : 'dead';
  return hasRebooted(mark) ? 'dead' : 'elsewhere';
}

/** Whether a process elsewhere is under the kernel of this one, as that of another container of the machine is. */
export function sharesKernel({ space }: ProcessMark): boolean {
  return here !== undefined && space !== undefined && bootOf(space) === bootOf(here);
}

/** No container, the same machine, and it was started again since. */
function hasRebooted({ space = '', host }: ProcessMark): boolean {
  if (here === undefined) return false;
  const areMachines = namespaceOf(space) === MACHINE_ITSELF && namespaceOf(here) === MACHINE_ITSELF;
  return areMachines && bootOf(space) !== bootOf(here) && host === hostname();
}

const bootOf = (space: string): string => space.slice(0, space.indexOf('/'));
const namespaceOf = (space: string): string => space.slice(space.indexOf('/') + 1);

function isAlive({ pid, started }: ProcessMark): boolean {
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
 * What stays the same for the life of a process and differs for the next one with its pid. Empty where there is no such process or the system
 * does not say, undefined where this process could not find out.
 */
function startOf(pid: number): string | undefined {
  try {
    if (process.platform === 'linux') {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // Field 22, counted after the command name, which may itself hold blanks and brackets.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const [state, threads, ticks = ''] = [fields[0], Number(fields[17]), fields[19]];
      // Killed, and its parent has not taken note of it yet. While a thread is left, it may still be writing.
      if (state === 'Z' && threads <= 1) return '';
      return `${bootId()}:${ticks}`;
    }
    if (process.platform === 'win32') return '';
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch (error) {
    // `ps` ends with a status where it finds none.
    const isGone = ['ENOENT', 'ESRCH'].includes(errorCode(error) ?? '') || typeof (error as { status?: unknown }).status === 'number';
    return isGone ? '' : undefined;
  }
}

function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
}

const errorCode = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;
