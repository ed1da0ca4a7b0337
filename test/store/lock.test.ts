import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readHolder, StoreLock } from '../../src/store/lock.ts';
import { temporaryFolder } from '../helpers/folder.ts';

const LOCK_MODULE = new URL('../../dist/store/lock.js', import.meta.url).href;

const LOCKING = fileURLToPath(new URL('./locking-process.mjs', import.meta.url));

/** A process that takes the lock, says so, and holds it until it is killed. */
async function holdInChild(folder: string): Promise<ChildProcess> {
  const script = `import { StoreLock } from ${JSON.stringify(LOCK_MODULE)};
    const lock = await StoreLock.acquire(${JSON.stringify(folder)});
    lock.publishUrl('http://127.0.0.1:9');
    console.log('held');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return child;
}

describe('the lock of a store', () => {
  it('lets one in, says who that is, and is gone afterwards', async () => {
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

  it('of a killed process is taken over, by exactly one of many', async () => {
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

  it('is held by one process at a time, however many want that of a dead one', async () => {
    await using folder = await temporaryFolder();
    const ends = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const child = spawn(process.execPath, [LOCKING, folder.path, '40'], { stdio: ['ignore', 'ignore', 'inherit'] });
        return ((await once(child, 'exit')) as [number | null])[0];
      }),
    );
    expect(ends).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('is not believed when another process has got the pid since', async () => {
    await using folder = await temporaryFolder();
    const file = path.join(folder.path, 'lore.lock');
    writeFileSync(file, JSON.stringify({ pid: process.pid, started: 'another boot:1', token: 'old' }));
    expect(readHolder(folder.path)).toBeUndefined();
    const lock = await StoreLock.acquire(folder.path);
    expect(readFileSync(file, 'utf8')).toContain(lock.token);
    lock.release();
  });

  it.each(['', '{"pid":', '[]', 'null', '{"pid":"x"}'])('that a power loss left as %j is taken over', async (text) => {
    await using folder = await temporaryFolder();
    writeFileSync(path.join(folder.path, 'lore.lock'), text);
    const lock = await StoreLock.acquire(folder.path);
    lock.release();
    expect(existsSync(path.join(folder.path, 'lore.lock'))).toBe(false);
  });
});
