import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { openApp } from '../../../src/app.ts';
import { silentLog } from '../../../src/memory/log.ts';
import type { CompactReport } from '../../../src/memory/operations/lifecycle-operations.ts';
import type { MemoryOperations } from '../../../src/memory/operations/operations.ts';
import { openTestApp, testConfig } from '../../helpers/app.ts';
import { startEmbeddingApi } from '../../helpers/embedding-api.ts';
import { temporaryFolder } from '../../helpers/folder.ts';
import { daysAgo } from '../../helpers/past.ts';
import { openTestStore, row } from '../../helpers/store.ts';

const DAY_MS = 86_400_000;
/** An entry as another store sends it. */
const SYNCED = {
  container: 'test',
  tags: [],
  priority: 'low',
  importance: 0.2,
  source: 'api',
  createdAt: Date.parse('2020-01-01'),
  updatedAt: Date.parse('2020-01-01'),
} as const;

interface Line {
  readonly content: string;
  readonly days?: number;
  readonly priority?: string;
  readonly importance?: number;
  readonly tags?: readonly string[];
  readonly namespace?: string;
}

/** Stores entries as if each had been imported on the day it was written, so many days ago; the ids in order. */
async function plant(memories: MemoryOperations, lines: readonly Line[]): Promise<string[]> {
  const ids: string[] = [];
  const oldestFirst = [...new Set(lines.map(({ days = 0 }) => days))].toSorted((a, b) => b - a);
  for (const days of oldestFirst) {
    const ofThatDay = [...lines.entries()].filter(([, line]) => (line.days ?? 0) === days);
    const taken = await daysAgo(days, () =>
      importLines(
        memories,
        ofThatDay.map(([, { days: _days, ...line }]) => line),
      ),
    );
    for (const [nth, [at]] of ofThatDay.entries()) ids[at] = taken[nth]!;
  }
  return ids;
}

/** The ids in order. */
async function importLines(memories: MemoryOperations, lines: readonly object[]): Promise<string[]> {
  const ids: string[] = [];
  const timestamp = new Date(Date.now()).toISOString();
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield await Promise.resolve(Buffer.from(lines.map((line) => JSON.stringify({ timestamp, ...line })).join('\n')));
  }
  await memories.import(chunks(), {}, { onLine: ({ id }) => ids.push(id!) });
  return ids;
}

const contents = async (memories: MemoryOperations): Promise<string[]> =>
  (await memories.list({ allNamespaces: true, limit: 100 })).entries.map(({ content }) => content).toSorted();
const reasons = ({ items }: CompactReport): Record<string, string> =>
  Object.fromEntries(items.map(({ preview, reason }) => [preview, reason]));

