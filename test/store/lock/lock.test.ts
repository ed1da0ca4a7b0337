import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { readHolder, StoreLock } from '../../../src/store/lock/lock.ts';
import { hasOwnPidNamespace } from '../../../src/store/lock/process-identity.ts';
import { temporaryFolder } from '../../helpers/folder.ts';
import { IN_CONTAINER, mayContain } from '../../helpers/machine.ts';
import { openTestStore, row } from '../../helpers/store.ts';

const LOCK_MODULE = new URL('../../../dist/store/lock/lock.js', import.meta.url).href;

const LOCKING = fileURLToPath(new URL('./locking-process.mjs', import.meta.url));

/** A process that takes the lock, says so, and holds it until it is killed. */
async function holdInChild(folder: string, { under }: { under?: readonly [string, ...string[]] } = {}): Promise<ChildProcess> {
  const script = `import { StoreLock } from ${JSON.stringify(LOCK_MODULE)};
    const lock = await StoreLock.acquire(${JSON.stringify(folder)});
    lock.publishUrl('http://127.0.0.1:9');
    console.log('held');
    setInterval(() => {}, 1000);`;
  const [command, ...before]: readonly [string, ...string[]] = under === undefined ? [process.execPath] : [...under, process.execPath];
  const child = spawn(command, [...before, '--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return child;
}

/** What a process in a container of its own says to the lock of a folder: `pid 1: taken`, or why not. */
async function tryInContainer(folder: string): Promise<string> {
  const script = `import { StoreLock } from ${JSON.stringify(LOCK_MODULE)};
    const taken = StoreLock.acquire(${JSON.stringify(folder)}, { patienceMs: 600_000 });
    console.log('pid ' + process.pid + ': ' + await taken.then((lock) => (lock.release(), 'taken'), ({ message }) => message));`;
  const [command, ...args] = [...IN_CONTAINER, process.execPath, '--input-type=module', '-e', script] as const;
  return (await promisify(execFile)(command, args)).stdout.trim();
}

/** The lock of a process of which nothing is known here but what it writes. */
function lockElsewhere(folder: string, fields: object = {}): string {
  const file = path.join(folder, 'lore.lock');
  const holder = { pid: process.pid, started: 'another boot:1', space: 'another boot/pid:[4026532000]', host: 'pod-0', token: 'other' };
  writeFileSync(file, JSON.stringify({ ...holder, ...fields }));
  return file;
}

describe('the lock of a store', () => {
  it('admits one process, names it, and is removed afterwards', async () => {
    await using folder = await temporaryFolder();
    const lock = await StoreLock.acquire(folder.path);
    expect(readHolder(folder.path)).toMatchObject({ pid: process.pid, token: lock.token });
    expect(statSync(path.join(folder.path, 'lore.lock')).mode & 0o777).toBe(0o600);
    await expect(StoreLock.acquire(folder.path)).rejects.toMatchObject({ code: 'filesystem' });
    lock.publishUrl('http://127.0.0.1:7007');
    expect(readHolder(folder.path)).toMatchObject({ url: 'http://127.0.0.1:7007', token: lock.token });
    lock.release();
    lock.release();
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it('of a killed process is taken over by exactly one of many', async () => {
    await using folder = await temporaryFolder();
    const child = await holdInChild(folder.path);
    expect(readHolder(folder.path)).toMatchObject({ pid: child.pid, url: 'http://127.0.0.1:9' });
    await expect(StoreLock.acquire(folder.path)).rejects.toMatchObject({ message: expect.stringContaining('http://127.0.0.1:9') });
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(readHolder(folder.path)).toBeUndefined();
    const tries = await Promise.allSettled(Array.from({ length: 8 }, () => StoreLock.acquire(folder.path)));
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(readdirSync(folder.path)).toEqual(['lore.lock']);
  });

  it('is held by one process at a time, also if many try to take it from a dead one', async () => {
    await using folder = await temporaryFolder();
    const ends = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const child = spawn(process.execPath, [LOCKING, folder.path, '40'], { stdio: ['ignore', 'ignore', 'inherit'] });
        return ((await once(child, 'exit')) as [number | null])[0];
      }),
    );
    expect(ends).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('is stale if another process has its pid', async () => {
    await using folder = await temporaryFolder();
    const file = path.join(folder.path, 'lore.lock');
    writeFileSync(file, JSON.stringify({ pid: process.pid, started: 'another boot:1', token: 'old' }));
    expect(readHolder(folder.path)).toBeUndefined();
    const lock = await StoreLock.acquire(folder.path);
    expect(readFileSync(file, 'utf8')).toContain(lock.token);
    lock.release();
  });

  it.each(['', '{"pid":', '[]', 'null', '{"pid":"x"}'])('left by a power loss as %j is taken over', async (text) => {
    await using folder = await temporaryFolder();
    writeFileSync(path.join(folder.path, 'lore.lock'), text);
    const lock = await StoreLock.acquire(folder.path);
    lock.release();
    expect(existsSync(path.join(folder.path, 'lore.lock'))).toBe(false);
  });
});

const noContainers = mayContain ? '' : ' (skipped: this machine forbids pids of their own)';
describe.skipIf(!mayContain)(`the lock of a store shared by containers${noContainers}`, { timeout: 60_000 }, () => {
  it('is not taken from a live process in another container, whatever its pid', async () => {
    await using folder = await temporaryFolder();
    const holder = await holdInChild(folder.path, { under: IN_CONTAINER });
    try {
      expect(JSON.parse(readFileSync(path.join(folder.path, 'lore.lock'), 'utf8'))).toMatchObject({ pid: 1 });
      expect(await tryInContainer(folder.path)).toMatch(/^pid 1: The store .+ is open in process 1 of .+/);
      await expect(StoreLock.acquire(folder.path, { patienceMs: 600_000 })).rejects.toMatchObject({ code: 'filesystem' });
      // Its address means nothing here either.
      expect(readHolder(folder.path)).toBeUndefined();
    } finally {
      holder.kill('SIGKILL');
    }
  });

  it('of a killed container is taken at once by the next one, and by a process outside', async () => {
    await using folder = await temporaryFolder();
    for (const next of [tryInContainer, outside]) {
      const holder = await holdInChild(folder.path, { under: IN_CONTAINER });
      holder.kill('SIGKILL');
      // The first process of a container is gone a moment after the one that made it: its output is closed then.
      await once(holder, 'close');
      expect(await next(folder.path)).toMatch(/^pid \d+: taken$/);
      expect(readdirSync(folder.path)).toEqual([]);
    }
  });

  it('of a process outside is not taken by a container while that process lives', async () => {
    await using folder = await temporaryFolder();
    const lock = await StoreLock.acquire(folder.path);
    expect(await tryInContainer(folder.path)).toMatch(`open in process ${process.pid} of ${hostname()}`);
    lock.release();
  });

  it('works in a folder with a path longer than a socket address', async () => {
    await using folder = await temporaryFolder();
    const deep = path.join(folder.path, 'a'.repeat(100), 'b'.repeat(100));
    mkdirSync(deep, { recursive: true });
    const holder = await holdInChild(deep, { under: IN_CONTAINER });
    expect(await tryInContainer(deep)).toContain('is open in process 1');
    holder.kill('SIGKILL');
    await once(holder, 'close');
    expect(await tryInContainer(deep)).toBe('pid 1: taken');
  });
});

const outside = async (folder: string): Promise<string> => {
  const lock = await StoreLock.acquire(folder, { patienceMs: 600_000 });
  lock.release();
  return `pid ${process.pid}: taken`;
};

describe('the lock of a store shared by machines', () => {
  it('is touched regularly as a sign of life', async () => {
    await using folder = await temporaryFolder();
    const lock = await StoreLock.acquire(folder.path, { beatMs: 10 });
    const file = path.join(folder.path, 'lore.lock');
    const first = statSync(file).mtimeMs;
    await expect.poll(() => statSync(file).mtimeMs).not.toBe(first);
    lock.release();
  });

  it('is not taken from a holder that touches it, whatever its clock, but from one that does not', async () => {
    await using folder = await temporaryFolder();
    const file = lockElsewhere(folder.path);
    let seconds = 1;
    const beating = setInterval(() => utimesSync(file, seconds, (seconds += 1)), 20);
    await expect(StoreLock.acquire(folder.path, { patienceMs: 600_000 })).rejects.toMatchObject({
      message: expect.stringContaining('of pod-0'),
    });
    clearInterval(beating);
    const lock = await StoreLock.acquire(folder.path, { patienceMs: 200 });
    expect(readFileSync(file, 'utf8')).toContain(lock.token);
    lock.release();
  });

  it.skipIf(hasOwnPidNamespace() || process.platform !== 'linux')(
    'is taken at once if it is from this machine before a reboot',
    async () => {
      await using folder = await temporaryFolder();
      lockElsewhere(folder.path, { space: 'another boot/pid:[4026531836]', host: hostname() });
      expect(await outside(folder.path)).toContain('taken');
    },
  );

  it('is known to be lost by a holder that was paused while another took it, which saves nothing afterwards', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    await store.entries.insert(row('kept'));
    const file = lockElsewhere(folder.path);
    await vi.waitFor(async () => expect(await store.isWritable()).toBe(false), { timeout: 20_000 });
    await expect(store.entries.insert(row('too late'))).rejects.toMatchObject({ code: 'unavailable' });
    await store.close();
    expect(readFileSync(file, 'utf8')).toContain('pod-0');
  });
});
