import { describe, expect, it } from 'vitest';
import { openApp } from '../../../src/app.ts';
import { restrictTo } from '../../../src/service/limits.ts';
import { silentLog } from '../../../src/memory/log.ts';
import { openTestApp, testConfig, type TestApp } from '../../helpers/app.ts';
import { temporaryFolder } from '../../helpers/folder.ts';
import { openTestStore, row, SPACE } from '../../helpers/store.ts';

const KETTLE = 'The old kettle in the kitchen whistles before the water boils over';

describe('near duplicates', () => {
  it('are listed on request, most alike first, without the entry itself, and are stored', async () => {
    await using app = await openTestApp();
    const first = await app.memories.save({ content: `${KETTLE}.`, near: true });
    expect(first.outcomes[0]?.near).toEqual([]);
    const second = await app.memories.save({ content: `${KETTLE}!` });
    expect(second.outcomes[0]).not.toHaveProperty('near');
    await app.memories.save({ content: 'Lunch is at noon in the courtyard' });
    const third = await app.memories.save({ content: `${KETTLE} today`, near: true });
    const near = third.outcomes[0]?.near ?? [];
    expect(near.map(({ id }) => id).toSorted()).toEqual([...first.ids, ...second.ids].toSorted());
    expect(near.map(({ similarity }) => similarity)).toEqual(near.map(({ similarity }) => similarity).toSorted((a, b) => b - a));
    for (const { similarity } of near) {
      expect(similarity).toBeGreaterThanOrEqual(0.92);
      expect(similarity).toBeLessThanOrEqual(1);
    }
    expect((await app.memories.list({})).total).toBe(4);
  });

  it('are at most five, of the same namespace', async () => {
    await using app = await openTestApp();
    for (const end of ['.', '!', '?', ';', ':', ',', '…']) await app.memories.save({ content: KETTLE + end });
    await app.memories.save({ content: KETTLE, namespace: 'elsewhere' });
    const { outcomes } = await app.memories.save({ content: KETTLE, near: true });
    expect(outcomes[0]?.near).toHaveLength(5);
    expect(new Set(outcomes[0]?.near?.map(({ id }) => id)).size).toBe(5);
    const { outcomes: elsewhere } = await app.memories.save({ content: `${KETTLE}.`, near: true, namespace: 'elsewhere' });
    expect(elsewhere[0]?.near).toHaveLength(1);
  });

  it('include a duplicate, which is the entry itself', async () => {
    await using app = await openTestApp();
    const { ids } = await app.memories.save({ content: KETTLE });
    const twin = await app.memories.save({ content: `${KETTLE}.` });
    const again = await app.memories.save({ content: KETTLE, near: true });
    expect(again.outcomes[0]).toMatchObject({ id: ids[0], status: 'duplicate', near: [{ id: twin.ids[0] }] });
  });

  it('start at memory.deduplicationThreshold; another number, negation or name rules them out at any threshold', async () => {
    await using strict = await openTestApp({ 'memory.deduplicationThreshold': 1 });
    await using loose = await openTestApp({ 'memory.deduplicationThreshold': 0.1 });
    const near = async (app: TestApp, content: string): Promise<number | undefined> =>
      (await app.memories.save({ content, near: true, namespace: 'other' })).outcomes[0]?.near?.filter(
        ({ differs }) => differs === undefined,
      ).length;
    for (const app of [strict, loose]) await app.memories.save({ content: KETTLE, namespace: 'other' });
    expect(await near(strict, `${KETTLE} today`)).toBe(0);
    expect(await near(strict, `${KETTLE}!`)).toBe(1);
    await using fresh = await openTestApp({ 'memory.deduplicationThreshold': 0.1 });
    await fresh.memories.save({ content: KETTLE, namespace: 'other' });
    for (const other of ['30 seconds before', 'never before', 'says Ann, before', 'in src/kettle.ts before']) {
      expect(await near(fresh, KETTLE.replace('before', other))).toBe(0);
    }
    expect(await near(loose, KETTLE.replace('whistles', 'sings').replace('kitchen', 'old kitchen'))).toBe(1);
  });

  it('are not long texts that only share a passage', async () => {
    await using app = await openTestApp();
    const beginning = 'Gulls circle over the harbour all day and nobody minds. '.repeat(9);
    const ends = ['The lighthouse stands at the end of the quay. ', 'A walrus escaped from the zoo at dawn. '].map((end) => end.repeat(40));
    const [one = '', other = ''] = ends.map((end) => beginning + end);
    const first = await app.memories.save({ content: one });
    expect(first.outcomes[0]?.passages).toBeGreaterThan(2);
    expect((await app.memories.save({ content: other, near: true })).outcomes[0]?.near).toEqual([]);
    expect((await app.memories.save({ content: `${one}!`, near: true })).outcomes[0]?.near?.map(({ id }) => id)).toEqual(first.ids);
    const passage = one.slice(0, 480);
    const near = (await app.memories.save({ content: passage, near: true })).outcomes[0]?.near ?? [];
    const repeats = ['Gulls circle over the harbour all day and nobody minds.'];
    expect(near.find(({ id }) => id === first.ids[0])).toMatchObject({ repeats });
  });

  it('are distinct from entries with another value of the same fact, which the receipt lists with both values', async () => {
    await using app = await openTestApp();
    const [older] = (await app.memories.save({ content: 'The nightly backup starts at 05:00.' })).ids;
    await app.memories.save({ content: 'The weekly report starts at 06:00.' });
    const { outcomes } = await app.memories.save({ content: 'The nightly backup starts at 04:00.', near: true });
    expect(outcomes[0]?.near).toEqual([
      { id: older, similarity: expect.any(Number) as number, differs: [{ here: '04:00', there: '05:00' }] },
    ]);
  });

  it('leave room for entries with another value, up to the limit', async () => {
    await using app = await openTestApp();
    for (const end of ['.', '!', ';', ',', ' .', '…']) await app.memories.save({ content: `The pool holds 25 connections${end}` });
    for (const size of [1, 2, 3, 4, 5, 6]) await app.memories.save({ content: `The pool holds ${size} connections.` });
    const { outcomes } = await app.memories.save({ content: 'The pool holds 25 connections:', near: true });
    expect(outcomes[0]?.near?.map(({ differs }) => differs !== undefined)).toEqual([false, false, true, true, true]);
    const { outcomes: others } = await app.memories.save({ content: 'The pool holds 7 connections.', near: true });
    expect(others[0]?.near).toHaveLength(5);
  });

  it('do not include file passages, which are only compared by value', async () => {
    await using app = await openTestApp();
    await app.memories.save({ content: 'The pool holds 10 connections.' }, { source: 'index' });
    const { outcomes } = await app.memories.save({ content: 'The pool holds 25 connections.', near: true });
    expect(outcomes[0]?.near).toEqual([]);
  });
});