describe('compaction by age', () => {
  it('archives unimportant entries untouched for ttlDays, except those of high priority', async () => {
    await using app = await openTestApp();
    await plant(app.memories, [
      { content: 'old and of no account', days: 200, priority: 'low' },
      { content: 'old and once of account', days: 400 },
      { content: 'old and of high priority', days: 400, priority: 'high' },
      { content: 'of high priority, weighed low by hand', days: 400, priority: 'high', importance: 0 },
      { content: 'not so old', days: 170, priority: 'low' },
      { content: 'old but the walrus is still asked for', days: 200, priority: 'low' },
    ]);
    await app.memories.recall({ query: 'walrus', limit: 1 });
    const report = await app.memories.lifecycle.compact({});
    expect(reasons(report)).toEqual({ 'old and of no account': 'expired', 'old and once of account': 'expired' });
    expect(report).toMatchObject({ looked: 6, archived: 2, byReason: { expired: 2, 'near duplicate': 0, 'too many': 0, forgotten: 0 } });
    expect(report.items.map(({ why }) => why)).toEqual([
      expect.stringMatching(
        /^Neither created, imported, changed nor recalled for 400 days \(limit 180\), and its importance of 0\.50 has faded to 0\.02/,
      ),
      expect.stringMatching(/^Neither .* for 200 days \(limit 180\), and its importance of 0\.20 has faded to 0\.04 \(limit 0\.30\)\.$/),
    ]);
    expect(await contents(app.memories)).toHaveLength(4);
    expect((await app.memories.search({ query: 'account' })).results.map(({ entry }) => entry.content)).not.toContain(
      'old and of no account',
    );
  });

  it('counts from the arrival of imported and synced entries, also after a restart', async () => {
    await using folder = await temporaryFolder();
    const config = testConfig(folder.path);
    const history = { priority: 'low', timestamp: '2020-01-01T00:00:00.000Z' };
    {
      await using app = await openApp(config, { log: silentLog, cwd: folder.path });
      for (const days of [190, 170]) {
        const synced = { ...SYNCED, tags: [], id: randomUUID(), content: `synced ${days} days ago` };
        await daysAgo(days, async () => {
          await importLines(app.memories, [{ ...history, content: `imported ${days} days ago` }]);
          await app.memories.sync.apply({ namespace: 'test', entries: [synced] });
        });
      }
    }
    await using app = await openApp(config, { log: silentLog, cwd: folder.path });
    const report = await app.memories.lifecycle.compact({});
    expect(Object.keys(reasons(report)).toSorted()).toEqual(['imported 190 days ago', 'synced 190 days ago']);
    expect(await contents(app.memories)).toEqual(['imported 170 days ago', 'synced 170 days ago']);
  });

  it('ignores re-embedding, and keeps the arrival', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(`${folder.path}/store`);
    for (const days of [190, 170]) {
      const facts = { namespace: 'test', container: 'test', arrivedAt: Date.now() - days * DAY_MS, importance: 0.2 };
      await store.entries.insert(row(`arrived ${days} days ago`, facts));
    }
    await store.close();
    await using app = await openApp(testConfig(folder.path), { log: silentLog, cwd: folder.path });
    const stale = async (): Promise<number> => (await app.memories.migrate({ dryRun: true })).stale;
    await expect.poll(async () => await app.memories.migrate({}).then(stale), { timeout: 30_000 }).toBe(0);
    expect(Object.keys(reasons(await app.memories.lifecycle.compact({})))).toEqual(['arrived 190 days ago']);
  });

  it('archives nothing with ttlDays 0 or if unimportant entries are kept', async () => {
    for (const flags of [{ 'compaction.ttlDays': 0 }, { 'compaction.removeLowImportance': false }]) {
      await using app = await openTestApp(flags);
      await plant(app.memories, [{ content: 'old', days: 900, priority: 'low' }]);
      expect((await app.memories.lifecycle.compact({})).archived).toBe(0);
    }
  });

  it('keeps an entry that supersedes a remaining one, which would become current again', async () => {
    await using app = await openTestApp();
    const [older, newer, newest, alone] = (await plant(app.memories, [
      { content: 'the gate code is in the blue folder', days: 300, priority: 'high' },
      { content: 'the gate code moved to the safe', days: 290, priority: 'low' },
      { content: 'the safe moved to the cellar', days: 280, priority: 'low' },
      { content: 'nothing hangs on this', days: 280, priority: 'low' },
    ])) as [string, string, string, string];
    await app.memories.relations.relate({ sourceId: newer, type: 'supersedes', targetId: older });
    await app.memories.relations.relate({ sourceId: newest, type: 'supersedes', targetId: newer });
    expect((await app.memories.lifecycle.compact({})).items.map(({ id }) => id)).toEqual([alone]);
    await app.memories.forget(older);
    expect((await app.memories.lifecycle.compact({})).items.map(({ id }) => id).toSorted()).toEqual([newer, newest].toSorted());
  });
});

