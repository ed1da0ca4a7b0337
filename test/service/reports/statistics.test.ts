import { afterEach, describe, expect, it, vi } from 'vitest';
import { openApp } from '../../../src/app.ts';
import { silentLog } from '../../../src/memory/log.ts';
import { RecallActivity } from '../../../src/service/lifecycle/recall-activity.ts';
import { restrictTo } from '../../../src/service/limits.ts';
import { openTestApp, testConfig } from '../../helpers/app.ts';
import { temporaryFolder } from '../../helpers/folder.ts';
import { later } from '../../helpers/syncing.ts';
import { zoneAtNoon } from '../../helpers/time-of-day.ts';

const NOON = Date.UTC(2026, 5, 17, 12);
const HOUR = 3_600_000;

async function* lines(count: number): AsyncGenerator<Uint8Array> {
  for (let number = 0; number < count; number += 1) yield await Promise.resolve(Buffer.from(`{"content":"thing ${number}"}\n`));
}

describe('the activity', () => {
  it("counts today's recalls, their clients, and whether they found something", async () => {
    await using app = await openTestApp();
    await app.memories.save({ content: 'the walrus sleeps' });
    await app.memories.recall({ query: 'walrus' }, { source: 'mcp' });
    await app.memories.recall({ query: 'walrus', namespace: 'empty' }, { source: 'mcp' });
    await app.memories.search({ query: 'walrus' }, { source: 'web' });
    const { today, latency, since } = await app.memories.statistics.activity({ timeZone: zoneAtNoon() });
    expect(today).toEqual({
      recalls: 3,
      answered: 2,
      bySource: { mcp: { recalls: 2, answered: 1 }, web: { recalls: 1, answered: 1 } },
    });
    expect(latency).toMatchObject({ requests: 3, p50: expect.any(Number), p95: expect.any(Number) });
    expect(latency.minutes.reduce((sum, { requests }) => sum + requests, 0)).toBe(3);
    expect(since).toBeLessThanOrEqual(Date.now());
  });

  it('counts context requests and session starts with a result', async () => {
    await using app = await openTestApp();
    await app.memories.save({ content: 'the walrus sleeps on the pier' });
    const session = { client: 'x', session: 's', namespace: 'test' };
    for (const prompt of ['walrus pier', 'walrus pier', 'zebra', undefined, ' ']) {
      await app.memories.capture.context({ ...session, ...(prompt !== undefined && { prompt }) }, { source: 'cli' });
    }
    const { today, latency } = await app.memories.statistics.activity({ namespace: 'test', timeZone: zoneAtNoon() });
    expect(today).toEqual({ recalls: 4, answered: 3, bySource: { cli: { recalls: 4, answered: 3 } } });
    expect(latency.requests).toBe(3);
  });

  it('starts the day in the time zone of the person, and drops the day before', () => {
    let now = NOON - 13 * HOUR;
    const activity = new RecallActivity(() => now);
    const recall = { namespace: undefined, source: 'mcp', results: 1 } as const;
    const recallsIn = (timeZone: string): number => activity.report({ namespace: undefined, timeZone }).today.recalls;
    activity.count(recall);
    now = NOON;
    activity.count(recall);
    expect([recallsIn('UTC'), recallsIn('Europe/Berlin'), recallsIn('Asia/Kathmandu')]).toEqual([1, 2, 2]);
    now += 30 * HOUR;
    activity.count(recall);
    expect([recallsIn('UTC'), recallsIn('Pacific/Kiritimati')]).toEqual([1, 1]);
  });
});

describe('days', () => {
  afterEach(() => void vi.unstubAllEnvs());

  it('are in UTC by default, wherever the server runs', async () => {
    // It is another day there now.
    vi.stubEnv('TZ', new Date().getUTCHours() < 12 ? 'Etc/GMT+12' : 'Etc/GMT-14');
    await using app = await openTestApp();
    await app.memories.save({ content: 'thing' });
    await app.memories.recall({ query: 'thing' });
    const { statistics, bulk } = app.memories;
    const days = async (request: { timeZone?: string }) => [
      (await statistics.growth(request)).points.at(-1)?.day,
      (await bulk.timeline(request)).days[0]?.day,
    ];
    expect(await days({})).toEqual(await days({ timeZone: 'UTC' }));
    expect(await days({})).not.toEqual(await days({ timeZone: process.env['TZ']! }));
    expect(await statistics.activity({})).toEqual(await statistics.activity({ timeZone: 'UTC' }));
  });
});

