import { open, readlink } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { readCheckpoint } from '../../src/store/format/checkpoint.ts';
import { logFiles } from '../../src/store/wal/log-files.ts';
import { FolderSync } from '../../src/store/files/sync.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { recordedLog } from '../helpers/recorded-log.ts';
import { allEntries, openTestStore, row, SPACE } from '../helpers/store.ts';

afterEach(() => void vi.restoreAllMocks());

interface Syncing {
  readonly fd: number;
  sync: (this: Syncing) => Promise<void>;
}

/** The next sync of such a file fails, and only that one: so does the system, which forgets what it could not write. Linux names the file. */
async function refuseOnce(isMeant: (file: string) => boolean): Promise<void> {
  const handle = await open('.', 'r');
  const prototype = Object.getPrototypeOf(handle) as Syncing;
  await handle.close();
  const original = prototype.sync;
  let isRefused = false;
  vi.spyOn(prototype, 'sync').mockImplementation(async function (this: Syncing) {
    if (!isRefused && isMeant(await readlink(`/proc/self/fd/${this.fd}`))) {
      isRefused = true;
      throw Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO' });
    }
    await original.call(this);
  });
}

describe.skipIf(process.platform !== 'linux')('a table that the disk did not store (needs Linux)', () => {
  it.each(['entries', 'relations'])('of %s is not considered safe later, and a restart has everything', async (table) => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    const rows = ['heron', 'crane'].map((content) => row(content));
    for (const fresh of rows) await store.entries.insert(fresh);
    const facts = { type: 'references', strength: 1, createdAt: 1, origin: 'manual' } as const;
    await store.entries.changes.relate({ ...facts, sourceId: rows[0]!.entry.id, targetId: rows[1]!.entry.id });
    const before = readCheckpoint(folder.path);
    await refuseOnce((file) => file.includes(`${table}.lance${path.sep}data`));
    await expect(store.optimize()).rejects.toMatchObject({ code: 'unavailable' });
    await expect(store.optimize()).rejects.toMatchObject({ code: 'unavailable' });
    const { entries, sides } = readCheckpoint(folder.path);
    expect([entries, sides?.[table]]).toEqual([before.entries, before.sides?.[table]]);
    expect(store.damages).toMatchObject([{ mayLose: false, message: expect.stringContaining(`the table ${table}`) as string }]);
    expect(await store.isWritable()).toBe(true);
    await store.entries.insert(row('walrus'));
    expect(logFiles(folder.path)).toHaveLength(2);
    await store.close();
    const again = await openTestStore(folder.path);
    expect((await allEntries(again)).map(({ content }) => content).toSorted()).toEqual(['crane', 'heron', 'walrus']);
    expect([[...again.auxiliary.graph.all()].length, again.damages]).toEqual([1, []]);
    await again.optimize();
    expect(logFiles(folder.path)).toEqual([]);
    await again.close();
  });
});

describe.skipIf(process.platform !== 'linux')('background work after a failed sync (needs Linux)', () => {
  it('is retried while changes arrive', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    await store.entries.insert(row('heron'));
    // The last step of a run: what it wrote is in the table, and its journal is dropped.
    await refuseOnce((file) => path.basename(file) === 'journal');
    await expect(store.optimize()).rejects.toMatchObject({ code: 'unavailable' });
    const over = new AbortController();
    const coming = (async () => {
      for (let nth = 0; !over.signal.aborted; nth += 1) {
        await store.entries.insert(row(`crane ${nth}`));
        await sleep(50);
      }
    })();
    try {
      await expect.poll(() => store.maintenanceFailures, { timeout: 60_000 }).toBe(0);
    } finally {
      over.abort();
      await coming;
    }
    await store.close();
  }, 90_000);
});

describe.skipIf(process.platform !== 'linux')('a store that cannot be opened completely (needs Linux)', () => {
  it('leaves no work, and opens when it can', async () => {
    await using folder = await temporaryFolder();
    const narrow = await openTestStore(folder.path, { ...SPACE, fingerprint: 'test/narrow/16/1', width: 16 });
    // Enough for a run of the next start, and left to it.
    await Promise.all(Array.from({ length: 300 }, (_, nth) => narrow.entries.insert(row(`heron ${nth}`, {}, 'pending'))));
    await narrow.close();
    const log = recordedLog();
    // First the column of the new model is added, then that of the old one dropped.
    let runs = 0;
    await refuseOnce((file) => file.endsWith(`entries.lance${path.sep}_versions`) && (runs += 1) === 2);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await expect(openTestStore(folder.path, SPACE, log)).rejects.toMatchObject({ code: 'unavailable' });
    // Such a run waits for a quiet moment.
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
    expect(log.lines.filter(({ message }) => message.startsWith('maintenance failed'))).toEqual([]);
    const again = await openTestStore(folder.path);
    expect(again.entries.count({})).toBe(300);
    await again.close();
  });
});

describe.skipIf(process.platform !== 'linux')('a synced folder (needs Linux)', () => {
  it('is synced again if a file only could not be opened', async () => {
    await using folder = await temporaryFolder();
    const tree = new FolderSync(path.join(folder.path, 'later'));
    await expect(tree.run()).rejects.toMatchObject({ code: 'ENOENT' });
    await (await openTestStore(path.join(folder.path, 'later'))).close();
    await expect(tree.run()).resolves.toBeUndefined();
  });

  it('refuses everything after the first failure, also of a folder, and reports it once', async () => {
    await using folder = await temporaryFolder();
    const told = vi.fn<() => void>();
    const tree = new FolderSync(folder.path, told);
    await tree.run();
    await refuseOnce((file) => file === folder.path);
    for (let run = 0; run < 2; run += 1) await expect(tree.run()).rejects.toMatchObject({ code: 'unavailable', cause: { code: 'EIO' } });
    expect(told).toHaveBeenCalledTimes(1);
  });
});