describe('compaction with a semantic model', () => {
  it('finds the same fact with unrelated or missing vectors, and merges no two facts with one vector', async () => {
    await using api = await startEmbeddingApi();
    const flags = {
      'embeddings.provider': 'openai',
      'embeddings.baseUrl': api.url,
      'embeddings.model': 'm',
      'embeddings.dimensions': 384,
      'embeddings.timeoutMs': 300,
    };
    await using app = await openTestApp(flags);
    const axes = Array.from({ length: 8 }, (_, at) => Float32Array.from({ length: 384 }, (_unused, nth) => (nth === at ? 1 : 0)));
    api.embed = () => axes.shift()!;
    const save = async (content: string, more: object = {}): Promise<string> => (await app.memories.save({ content, ...more })).ids[0]!;
    const apart = [await save('Uploads above 25,000 rows are split'), await save('Uploads above 25000 rows are split.', { tags: ['x'] })];
    api.embed = () => new Float32Array(384).fill(1);
    await save('The worker listens on port 8421');
    await save('The worker listens on port 8412');
    let release = (): void => undefined;
    api.hold = new Promise((resolve) => (release = resolve));
    const pending = [await save('Deploys run on Tuesdays'), await save('Deploys run on `Tuesdays`.')];
    expect((await app.memories.stats()).pendingVectors).toBe(2);
    const { items } = await app.memories.lifecycle.compact({});
    release();
    expect(items.map(({ id, survivor }) => [survivor, id])).toEqual(expect.arrayContaining([apart.toReversed(), pending.toReversed()]));
    expect(items).toHaveLength(2);
  });
});

describe('compaction of near duplicates', () => {
  it('keeps the better one, merges tags, and records the replacement in the archive', async () => {
    await using app = await openTestApp();
    const [plain, important, newer] = (await plant(app.memories, [
      { content: 'We deploy with make ship on Tuesdays', days: 3, tags: ['a'] },
      { content: '- We deploy with `make ship` on Tuesdays', days: 2, priority: 'high', tags: ['b'] },
      { content: 'we deploy with make ship on tuesdays.', days: 1, tags: ['c', 'a'] },
    ])) as [string, string, string];
    const report = await app.memories.lifecycle.compact({});
    const archived = new Map((await app.memories.lifecycle.archived({})).entries.map((each) => [each.entry.id, each]));
    expect([...archived.keys()].toSorted()).toEqual(report.items.map(({ id }) => id).toSorted());
    for (const { id, survivor, reason, why } of report.items) {
      expect({ reason, why }).toEqual({
        reason: 'near duplicate',
        why: expect.stringMatching(/^Says the same as [-\da-f]{36}, which stays/),
      });
      expect(archived.has(survivor!)).toBe(false);
      expect(archived.get(id)).toMatchObject({
        reason,
        run: report.run,
        survivor,
        // Those that were found in the background may be there already.
        relations: expect.arrayContaining([expect.objectContaining({ sourceId: survivor, type: 'supersedes', targetId: id })]),
      });
    }
    expect(new Map(report.items.map(({ id, survivor }) => [id, survivor]))).toEqual(
      new Map([
        [plain, important],
        [newer, important],
      ]),
    );
    expect((await app.memories.get(important)).tags.toSorted()).toEqual(['a', 'b', 'c']);
    expect((await app.memories.lifecycle.history(important)).versions.length).toBeGreaterThan(0);
  });

  it('keeps the more important, then the newer', async () => {
    await using app = await openTestApp();
    const [older, newer, weighty, light] = (await plant(app.memories, [
      { content: 'The kettle whistles before the water boils over.', days: 2 },
      { content: 'the kettle whistles before the water boils over', days: 1 },
      { content: 'The harbour closes at dusk in the winter months.', days: 2, importance: 0.9 },
      { content: 'the harbour closes at dusk in the winter months', days: 1 },
    ])) as [string, string, string, string];
    const { items } = await app.memories.lifecycle.compact({});
    expect(new Map(items.map(({ id, survivor }) => [id, survivor]))).toEqual(
      new Map([
        [older, newer],
        [light, weighty],
      ]),
    );
  });

  it('keeps entries that differ in anything important, in namespace or container', async () => {
    await using app = await openTestApp();
    for (const content of [
      'The port of the staging server is 7007',
      'The port of the staging server is 7008',
      'The port of the staging server is not 7007',
    ])
      await app.memories.save({ content });
    await app.memories.save({ content: 'the port of the staging server is 7007.', namespace: 'elsewhere' });
    await app.memories.save({ content: 'The port of the staging server is 7007.', container: 'box' });
    expect(await app.memories.lifecycle.compact({})).toMatchObject({ archived: 0, items: [] });
  });

  it('keeps a restored near duplicate', async () => {
    await using app = await openTestApp();
    await plant(app.memories, [
      { content: 'The red kite nests in the old oak.', days: 2 },
      { content: 'the red kite nests in the old oak', days: 1 },
    ]);
    const { run, archived } = await app.memories.lifecycle.compact({});
    expect(archived).toBe(1);
    expect((await app.memories.lifecycle.restore({ run })).restored).toHaveLength(1);
    expect((await app.memories.lifecycle.compact({})).archived).toBe(0);
    expect(await contents(app.memories)).toHaveLength(2);
  });
});

