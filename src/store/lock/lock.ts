import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, rmdirSync, statSync, utimes, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LoreError } from '../../memory/errors.ts';
import { isSocketAlive, changesWithin, removeSocket, Heartbeat } from './heartbeat.ts';
import { hasOwnPidNamespace, processState, sharesKernel, thisProcess, type ProcessIdentity } from './process-identity.ts';
import { asStoreError } from '../errors/store-error.ts';

/** The process that has the store open. */
export interface LockHolder extends ProcessIdentity {
  /** Secret of this lock. A server takes it as a full-access key, so a command of the same user needs no other. */
  readonly token: string;
  /** Address of the holder's HTTP server, if it runs one. */
  readonly url?: string;
  /** The holder hands over the store on request (handover.ts). */
  readonly yields?: true;
  /** Heartbeat socket next to the lock, through which other containers of the machine detect the holder. */
  readonly sign?: string;
}

const FILE = 'lore.lock';
/** A takeover of a stale lock takes milliseconds; a takeover file older than this belongs to a killed process. */
const TAKEOVER_STALE_MS = 10_000;

/** Interval at which a holder touches its lock, for processes that cannot check its pid. */
const BEAT_MS = 3000;
/** A holder on another machine that has not touched its lock for this long counts as dead. */
const PATIENCE_MS = 15_000;
/**
 * A holder that has not checked its lock for this long may have been replaced, so it checks before it writes. Well below the patience of
 * others.
 */
const SURE_MS = 9000;

/**
 * The live process that has the store open, or undefined. Only reads. Does not report a process in another container, whose pid and
 * address mean nothing here; acquiring the lock detects it.
 */
export function readHolder(storePath: string): LockHolder | undefined {
  const holder = parse(path.join(storePath, FILE));
  return holder !== undefined && processState(holder) === 'alive' ? holder : undefined;
}

/** Whether a live process has the store open, or may have it in another container, where it keeps touching its lock. */
export function mayBeHeld(storePath: string): boolean {
  const file = path.join(storePath, FILE);
  const holder = parse(file);
  if (holder === undefined) return false;
  const verdict = processState(holder);
  return verdict === 'alive' || (verdict === 'elsewhere' && !isOlder(file, PATIENCE_MS));
}

interface LockTimes {
  readonly beatMs?: number;
  readonly patienceMs?: number;
}

/** One process per store: LanceDB itself would let several in, and they would starve each other (docs/adr/0002). */
export class StoreLock {
  readonly #file: string;
  readonly #sign: Heartbeat | undefined;
  readonly #beat: NodeJS.Timeout;
  #holder: LockHolder;
  /** When the lock was last confirmed, by the monotonic clock. */
  #seenAt = performance.now();
  #isLost = false;

  private constructor({ file, holder, sign, beatMs }: { file: string; holder: LockHolder; sign: Heartbeat | undefined; beatMs: number }) {
    this.#file = file;
    this.#holder = holder;
    this.#sign = sign;
    this.#beat = setInterval(() => this.#touch(), beatMs).unref();
  }

  get token(): string {
    return this.#holder.token;
  }

  /** Whether another process has taken it. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /**
   * Locks an existing folder, replacing the lock of a dead holder. Rejects with `filesystem` if a live process holds it. Detects a holder
   * on another machine by watching its lock for `patienceMs` (default 15 seconds).
   */
  static async acquire(storePath: string, { beatMs = BEAT_MS, patienceMs = PATIENCE_MS }: LockTimes = {}): Promise<StoreLock> {
    const file = path.join(storePath, FILE);
    const sign = hasOwnPidNamespace() ? await Heartbeat.begin(storePath, FILE) : undefined;
    const token = randomBytes(24).toString('base64url');
    const holder: LockHolder = { ...thisProcess(), token, ...(sign !== undefined && { sign: sign.name }) };
    try {
      for (;;) {
        if (create(file, holder)) return new StoreLock({ file, holder, sign, beatMs });
        const current = parse(file);
        if (current !== undefined && (await isThere(current, file, patienceMs))) throw held(storePath, current);
        await removeStale(file, current);
      }
    } catch (error) {
      sign?.end();
      throw error;
    }
  }