describe('a save with supersedes', () => {
  const find = async (app: TestApp): Promise<string[]> =>
    (await app.memories.recall({ query: 'nightly backup starts' })).results.map(({ entry }) => entry.id);

  it('supersedes in the same commit, and the receipt says so', async () => {
    await using app = await openTestApp();
    const [one, two] = [
      await app.memories.save({ content: 'The nightly backup starts at 05:00.' }),
      await app.memories.save({ content: 'The nightly backup begins at five' }),
    ];
    const supersedes = [one.entry.id, two.entry.id];
    const { entry, outcomes } = await app.memories.save({ content: 'The nightly backup starts at 04:00.', supersedes, near: true });
    expect(outcomes[0]).toMatchObject({ supersedes, near: [] });
    expect(await find(app)).toEqual([entry.id]);
    const { relations } = await app.memories.relations.list({ id: entry.id, type: 'supersedes' });
    expect(relations.map(({ targetId }) => targetId).toSorted()).toEqual(supersedes.toSorted());
    expect(relations.every(({ origin }) => origin === 'manual')).toBe(true);
  });

  it('stores nothing if one of the ids is unknown', async () => {
    await using app = await openTestApp();
    const { entry } = await app.memories.save({ content: 'The nightly backup starts at 05:00.' });
    const supersedes = [entry.id, '01975a3e-8a51-7c3e-9a53-0f6d2b8c4e11'];
    await expect(app.memories.save({ content: 'The nightly backup starts at 04:00.', supersedes })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect((await app.memories.list({})).total).toBe(1);
    expect((await app.memories.get(entry.id)).superseded).toBeUndefined();
  });

  it('makes an old text current if it is saved again', async () => {
    await using app = await openTestApp();
    const first = await app.memories.save({ content: 'The nightly backup starts at 05:00.' });
    const second = await app.memories.save({ content: 'The nightly backup starts at 04:00.', supersedes: [first.entry.id] });
    const third = await app.memories.save({
      content: 'The nightly backup starts at 05:00.',
      supersedes: [second.entry.id, first.entry.id],
    });
    expect(third).toMatchObject({ ids: [first.entry.id], outcomes: [{ status: 'duplicate', supersedes: [second.entry.id] }] });
    expect(third.entry.superseded).toBeUndefined();
    expect(await find(app)).toEqual([first.entry.id]);
  });

  it('is refused if the key does not reach the older entry', async () => {
    await using app = await openTestApp();
    const { entry } = await app.memories.save({ content: 'Theirs', namespace: 'theirs' });
    const bound = restrictTo(app.memories, { name: 'bound', access: 'full', namespace: 'mine' });
    await expect(bound.save({ content: 'Mine', supersedes: [entry.id] })).rejects.toMatchObject({ code: 'not_found' });
    expect((await app.memories.list({ allNamespaces: true })).total).toBe(1);
  });
});

describe('a receipt', () => {
  it('of fifty concurrent saves of one text: one row, one stored, forty-nine duplicates, all tags', async () => {
    await using app = await openTestApp();
    const saves = Array.from({ length: 50 }, (_, nth) => app.memories.save({ content: KETTLE, tags: [`t${nth}`], near: true }));
    const receipts = await Promise.all(saves);
    const count = (status: string): number => receipts.filter(({ outcomes }) => outcomes[0]?.status === status).length;
    expect([count('stored'), count('duplicate')]).toEqual([1, 49]);
    expect(new Set(receipts.flatMap(({ ids }) => ids)).size).toBe(1);
    expect(receipts.flatMap(({ outcomes }) => outcomes[0]?.near ?? [])).toEqual([]);
    const { entries, total } = await app.memories.list({});
    expect(total).toBe(1);
    expect(new Set(entries[0]?.tags)).toEqual(new Set(Array.from({ length: 50 }, (_, nth) => `t${nth}`)));
  });

  it('reports that the saved text is superseded', async () => {
    await using folder = await temporaryFolder();
    const config = testConfig(folder.path);
    const store = await openTestStore(config.config.storage.path, SPACE);
    const [old, fresh] = [row('We deploy on Tuesdays', { namespace: 'test', container: 'test' }), row('We deploy on Thursdays now')];
    for (const one of [old, fresh]) await store.entries.insert(one);
    const relation = {
      sourceId: fresh.entry.id,
      targetId: old.entry.id,
      type: 'supersedes',
      strength: 1,
      createdAt: 1,
      origin: 'manual',
    } as const;
    await store.entries.changes.relate(relation);
    await store.close();
    await using app = await openApp(config, { log: silentLog, cwd: folder.path });
    const { outcomes } = await app.memories.save({ content: 'We deploy on Tuesdays' });
    expect(outcomes[0]).toMatchObject({ id: old.entry.id, status: 'duplicate', warnings: [expect.stringContaining('newer entry')] });
  });
});

describe('entities', () => {
  it('are those of the content, updated with every change', async () => {
    await using app = await openTestApp();
    const { entry } = await app.memories.save({ content: 'The retry lives in src/http/retry.ts, says @ken' });
    expect(entry.entities).toEqual(['src/http/retry.ts', '@ken']);
    expect((await app.memories.get(entry.id)).entities).toEqual(['src/http/retry.ts', '@ken']);
    expect((await app.memories.update(entry.id, { tags: ['x'] })).entities).toEqual(['src/http/retry.ts', '@ken']);
    expect((await app.memories.update(entry.id, { content: 'It moved to `parseOrder()`' })).entities).toEqual(['parseOrder']);
    expect(await app.memories.update(entry.id, { content: 'It is gone' })).not.toHaveProperty('entities');
    expect((await app.memories.list({})).entries[0]).not.toHaveProperty('entities');
  });

  it('are found in an import and its preview', async () => {
    await using app = await openTestApp();
    const lines = () => Buffer.from('{"content":"see docs/guide.md"}\n{"content":"see nothing"}\n');
    async function* chunks(): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(lines());
    }
    const report = await app.memories.import(chunks(), { dryRun: true });
    expect(report.preview?.map(({ entities }) => entities)).toEqual([['docs/guide.md'], undefined]);
    await app.memories.import(chunks(), {});
    const { entries } = await app.memories.list({ sort: 'createdAt' });
    expect(entries.map(({ entities }) => entities)).toEqual([['docs/guide.md'], undefined]);
    const found = await app.memories.recall({ query: 'docs guide' });
    expect(found.results[0]?.entry.entities).toEqual(['docs/guide.md']);
  });

  it('of old entries are found when they are re-embedded', async () => {
    await using folder = await temporaryFolder();
    const config = testConfig(folder.path);
    const store = await openTestStore(config.config.storage.path, SPACE);
    await store.entries.insert(row('look into src/old.ts', { namespace: 'test', container: 'test' }));
    await store.close();
    await using app = await openApp(config, { log: silentLog, cwd: folder.path });
    expect((await app.memories.list({})).entries[0]).not.toHaveProperty('entities');
    expect(await app.memories.migrate({})).toMatchObject({ status: 'done', migrated: 1 });
    expect((await app.memories.list({})).entries[0]?.entities).toEqual(['src/old.ts']);
  });
});