describe('compaction of too many entries', () => {
  it('archives the least important entries above maxEntries per namespace, except those of high priority', async () => {
    await using app = await openTestApp({ 'compaction.maxEntries': 3 });
    await plant(app.memories, [
      { content: 'one', priority: 'low', days: 40 },
      { content: 'two', priority: 'high', days: 40 },
      { content: 'three', importance: 0.1, days: 40 },
      { content: 'four', priority: 'high', importance: 0, days: 40 },
      { content: 'five', days: 40 },
      ...['six', 'seven', 'eight'].map((content) => ({ content, namespace: 'other', priority: 'low', days: 40 })),
    ]);
    const report = await app.memories.lifecycle.compact({});
    expect(reasons(report)).toEqual({ one: 'too many', three: 'too many' });
    expect(report.items[0]?.why).toMatch(
      /^Its namespace holds 5 entries \(limit 3\), and by its importance of 0\.\d\d, now 0\.\d\d, it is among the least\.$/,
    );
  });

  it('spares imports of the last 30 days, and the import receipt says what follows', async () => {
    await using app = await openTestApp({ 'compaction.maxEntries': 3 });
    const saved = ['lamp', 'kettle', 'bicycle'];
    for (const content of saved) await app.memories.save({ content });
    const lines = ['anchor', 'bucket', 'candle', 'drawer'].map((content) => JSON.stringify({ content, timestamp: '2020-01-01T00:00:00Z' }));
    async function* chunks(): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(Buffer.from(lines.join('\n')));
    }
    const day = new Date(Date.now() + 30 * DAY_MS).toISOString().slice(0, 10);
    const warning = (verb: string): string =>
      `The namespace test ${verb} 7 entries, more than compaction.maxEntries (3). From ${day} on, compaction archives the least ` +
      'important beyond that limit. Raise compaction.maxEntries to keep them.';
    expect((await app.memories.import(chunks(), { dryRun: true })).warnings).toEqual([warning('would hold')]);
    expect((await app.memories.import(chunks(), {})).warnings).toEqual([warning('holds')]);
    expect((await app.memories.lifecycle.compact({})).archived).toBe(0);
    await using later = await openTestApp({ 'compaction.maxEntries': 3 });
    await daysAgo(31, () => later.memories.import(chunks(), {}));
    expect((await later.memories.lifecycle.compact({})).byReason).toMatchObject({ 'too many': 1 });
    await using small = await openTestApp({ 'compaction.maxEntries': 4 });
    expect(await small.memories.import(chunks(), {})).not.toHaveProperty('warnings');
  });

  it('never archives the kept entry of a near duplicate in the same run', async () => {
    await using app = await openTestApp({ 'compaction.maxEntries': 1 });
    await plant(app.memories, [
      { content: 'The old mill turns again.', priority: 'low', importance: 0, days: 40 },
      { content: 'the old mill turns again', priority: 'low', importance: 0, days: 40 },
      { content: 'the bridge is painted green', days: 40 },
    ]);
    const { items } = await app.memories.lifecycle.compact({});
    expect(items.map(({ reason }) => reason)).toEqual(['near duplicate', 'too many']);
    expect(await contents(app.memories)).toEqual([expect.stringMatching(/old mill/)]);
  });
});

