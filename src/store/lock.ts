import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LoreError } from '../memory/errors.ts';
import { asStoreError } from './store-error.ts';

/** Who has the store open. */
export interface LockHolder {
  readonly pid: number;
  /** Tells a process from a later one that got the same pid; empty where the system does not say. */
  readonly started: string;
  /** Secret of this lock. A server takes it as a full-access key, so a command of the same user needs no other. */
  readonly token: string;
  /** Address of the holder's HTTP server, where it runs one. */
  readonly url?: string;
  /** The holder gives the store up to a process that wants it (handover.ts). */
  readonly yields?: true;
}

const FILE = 'lore.lock';
/** A takeover of a stale lock takes milliseconds; one that is older than this was itself killed. */
const TAKEOVER_STALE_MS = 10_000;

/** The live process that has the store open, or undefined. Reads only. */
export function readHolder(storePath: string): LockHolder | undefined {
  const holder = parse(path.join(storePath, FILE));
  return holder !== undefined && isAlive(holder) ? holder : undefined;
}

/** One process per store: LanceDB itself would let several in, and they would starve each other (docs/adr/0002). */
export class StoreLock {
  readonly #file: string;
  #holder: LockHolder;

  private constructor(file: string, holder: LockHolder) {
    this.#file = file;
    this.#holder = holder;
  }

  get token(): string {
    return this.#holder.token;
  }

  /** Takes the lock of an existing folder, replacing a dead holder's. Rejects with `filesystem` where a live process holds it. */
  static async acquire(storePath: string): Promise<StoreLock> {
    const file = path.join(storePath, FILE);
    const holder: LockHolder = { ...thisProcess(), token: randomBytes(24).toString('base64url') };
    for (;;) {
      if (create(file, holder)) return new StoreLock(file, holder);
      const current = parse(file);
      if (current !== undefined && isAlive(current)) throw held(storePath, current);
      await removeStale(file);
    }
  }

  /** Makes the address of this process's server known to commands beside it, and whether it gives the store up when it is asked to. */
  publishUrl(url: string, { yields = false }: { readonly yields?: boolean } = {}): void {
    this.#holder = { ...this.#holder, url, ...(yields && { yields }) };
    const fresh = `${this.#file}.${process.pid}`;
    try {
      writeFileSync(fresh, JSON.stringify(this.#holder), { mode: 0o600 });
      renameSync(fresh, this.#file);
    } catch (error) {
      asStoreError('write the lock of the store')(error);
    }
  }

  /** Gives the lock back. Safe to repeat; leaves a lock that is no longer ours alone. */
  release(): void {
    // Left behind it does no harm either: its holder is known to be gone.
    if (parse(this.#file)?.token === this.#holder.token) discard(this.#file);
  }
}

function held(storePath: string, holder: LockHolder): LoreError {
  const where = holder.url === undefined ? '' : ` (its server: ${holder.url})`;
  return new LoreError('filesystem', `The store ${storePath} is open in process ${holder.pid}${where}.`, {
    hint: 'Stop that process first, or give this one another storage.path.',
  });
}

/** Creates the file whole or not at all: a hard link fails when the name is taken. */
function create(file: string, holder: LockHolder): boolean {
  const fresh = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    writeFileSync(fresh, JSON.stringify(holder), { mode: 0o600 });
    linkSync(fresh, file);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    return asStoreError('lock the store')(error);
  } finally {
    discard(fresh);
  }
}

/** A file too many does no harm; to fail for it would leave a lock that nobody gives back. */
function discard(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // Whoever looks after the folder finds it.
  }
}

/** Two processes that find the same dead lock must not both replace it: the folder lets one in, which looks again before it removes. */
async function removeStale(file: string): Promise<void> {
  const gate = `${file}.takeover`;
  try {
    mkdirSync(gate);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') asStoreError('lock the store')(error);
    if (isOlder(gate, TAKEOVER_STALE_MS)) rmSync(gate, { recursive: true, force: true });
    await sleep(20);
    return;
  }
  try {
    const text = read(file);
    // Where there is none, another one was faster, and the next lock may be here in the next moment: that one must not be removed.
    if (text === undefined) return;
    const current = holderIn(text);
    if (current === undefined || !isAlive(current)) rmSync(file, { force: true });
  } finally {
    rmdirSync(gate);
  }
}

function isOlder(file: string, ms: number): boolean {
  try {
    // Either way: the clock may have been set back since.
    return Math.abs(Date.now() - statSync(file).mtimeMs) > ms;
  } catch {
    return false;
  }
}

/** Undefined for a file that is missing or cannot be read, and for one that a power loss left empty or cut. */
function parse(file: string): LockHolder | undefined {
  try {
    return holderIn(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Undefined where there is none. What cannot be read is not taken for nothing. */
function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    return asStoreError('read the lock of the store')(error);
  }
}

function holderIn(text: string): LockHolder | undefined {
  try {
    const value = JSON.parse(text) as Partial<LockHolder>;
    if (typeof value.pid !== 'number' || typeof value.token !== 'string') return undefined;
    const url = typeof value.url === 'string' ? { url: value.url } : {};
    return { pid: value.pid, started: value.started ?? '', token: value.token, ...url, ...(value.yields === true && { yields: true }) };
  } catch {
    return undefined;
  }
}

/** How a lock names this process. */
export function thisProcess(): Pick<LockHolder, 'pid' | 'started'> {
  return { pid: process.pid, started: startOf(process.pid) ?? '' };
}

/** Whether the process still runs, and is not another one that got its pid since. */
export function isAlive({ pid, started }: Pick<LockHolder, 'pid' | 'started'>): boolean {
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
      return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${ticks}`;
    }
    if (process.platform === 'win32') return '';
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch (error) {
    // `ps` ends with a status where it finds none.
    const isGone = ['ENOENT', 'ESRCH'].includes(errorCode(error) ?? '') || typeof (error as { status?: unknown }).status === 'number';
    return isGone ? '' : undefined;
  }
}

const errorCode = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;
