import { stat, symlink } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { silentLog } from '../../../src/memory/log.ts';
import { Reserve } from '../../../src/store/files/reserve.ts';
import { temporaryFolder } from '../../helpers/folder.ts';

const MIB = 1024 * 1024;

describe('the disk reserve', () => {
  it('with an unreadable file prevents nothing, is given up without an error, and is recreated', async () => {
    await using folder = await temporaryFolder();
    const file = path.join(folder.path, 'ballast');
    // A link that leads to itself: nobody can look at it, whatever their rights.
    await symlink('ballast', file);
    const reserve = new Reserve({ path: folder.path, bytes: 2 * MIB, log: silentLog });
    await reserve.begin();
    expect(reserve.isFull).toBe(false);
    reserve.noteFailure(new Error('ENOSPC: no space left on device, write'));
    expect(reserve.isFull).toBe(true);
    await expect(reserve.requireRoom()).rejects.toMatchObject({ code: 'unavailable' });
    await reserve.requireRoom();
    expect([reserve.isFull, (await stat(file)).size]).toEqual([false, 2 * MIB]);
    await reserve.close();
  });
});