describe('a dry run', () => {
  it('changes nothing and predicts the run exactly', async () => {
    await using app = await openTestApp({ 'compaction.maxEntries': 12 });
    await plant(app.memories, [
      ...Array.from({ length: 6 }, (_, nth) => ({ content: `faded note number ${nth}`, days: 300 + nth, priority: 'low' })),
      ...Array.from({ length: 6 }, (_, nth) => ({ content: `The lamp in room ${nth} flickers.`, days: nth + 40 })),
      ...Array.from({ length: 6 }, (_, nth) => ({ content: `the lamp in room ${nth} flickers`, days: nth + 50 })),
      ...Array.from({ length: 9 }, (_, nth) => ({ content: `a fresh note, the ${nth}th of them`, priority: 'low', days: 40 })),
    ]);
    const before = await contents(app.memories);
    const planned = await app.memories.lifecycle.compact({ dryRun: true });
    expect(await contents(app.memories)).toEqual(before);
    expect(planned).toMatchObject({ dryRun: true, run: '', byReason: { expired: 6, 'near duplicate': 6, 'too many': 3 } });
    const done = await app.memories.lifecycle.compact({});
    expect(done.items).toEqual(planned.items);
    expect(done).toEqual({ ...planned, dryRun: false, run: done.run });
    expect((await app.memories.lifecycle.archived({ run: done.run })).total).toBe(15);
    expect((await app.memories.lifecycle.compact({})).archived).toBe(0);
  });

  it('covers one namespace on request, like the run', async () => {
    await using app = await openTestApp();
    await plant(app.memories, [
      { content: 'faded', days: 300, priority: 'low', namespace: 'a' },
      { content: 'faded too', days: 300, priority: 'low', namespace: 'b' },
    ]);
    expect(await app.memories.lifecycle.compact({ namespace: 'a' })).toMatchObject({ looked: 1, archived: 1 });
    expect(await contents(app.memories)).toEqual(['faded too']);
    // Of one namespace is not the compaction that the schedule means.
    expect(await app.memories.health()).not.toHaveProperty('lastCompaction');
  });
});

describe('compaction during other changes', () => {
  it('loses no concurrent save, change or deletion', async () => {
    await using app = await openTestApp();
    const { memories } = app;
    const faded = await plant(
      memories,
      Array.from({ length: 300 }, (_, nth) => ({ content: `faded ${nth}`, days: 300, priority: 'low' })),
    );
    await plant(
      memories,
      Array.from({ length: 100 }, (_, nth) => [
        { content: `The tide table of day ${nth} hangs there.`, days: 1 },
        { content: `the tide table of day ${nth} hangs there`, days: 2 },
      ]).flat(),
    );
    const [run, ...others] = await Promise.all([
      memories.lifecycle.compact({}),
      ...Array.from({ length: 50 }, (_, nth) => memories.save({ content: `saved meanwhile ${nth}` })),
      ...faded.slice(0, 50).map((id) => memories.forget(id)),
      ...faded.slice(50, 100).map((id) => memories.update(id, { priority: 'high' })),
    ]);
    expect(others).toHaveLength(150);
    const archived = new Set<string>();
    const survivors: unknown[] = [];
    for (let offset = 0; offset < 500; offset += 100) {
      for (const { entry, survivor } of (await memories.lifecycle.archived({ limit: 100, offset })).entries) {
        archived.add(entry.id);
        if (survivor !== undefined) survivors.push(await memories.get(survivor));
      }
    }
    expect(archived.size).toBe(run.archived);
    expect(survivors).toHaveLength(run.byReason['near duplicate']);
    for (const id of faded.slice(0, 50)) await expect(memories.get(id)).rejects.toMatchObject({ code: 'not_found' });
    for (const id of faded.slice(50, 100)) expect(await memories.get(id)).toMatchObject({ priority: 'high' });
    const saved = (await memories.list({ limit: 100, tags: [] })).entries.filter(({ content }) => content.startsWith('saved meanwhile'));
    expect(saved).toHaveLength(50);
    // 300 faded less 50 deleted, 200 tide tables, 50 new: each is here or in the archive, and never in both.
    expect((await memories.stats()).total + archived.size).toBe(500);
  });
});

