import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openApp } from '../../../src/app.ts';
import { silentLog } from '../../../src/memory/log.ts';
import { diskSpace, isNearlyFull } from '../../../src/store/files/disk-space.ts';
import { testConfig } from '../../helpers/app.ts';
import { mayMount, smallDisk } from '../../helpers/machine.ts';

const MB = 1e6;
const GB = 1e9;

describe('disk space', () => {
  it.each([
    [499 * MB, 10 * GB, true],
    [501 * MB, 10 * GB, false],
    [1.9 * GB, 100 * GB, true],
    [2.1 * GB, 100 * GB, false],
    [60 * GB, 4000 * GB, false],
    [9 * GB, 4000 * GB, true],
  ])('with %d of %d bytes left is nearly full: %s', (free, total, full) => {
    expect(isNearlyFull({ free, total })).toBe(full);
  });

  it('of a missing folder is unknown', async () => {
    expect(await diskSpace('/no/such/folder')).toBeUndefined();
  });

  it.skipIf(!mayMount)('that runs out is shown in health and readiness (skipped if file systems cannot be mounted)', async () => {
    await using disk = await smallDisk(64);
    await using app = await openApp(testConfig(disk.path), { log: silentLog, cwd: disk.path });
    expect(await app.isReady()).toBe(true);
    expect((await app.memories.health()).degraded).toEqual([
      expect.stringMatching(/^The disk of the store is nearly full: \d\d MB are left\./),
    ]);
    const filler = join(disk.path, 'filler');
    expect(() => writeFileSync(filler, Buffer.alloc(65 * 1024 * 1024))).toThrow('ENOSPC');
    expect(await app.isReady()).toBe(false);
    rmSync(filler);
    expect(await app.isReady()).toBe(true);
  });

  it.skipIf(!mayMount)('that is free again makes the store ready without a save (skipped like the one above)', async () => {
    await using disk = await smallDisk(64);
    await using app = await openApp(testConfig(disk.path), { log: silentLog, cwd: disk.path });
    const filler = join(disk.path, 'filler');
    expect(() => writeFileSync(filler, Buffer.alloc(65 * 1024 * 1024))).toThrow('ENOSPC');
    await expect(app.memories.save({ content: 'x'.repeat(100_000) })).rejects.toMatchObject({ code: 'unavailable' });
    expect(await app.isReady()).toBe(false);
    rmSync(filler);
    expect(await app.isReady()).toBe(true);
    expect((await app.memories.health()).degraded.join()).not.toContain('saves fail until');
  });
});