  /**
   * Throws `unavailable` if another process has taken the store, because this one was suspended for too long. Free if the lock was
   * checked a moment ago.
   */
  requireHeld(): void {
    if (!this.#isLost && performance.now() - this.#seenAt > SURE_MS) this.#look();
    if (this.#isLost) throw lost();
  }

  #touch(): void {
    this.#look();
    const now = new Date();
    // A read-only folder must not stop reading.
    if (!this.#isLost) utimes(this.#file, now, now, () => undefined);
  }

  /** A missing lock does not belong to another process yet: its folder may be about to be renamed. */
  #look(): void {
    const token = parse(this.#file)?.token;
    if (token === this.#holder.token) this.#seenAt = performance.now();
    else if (token !== undefined) this.#isLost = true;
  }

  /** Publishes the address of this server for other processes, and whether it hands over the store on request. */
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

  /** Releases the lock. Safe to repeat; does not touch the lock of another process. */
  release(): void {
    clearInterval(this.#beat);
    // A leftover lock does no harm, because its holder is known to be dead.
    if (parse(this.#file)?.token === this.#holder.token) discard(this.#file);
    this.#sign?.end();
  }
}

/** Whether the holder is alive, even if its pid cannot be checked here. */
async function isThere(holder: LockHolder, file: string, patienceMs: number): Promise<boolean> {
  const verdict = processState(holder);
  if (verdict !== 'elsewhere') return verdict === 'alive';
  if (holder.sign !== undefined && sharesKernel(holder)) {
    const answered = await isSocketAlive(path.dirname(file), holder.sign);
    if (answered !== undefined) return answered;
  }
  return await changesWithin(file, patienceMs);
}

function lost(): LoreError {
  return new LoreError(
    'unavailable',
    'Another process took over the store because this one was suspended for too long. This process no longer saves.',
    {
      hint: 'Restart Lore. Only one machine or container may use a store at a time.',
    },
  );
}

function held(storePath: string, holder: LockHolder): LoreError {
  const where = holder.url === undefined ? '' : ` (its server: ${holder.url})`;
  const place = processState(holder) === 'elsewhere' ? ` of ${holder.host ?? 'another machine'}` : '';
  return new LoreError('filesystem', `The store ${storePath} is open in process ${holder.pid}${place}${where}.`, {
    hint: 'Stop that process first, or use another storage.path.',
  });
}

/** Creates the file completely or not at all: a hard link fails if the name exists. */
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

/** A leftover file does no harm; failing would leave a lock that nobody releases. */
function discard(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // Left for the next cleanup of the folder.
  }
}

/**
 * Two processes that find the same stale lock must not both replace it: creating the folder succeeds for one of them, which checks again
 * before it removes the lock.
 */
async function removeStale(file: string, judged: LockHolder | undefined): Promise<void> {
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
    // If it is missing, another process was faster, and a new lock may appear at any moment: that one must not be removed.
    if (text === undefined) return;
    const current = holderIn(text);
    // A holder elsewhere was checked for a long time, so it is not checked again; any other holder is.
    const isDead = current === undefined || current.token === judged?.token || processState(current) === 'dead';
    if (!isDead) return;
    rmSync(file, { force: true });
    if (current?.sign !== undefined) removeSocket(path.dirname(file), current.sign);
  } finally {
    rmdirSync(gate);
  }
}

function isOlder(file: string, ms: number): boolean {
  try {
    // Any difference counts: the clock may have been set back since.
    return Math.abs(Date.now() - statSync(file).mtimeMs) > ms;
  } catch {
    return false;
  }
}

/** Undefined for a missing or unreadable file, and for one that a power cut left empty or truncated. */
function parse(file: string): LockHolder | undefined {
  try {
    return holderIn(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Undefined if there is none. An unreadable file does not count as missing. */
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
    const { pid, started = '', token } = value;
    const texts = Object.entries({ url: value.url, space: value.space, host: value.host, sign: value.sign });
    const known = Object.fromEntries(texts.filter(([, text]) => typeof text === 'string'));
    return { pid, started, token, ...known, ...(value.yields === true && { yields: true }) };
  } catch {
    return undefined;
  }
}

const errorCode = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;
