import { describe, expect, it } from 'vitest';
import { openApp } from '../../../src/app.ts';
import { Scheduler } from '../../../src/jobs/scheduler.ts';
import { silentLog, type Log } from '../../../src/memory/log.ts';
import { noTelemetry } from '../../../src/memory/telemetry.ts';
import type { MemoryOperations } from '../../../src/memory/operations/operations.ts';
import { UsageCounts } from '../../../src/service/lifecycle/usage-counts.ts';
import { openTestApp, testConfig } from '../../helpers/app.ts';
import { failureOf } from '../../helpers/failure.ts';
import { temporaryFolder } from '../../helpers/folder.ts';
import { recordedLog } from '../../helpers/recorded-log.ts';
import { openTestStore, row } from '../../helpers/store.ts';

const schedulerOf = (log: Log = silentLog): Scheduler => new Scheduler({ background: true, log, telemetry: noTelemetry });

const recallsOf = async (memories: MemoryOperations, id: string): Promise<number | undefined> => (await memories.get(id)).recalls;

describe('the recall count of an entry', () => {
  it('counts recalls and searches, is shown with the entry, and is not a change', async () => {
    await using app = await openTestApp();
    const { ids } = await app.memories.save({ content: 'the walrus sleeps' });
    const [id] = ids as [string];
    const before = await app.memories.get(id);
    expect(before).not.toHaveProperty('recalls');
    const started = Date.now();
    await app.memories.recall({ query: 'walrus' });
    await app.memories.search({ query: 'walrus' });
    await app.memories.recall({ query: 'walrus', namespace: 'nowhere' });
    await app.memories.explain({ query: 'walrus', id });
    const { recalls, lastRecalledAt, ...entry } = await app.memories.get(id);
    expect([recalls, entry]).toEqual([2, before]);
    expect(lastRecalledAt).toBeGreaterThanOrEqual(started);
    expect((await app.memories.lifecycle.history(id)).versions).toEqual([]);
    expect((await app.memories.list({})).entries[0]).not.toHaveProperty('recalls');
  });

  it('counts what an agent or person was given, in importance and statistics, without lookups', async () => {
    await using app = await openTestApp();
    const { memories } = app;
    const [id] = (await memories.save({ content: 'the walrus sleeps on the pier' })).ids as [string];
    const counted = async () => [await recallsOf(memories, id), (await memories.statistics.activity({})).today.recalls];
    await memories.search({ query: 'walrus', countUse: false }, { source: 'web' });
    await memories.recall({ query: 'walrus', countUse: false });
    await memories.capture.context({ prompt: 'walrus pier', namespace: 'test', countUse: false });
    await memories.explain({ query: 'walrus', id });
    await memories.details.similar(id, {});
    await memories.details.near({ content: 'the walrus sleeps on the pier' });
    await memories.list({});
    await memories.capture.context({ prompt: 'walrus pier', namespace: 'test' }, { signal: AbortSignal.abort() }).catch(() => undefined);
    expect(await counted()).toEqual([undefined, 0]);
    expect((await memories.statistics.activity({})).latency.requests).toBeGreaterThan(0);
    expect(await memories.markUsed(id, { source: 'web' })).toMatchObject({ id, recalls: 1 });
    await memories.recall({ query: 'walrus' }, { source: 'mcp' });
    await memories.capture.context({ prompt: 'walrus pier', namespace: 'test' });
    // What a session begins with was given to an agent too.
    await memories.capture.context({ namespace: 'test' });
    expect(await counted()).toEqual([4, 4]);
    await expect(memories.markUsed('00000000-0000-7000-8000-000000000000')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('counts every one of fifty concurrent recalls', async () => {
    await using app = await openTestApp();
    const { ids } = await app.memories.save({ content: 'the walrus sleeps' });
    await Promise.all(Array.from({ length: 50 }, () => app.memories.recall({ query: 'walrus' })));
    expect(await recallsOf(app.memories, ids[0]!)).toBe(50);
  });

  it('survives a restart, and continues', async () => {
    await using folder = await temporaryFolder();
    const config = testConfig(folder.path);
    const open = () => openApp(config, { log: silentLog, cwd: folder.path });
    const first = await open();
    const { ids } = await first.memories.save({ content: 'the walrus sleeps' });
    await first.memories.recall({ query: 'walrus' });
    await first.close();
    const second = await open();
    await second.memories.recall({ query: 'walrus' });
    expect(await recallsOf(second.memories, ids[0]!)).toBe(2);
    await second.close();
    await using third = await open();
    expect(await recallsOf(third.memories, ids[0]!)).toBe(2);
  });

  it('is deleted with the entry, and survives the archive', async () => {
    await using app = await openTestApp();
    const [gone, back] = [
      await app.memories.save({ content: 'the walrus sleeps' }),
      await app.memories.save({ content: 'the walrus dives' }),
    ];
    await app.memories.recall({ query: 'walrus' });
    await app.memories.forget(gone.ids[0]!);
    const { token } = await app.memories.lifecycle.forgetMany({ namespace: 'test' });
    await app.memories.lifecycle.forgetMany({ namespace: 'test', confirm: token! });
    await app.memories.lifecycle.restore({ ids: [back.ids[0]!] });
    // Whoever brings it back wants it, which counts as one.
    expect(await recallsOf(app.memories, back.ids[0]!)).toBe(2);
    await expect(app.memories.get(gone.ids[0]!)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('use counts', () => {
  it('are written without a row version, and removed with their entry', async () => {
    await using folder = await temporaryFolder();
    let store = await openTestStore(folder.path);
    const [kept, gone] = [await store.entries.insert(row('crane one')), await store.entries.insert(row('crane two'))];
    await store.optimize();
    const version = store.catalog.newestVersion;
    const scheduler = schedulerOf();
    const counts = new UsageCounts({ store, scheduler });
    counts.count([kept.entry.id, gone.entry.id]);
    counts.count([kept.entry.id]);
    await counts.flush();
    expect(store.catalog.newestVersion).toBe(version);
    expect(store.auxiliary.waiting).toBe(0);
    await store.entries.remove(gone.entry.id);
    counts.count([gone.entry.id]);
    await scheduler.close();
    await store.close();
    store = await openTestStore(folder.path);
    await store.optimize();
    const usage = await store.auxiliary.usage.all();
    expect(usage.map(({ entryId, recalls }) => [entryId, recalls])).toEqual([[kept.entry.id, 2]]);
    await store.close();
  });

  it('of removed entries leave memory', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    const scheduler = schedulerOf();
    const counts = new UsageCounts({ store, scheduler });
    const { entry: kept } = await store.entries.insert(row('crane'));
    counts.count([kept.id]);
    for (let round = 0; round < 2; round += 1) {
      const made = await Promise.all(Array.from({ length: 600 }, (_, nth) => store.entries.insert(row(`crane ${round} ${nth}`))));
      const ids = made.map(({ entry }) => entry.id);
      counts.count(ids);
      await counts.flush();
      await Promise.all(ids.map((id) => store.entries.remove(id)));
    }
    counts.count([kept.id]);
    await counts.flush();
    expect([...(await counts.all())].map(([id, { recalls }]) => [id, recalls])).toEqual([[kept.id, 2]]);
    await store.close();
  });

  it('of an archived entry return with it', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    const { entry } = await store.entries.insert(row('crane'));
    const scheduler = schedulerOf();
    const counts = new UsageCounts({ store, scheduler });
    for (let nth = 0; nth < 3; nth += 1) counts.count([entry.id]);
    await counts.flush();
    counts.count([entry.id]);
    await store.entries.changes.archive(entry.id, { at: Date.now(), reason: 'forgotten', run: 'r' });
    await counts.flush();
    const [archived] = await store.auxiliary.archive.getMany([entry.id]);
    await store.entries.changes.restore(archived!, { ...row('crane'), entry });
    counts.count([entry.id]);
    await scheduler.close();
    expect((await store.auxiliary.usage.get(entry.id))?.recalls).toBe(4);
    await store.close();
  });

  it('that cannot be written fail no request', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    const log = recordedLog();
    const { entry } = await store.entries.insert(row('crane'));
    const { abilities, auxiliary, catalog } = store;
    const broken = { abilities, auxiliary, catalog, keepUsage: () => Promise.reject(new Error('disk full')) };
    const scheduler = schedulerOf(log);
    const counts = new UsageCounts({ store: broken, scheduler });
    counts.count([entry.id]);
    await scheduler.close();
    expect(log.lines).toMatchObject([{ level: 'warn', fields: { job: 'usage', err: { message: 'disk full' } } }]);
    expect(await failureOf(broken.keepUsage())).toBeInstanceOf(Error);
    await store.close();
  });
});
