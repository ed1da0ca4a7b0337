import { createHash } from 'node:crypto';
import { readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { silentLog } from '../../src/memory/log.ts';
import { noTelemetry } from '../../src/memory/telemetry.ts';
import { Scheduler } from '../../src/jobs/scheduler.ts';
import { Scrub } from '../../src/service/scrub.ts';
import type { Store } from '../../src/store/store.ts';
import { failureOf } from '../helpers/failure.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { allEntries, openTestStore, row } from '../helpers/store.ts';

async function makeStore(folder: string): Promise<void> {
  const store = await openTestStore(folder);
  await Promise.all(Array.from({ length: 30 }, (_, nth) => store.entries.insert(row(`heron number ${nth}`))));
  await store.optimize();
  await store.close();
}

/** Changes the text of an entry where it lies on the disk, behind the back of the store. Gives its id. */
async function alter(folder: string): Promise<string> {
  const id = await idOf(folder, 'heron number 7');
  await overwrite(folder, 'heron number 7', 'HERON');
  return id;
}

async function idOf(folder: string, text: string): Promise<string> {
  const store = await openTestStore(folder);
  const { id } = (await allEntries(store)).find(({ content }) => content === text)!;
  await store.close();
  return id;
}

async function overwrite(folder: string, text: string, bytes: string | Buffer): Promise<void> {
  for (const file of await dataFiles(folder)) {
    const content = await readFile(file);
    const at = content.indexOf(text);
    if (at !== -1) Buffer.from(bytes).copy(content, at);
    await writeFile(file, content);
  }
}

async function dataFiles(folder: string, table = 'entries'): Promise<string[]> {
  const root = path.join(folder, `${table}.lance`, 'data');
  return (await readdir(root)).map((name) => path.join(root, name));
}

interface OpenScrub {
  readonly scrub: Scrub;
  readonly scheduler: Scheduler;
}

function scrubOf(store: Store, intervalMs = 0): OpenScrub {
  const scheduler = new Scheduler({ background: true, log: silentLog, telemetry: noTelemetry });
  return { scrub: new Scrub({ store, scheduler, log: silentLog, intervalMs }), scheduler };
}

describe('stored data', () => {
  it('is verified in the table and the archive', async () => {
    await using folder = await temporaryFolder();
    await makeStore(folder.path);
    const store = await openTestStore(folder.path);
    const [first] = await allEntries(store);
    await store.entries.changes.archive(first!.id, { at: 1, reason: 'forgotten', run: 'r' });
    const { scrub, scheduler } = scrubOf(store);
    expect(await scrub.verify()).toMatchObject({ checked: 30, altered: [], unreadable: [] });
    expect(scrub.degraded()).toBeUndefined();
    await scheduler.close();
    await store.close();
  });

  it('is reported by id if altered, until a later check passes', async () => {
    await using folder = await temporaryFolder();
    await makeStore(folder.path);
    const id = await alter(folder.path);
    const store = await openTestStore(folder.path);
    const { scrub, scheduler } = scrubOf(store);
    expect(await scrub.verify()).toMatchObject({ checked: 30, altered: [id], unreadable: [] });
    expect(scrub.degraded()).toMatch(/^1 entry not as saved/);
    const content = 'heron number 7';
    const contentHash = createHash('sha256').update(content).digest('hex');
    await store.entries.update(id, (now) => ({ ...now, entry: { ...now.entry, content, contentHash } }));
    await store.optimize();
    expect((await scrub.verify()).altered).toEqual([]);
    expect(scrub.degraded()).toBeUndefined();
    await scheduler.close();
    await store.close();
  });

  it('is reported with an invalid id, without hiding others', async () => {
    await using folder = await temporaryFolder();
    await makeStore(folder.path);
    await overwrite(folder.path, await idOf(folder.path, 'heron number 7'), Buffer.from([0xc3]));
    const store = await openTestStore(folder.path);
    expect(await allEntries(store)).toHaveLength(29);
    const { scrub, scheduler } = scrubOf(store);
    expect((await scrub.verify()).altered).toHaveLength(1);
    expect(scrub.degraded()).toMatch(/^1 entry not as saved/);
    await scheduler.close();
    await store.close();
  });

  it('is reported by id if unreadable', async () => {
    await using folder = await temporaryFolder();
    await makeStore(folder.path);
    const store = await openTestStore(folder.path);
    for (const file of await dataFiles(folder.path)) await truncate(file, 100);
    const { scrub, scheduler } = scrubOf(store);
    const { checked, unreadable } = await scrub.verify();
    expect([checked, new Set(unreadable).size]).toEqual([30, 30]);
    await scheduler.close();
    await store.close();
  });

  it('is verified in the background, and each completed round is recorded', async () => {
    await using folder = await temporaryFolder();
    await makeStore(folder.path);
    const id = await alter(folder.path);
    const store = await openTestStore(folder.path);
    const { scrub, scheduler } = scrubOf(store, 5);
    await expect
      .poll(() => store.maintenanceRuns.all().find(({ kind }) => kind === 'scrub')?.result, { timeout: 20_000 })
      .toEqual({ entries: 30 });
    expect(scrub.degraded()).toMatch(/^1 entry not as saved/);
    expect((await allEntries(store)).some((entry) => entry.id === id)).toBe(true);
    await scheduler.close();
    await store.close();
  });

  it('no longer affects health once it is forgotten', async () => {
    await using folder = await temporaryFolder();
    await makeStore(folder.path);
    const id = await alter(folder.path);
    const store = await openTestStore(folder.path);
    const { scrub, scheduler } = scrubOf(store);
    await scrub.verify();
    expect(scrub.degraded({ counts: false })).toBe('Entries not as saved or unreadable on the disk: `lore doctor --verify` names them.');
    await store.entries.remove(id);
    expect(scrub.degraded()).toBeUndefined();
    await scheduler.close();
    await store.close();
  });

  it('is reported even if the archive is unreadable', async () => {
    await using folder = await temporaryFolder();
    await makeStore(folder.path);
    const archiving = await openTestStore(folder.path);
    const put = (await allEntries(archiving)).find(({ content }) => content === 'heron number 3')!;
    await archiving.entries.changes.archive(put.id, { at: 1, reason: 'forgotten', run: 'r' });
    await archiving.optimize();
    await archiving.close();
    const id = await alter(folder.path);
    const store = await openTestStore(folder.path);
    for (const file of await dataFiles(folder.path, 'archive')) await truncate(file, 10);
    const { scrub, scheduler } = scrubOf(store);
    expect(await scrub.verify()).toMatchObject({ checked: 29, altered: [id], archiveUnreadable: true });
    await scheduler.close();
    await store.close();
  });

  it('is not reported partially: cancelling or closing gives no report', async () => {
    await using folder = await temporaryFolder();
    await makeStore(folder.path);
    const store = await openTestStore(folder.path);
    const { scrub, scheduler } = scrubOf(store);
    await expect(scrub.verify(AbortSignal.abort())).rejects.toThrow(/abort/i);
    const cut = failureOf(scrub.verify());
    await scheduler.close();
    expect(await cut).toMatchObject({ code: 'unavailable', message: 'The store is closing.' });
    await store.close();
  });
});

describe('a background round', () => {
  it('starts anywhere, so that short processes check different entries', async () => {
    await using folder = await temporaryFolder();
    await makeStore(folder.path);
    const store = await openTestStore(folder.path);
    const random = vi.spyOn(Math, 'random').mockReturnValue(0.5);
    const looked = vi.spyOn(store.verification, 'entries');
    const { scheduler } = scrubOf(store, 5);
    random.mockRestore();
    await expect.poll(() => looked.mock.calls.length, { timeout: 20_000 }).toBeGreaterThan(0);
    const ids = store.catalog.entries().map(({ id }) => id);
    expect(looked.mock.calls[0]?.[0]).toEqual([...ids.slice(15), ...ids.slice(0, 15)]);
    await scheduler.close();
    await store.close();
  });

  it('repeats what a temporary error prevented', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    await Promise.all(Array.from({ length: 510 }, (_, nth) => store.entries.insert(row(`heron number ${nth}`))));
    const looked = vi.spyOn(store.verification, 'entries').mockRejectedValueOnce(new Error('too many open files'));
    const { scheduler } = scrubOf(store, 5);
    await expect.poll(() => looked.mock.calls.length, { timeout: 20_000 }).toBeGreaterThan(1);
    expect(looked.mock.calls[0]?.[0]).toHaveLength(500);
    expect(looked.mock.calls[1]?.[0]).toEqual(looked.mock.calls[0]?.[0]);
    await scheduler.close();
    await store.close();
  });
});
