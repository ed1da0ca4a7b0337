import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { draftPath, previousPath, undoUnfinishedRestore } from '../../../src/store/backup/unfinished-restore.ts';
import { StoreLock } from '../../../src/store/lock/lock.ts';
import { failureOf } from '../../helpers/failure.ts';
import { temporaryFolder } from '../../helpers/folder.ts';
import { allEntries, openTestStore, row } from '../../helpers/store.ts';

async function makeStore(folder: string, content: string): Promise<void> {
  const store = await openTestStore(folder);
  await store.entries.insert(row(content));
  await store.close();
}

describe('a store that a live process has moved aside for another one', () => {
  it('delays others until the new store is in place', async () => {
    await using folder = await temporaryFolder();
    const store = path.join(folder.path, 'store');
    const [draft, kept] = [draftPath(store), previousPath(store)];
    await makeStore(store, 'as it was');
    await makeStore(draft, 'as it is to be');
    const lock = await StoreLock.acquire(store);
    await rename(store, kept);
    const opening = openTestStore(store);
    await sleep(100);
    await rename(draft, store);
    lock.release();
    const opened = await opening;
    expect((await allEntries(opened)).map(({ content }) => content)).toEqual(['as it is to be']);
    await opened.close();
    await rm(path.join(kept, 'lore.lock'));
    const former = await openTestStore(kept);
    expect((await allEntries(former)).map(({ content }) => content)).toEqual(['as it was']);
    await former.close();
  });

  it('is not moved back while it works', async () => {
    await using folder = await temporaryFolder();
    const store = path.join(folder.path, 'store');
    await mkdir(store);
    await mkdir(draftPath(store));
    const lock = await StoreLock.acquire(store);
    const kept = previousPath(store);
    await rename(store, kept);
    expect(await failureOf(Promise.resolve().then(() => undoUnfinishedRestore(store)))).toMatchObject({ code: 'filesystem' });
    lock.release();
    await rm(path.join(kept, 'lore.lock'));
    undoUnfinishedRestore(store);
    expect(await failureOf(rename(kept, store))).toMatchObject({ code: 'ENOENT' });
  });
});
