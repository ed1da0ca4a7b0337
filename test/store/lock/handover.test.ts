import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { isStoreWanted, requestHandover } from '../../../src/store/lock/handover.ts';
import { readHolder, StoreLock } from '../../../src/store/lock/lock.ts';
import { temporaryFolder } from '../../helpers/folder.ts';

const HANDOVER_MODULE = new URL('../../../dist/store/lock/handover.js', import.meta.url).href;
const wish = (folder: string): string => path.join(folder, 'lore.lock.wanted');

describe('a handover request', () => {
  it('is visible to other processes until it is withdrawn or its process is killed', async () => {
    await using folder = await temporaryFolder();
    const script = `import { requestHandover } from ${JSON.stringify(HANDOVER_MODULE)};
      const takeBack = requestHandover(${JSON.stringify(folder.path)});
      process.stdin.once('data', () => { takeBack(); console.log('back'); });
      console.log('wanted');`;
    const asker = () => spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['pipe', 'pipe', 'inherit'] });
    const first = asker();
    await once(first.stdout, 'data');
    expect(isStoreWanted(folder.path)).toBe(true);
    const back = once(first.stdout, 'data');
    first.stdin.write('x');
    await back;
    expect(isStoreWanted(folder.path)).toBe(false);
    first.kill('SIGKILL');
    const second = asker();
    await once(second.stdout, 'data');
    expect(isStoreWanted(folder.path)).toBe(true);
    second.kill('SIGKILL');
    await once(second, 'exit');
    expect(isStoreWanted(folder.path)).toBe(false);
    expect(existsSync(wish(folder.path))).toBe(false);
  });

  it('of this process does not count for itself', async () => {
    await using folder = await temporaryFolder();
    const takeBack = requestHandover(folder.path);
    expect(isStoreWanted(folder.path)).toBe(false);
    expect(existsSync(wish(folder.path))).toBe(true);
    takeBack();
    takeBack();
    expect(existsSync(wish(folder.path))).toBe(false);
  });

  it('expires, and is ignored if unreadable', async () => {
    await using folder = await temporaryFolder();
    for (const text of ['', '{"pid":', 'null', '{"pid":"x"}']) {
      writeFileSync(wish(folder.path), text);
      expect(isStoreWanted(folder.path)).toBe(false);
    }
    writeFileSync(wish(folder.path), JSON.stringify({ pid: process.ppid, started: '' }));
    expect(isStoreWanted(folder.path)).toBe(true);
    const old = new Date(Date.now() - 3_600_000);
    utimesSync(wish(folder.path), old, old);
    expect(isStoreWanted(folder.path)).toBe(false);
  });

  it('is answered by a holder whose lock says that it yields', async () => {
    await using folder = await temporaryFolder();
    const lock = await StoreLock.acquire(folder.path);
    lock.publishUrl('http://127.0.0.1:9');
    expect(readHolder(folder.path)).not.toHaveProperty('yields');
    lock.publishUrl('http://127.0.0.1:9', { yields: true });
    expect(readHolder(folder.path)).toMatchObject({ yields: true, url: 'http://127.0.0.1:9' });
    lock.release();
  });
});