describe('the archive after archiveDays', () => {
  it('is purged of older entries with their history, except rejected ones; a dry run only counts them', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(`${folder.path}/store`);
    const [old, young] = [await store.entries.insert(row('long gone')), await store.entries.insert(row('just gone'))];
    await store.entries.update(old.entry.id, (now) => ({
      ...now,
      entry: { ...now.entry, tags: ['x'], updatedAt: now.entry.updatedAt + 1 },
    }));
    await store.entries.changes.archive(old.entry.id, { at: Date.now() - 40 * DAY_MS, reason: 'expired', run: 'r' });
    await store.entries.changes.archive(young.entry.id, { at: Date.now() - 20 * DAY_MS, reason: 'expired', run: 'r' });
    const { entry: unwanted } = await store.entries.insert(row('never again'));
    await store.entries.changes.archive(unwanted.id, { at: Date.now() - 40 * DAY_MS, reason: 'unwanted', run: 'r' });
    await store.close();
    const config = testConfig(folder.path, { 'compaction.archiveDays': 30 });
    await using app = await openApp(config, { log: silentLog, cwd: folder.path });
    expect((await app.memories.lifecycle.compact({ dryRun: true })).purged).toBe(1);
    expect((await app.memories.lifecycle.archived({})).total).toBe(3);
    expect((await app.memories.lifecycle.compact({})).purged).toBe(1);
    expect((await app.memories.lifecycle.archived({})).entries.map(({ entry }) => entry.content)).toEqual(['just gone', 'never again']);
    await app.close();
    const again = await openTestStore(`${folder.path}/store`);
    expect(await again.auxiliary.history.all()).toEqual([]);
    await again.close();
  });
});

describe('an entry restored and archived again during a compaction', () => {
  it('gets its full time in the archive', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(`${folder.path}/store`);
    const { entry } = await store.entries.insert(row('long gone'));
    await store.entries.changes.archive(entry.id, { at: Date.now() - 40 * DAY_MS, reason: 'expired', run: 'r' });
    await store.close();
    const config = testConfig(folder.path, { 'compaction.archiveDays': 30 });
    await using app = await openApp(config, { log: silentLog, cwd: folder.path });
    const { lifecycle } = app.memories;
    await plant(
      app.memories,
      Array.from({ length: 1500 }, (_, nth) => ({ content: `faded ${nth}`, days: 300, priority: 'low' })),
    );
    const compacting = lifecycle.compact({});
    await expect.poll(async () => (await app.memories.health()).maintenance, { interval: 1 }).toMatch(/^compacting, \d+ of 1500$/);
    await lifecycle.restore({ ids: [entry.id] });
    const { namespace } = await app.memories.get(entry.id);
    const wanted = {
      namespace,
      createdAfter: new Date(entry.createdAt - 1).toISOString(),
      createdBefore: new Date(entry.createdAt + 1).toISOString(),
    };
    const { token } = await lifecycle.forgetMany(wanted);
    await lifecycle.forgetMany({ ...wanted, confirm: token! });
    await compacting;
    expect((await lifecycle.archived({ reason: 'forgotten' })).entries.map((archived) => archived.entry.id)).toEqual([entry.id]);
  });
});

describe('the last compaction', () => {
  it('is shown in health and statistics, also after a restart', async () => {
    await using folder = await temporaryFolder();
    const config = testConfig(folder.path);
    const first = await openApp(config, { log: silentLog, cwd: folder.path });
    await plant(first.memories, [{ content: 'faded', days: 300, priority: 'low' }]);
    const { run } = await first.memories.lifecycle.compact({});
    const summary = { at: expect.any(Number) as number, run, archived: 1, purged: 0, ms: expect.any(Number) as number };
    expect((await first.memories.health()).lastCompaction).toEqual(summary);
    await first.close();
    await using second = await openApp(config, { log: silentLog, cwd: folder.path });
    expect((await second.memories.stats()).lastCompaction).toEqual(summary);
  });
});