describe('maintenance runs', () => {
  it('list what ran when with which result', async () => {
    await using app = await openTestApp();
    await app.memories.import(lines(300), {});
    const written = async () => (await app.memories.stats()).runs?.find(({ kind }) => kind === 'optimize')?.result.rows;
    await expect.poll(written, { timeout: 15_000 }).toBe(300);
    await app.memories.lifecycle.compact({});
    await app.memories.lifecycle.compact({ dryRun: true });
    await app.memories.backups.create();
    const { runs = [] } = await app.memories.stats();
    expect(runs.map(({ kind, state }) => [kind, state])).toContainEqual(['compaction', 'done']);
    expect(runs.filter(({ kind }) => kind === 'compaction')).toHaveLength(1);
    const backup = runs.find(({ kind }) => kind === 'backup');
    expect(backup).toMatchObject({ state: 'done', ms: expect.any(Number), result: { entries: 300, bytes: expect.any(Number) } });
    expect(runs.map(({ at }) => at)).toEqual(runs.map(({ at }) => at).toSorted((a, b) => b - a));
  });

  it('survive a restart if the store keeps them', async () => {
    await using folder = await temporaryFolder();
    const config = testConfig(folder.path);
    const open = () => openApp(config, { log: silentLog, cwd: folder.path });
    {
      await using first = await open();
      await first.memories.save({ content: 'thing' });
      await first.memories.lifecycle.compact({});
      // Of one millisecond nobody knows which was first.
      await later();
      await first.memories.backups.create();
    }
    await using second = await open();
    const kinds = async () => (await second.memories.stats()).runs?.map(({ kind, result }) => [kind, result.entries ?? result.archived]);
    await expect.poll(kinds, { timeout: 15_000 }).toEqual([
      ['backup', 1],
      ['compaction', 0],
    ]);
  });
});

describe('the statistics of a key bound to a namespace', () => {
  it('cover that namespace only', async () => {
    await using app = await openTestApp();
    await app.memories.save({ content: 'mine', namespace: 'mine', tags: ['own'] });
    for (const tag of ['secret', 'hidden']) await app.memories.save({ content: tag, namespace: 'theirs', tags: [tag], priority: 'high' });
    await app.memories.recall({ query: 'hidden', namespace: 'theirs' });
    await app.memories.search({ query: 'hidden' });
    const bound = restrictTo(app.memories, { name: 'bound', access: 'read', namespace: 'mine' });
    await bound.recall({ query: 'mine' });

    const stats = await bound.stats();
    expect(stats).toMatchObject({ total: 1, tags: 1, topTags: [{ tag: 'own', entries: 1 }], byPriority: { normal: 1 } });
    expect(stats.namespaces.map(({ namespace }) => namespace)).toEqual(['mine']);
    expect(stats.perDay.reduce((sum, { entries }) => sum + entries, 0)).toBe(1);
    expect(stats.vectors.reduce((sum, { entries }) => sum + entries, 0)).toBe(1);
    for (const field of ['storage', 'runs', 'lastCompaction']) expect(stats).not.toHaveProperty(field);
    expect((await bound.statistics.growth({})).points.at(-1)).toMatchObject({ total: 1 });
    const { today, latency } = await bound.statistics.activity({ timeZone: zoneAtNoon() });
    expect([today.recalls, latency.requests]).toEqual([1, 1]);
    for (const ask of [
      bound.stats({ namespace: 'theirs' }),
      bound.statistics.growth({ namespace: 'theirs' }),
      bound.statistics.activity({ namespace: 'theirs' }),
    ]) {
      await expect(ask).rejects.toMatchObject({ code: 'forbidden' });
    }
  });
});
