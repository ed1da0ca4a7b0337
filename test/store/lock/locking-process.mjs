/**
 * A process that takes the lock of a store, looks whether it is alone with it, and leaves it as a killed process would: again and again.
 * Usage: node locking-process.mjs <folder> <rounds>. Ends with 1 where two were in at once.
 */
import { closeSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const [folder, rounds] = process.argv.slice(2);
const { StoreLock } = await import('../../../dist/store/lock/lock.js');
const inside = path.join(folder, 'inside');
const lock = path.join(folder, 'lore.lock');
for (let round = 0; round < Number(rounds);) {
  try {
    await StoreLock.acquire(folder);
  } catch (error) {
    if (error.code !== 'filesystem') throw error;
    continue;
  }
  round += 1;
  closeSync(openSync(inside, 'wx'));
  await sleep(1);
  rmSync(inside);
  // A process that is long gone.
  writeFileSync(`${lock}.${process.pid}`, JSON.stringify({ pid: 2 ** 30, started: 'gone', token: 'x' }));
  renameSync(`${lock}.${process.pid}`, lock);
}
