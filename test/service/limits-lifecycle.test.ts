import { describe, expect, it } from 'vitest';
import { restrictTo } from '../../src/service/limits.ts';
import { openTestApp } from '../helpers/app.ts';

const UNKNOWN = '00000000-0000-7000-8000-000000000000';

describe('a read-only key', () => {
  it('reads archive and history, but cannot compact, forget, restore or undo', async () => {
    await using app = await openTestApp();
    const { ids } = await app.memories.save({ content: 'walrus', tags: ['x'] });
    await app.memories.update(ids[0]!, { tags: [] });
    const { lifecycle } = restrictTo(app.memories, { name: 'reader', access: 'read' });
    expect((await lifecycle.history(ids[0]!)).versions).toHaveLength(1);
    expect((await lifecycle.archived({})).total).toBe(0);
    const writes = {
      compact: () => lifecycle.compact({}),
      forget: () => lifecycle.forgetMany({ tags: ['x'] }),
      restore: () => lifecycle.restore({ since: '2020-01-01' }),
      undo: () => lifecycle.undo(ids[0]!),
    };
    for (const write of Object.values(writes)) await expect(write()).rejects.toMatchObject({ code: 'forbidden' });
    expect((await app.memories.get(ids[0]!)).tags).toEqual([]);
  });
});

describe('a key bound to a namespace', () => {
  it('compacts, forgets, lists and restores only that namespace', async () => {
    await using app = await openTestApp({ 'compaction.maxEntries': 1 });
    const { memories } = app;
    for (const namespace of ['mine', 'theirs']) {
      for (const content of ['one', 'two', 'three']) await memories.save({ content, namespace, tags: ['x'] });
    }
    const { lifecycle } = restrictTo(memories, { name: 'bound', access: 'full', namespace: 'mine' });
    for (const leak of [
      () => lifecycle.compact({ namespace: 'theirs' }),
      () => lifecycle.forgetMany({ namespace: 'theirs' }),
      () => lifecycle.archived({ namespace: 'theirs' }),
      () => lifecycle.restore({ since: '2020-01-01', namespace: 'theirs' }),
    ])
      await expect(leak()).rejects.toMatchObject({ code: 'forbidden' });
    expect(await lifecycle.compact({})).toMatchObject({ looked: 3, archived: 2 });
    const { run } = await memories.lifecycle.compact({ namespace: 'theirs' });
    const [theirs] = (await memories.lifecycle.archived({ run })).entries;
    expect((await lifecycle.archived({})).total).toBe(2);
    expect((await lifecycle.archived({ run })).total).toBe(0);
    expect((await lifecycle.restore({ run })).restored).toEqual([]);
    await expect(lifecycle.restore({ ids: [theirs!.entry.id] })).rejects.toMatchObject({ code: 'not_found' });
    expect((await lifecycle.forgetMany({ tags: ['x'] })).matches).toBe(1);
    expect((await lifecycle.restore({ since: '2020-01-01' })).restored).toHaveLength(2);
    expect((await memories.lifecycle.archived({})).total).toBe(2);
    await memories.lifecycle.compact({});
    expect(await memories.health()).toHaveProperty('lastCompaction');
    expect(await restrictTo(memories, { name: 'bound', access: 'full', namespace: 'mine' }).health()).not.toHaveProperty('lastCompaction');
  });

  it('forgets entries of that namespace by ids, and learns nothing of others', async () => {
    await using app = await openTestApp();
    const { memories } = app;
    const mine = (await memories.save({ content: 'mine', namespace: 'mine' })).ids[0]!;
    const theirs = (await memories.save({ content: 'theirs', namespace: 'theirs' })).ids[0]!;
    const { lifecycle } = restrictTo(memories, { name: 'bound', access: 'full', namespace: 'mine' });
    await expect(lifecycle.forgetMany({ ids: [theirs] })).rejects.toMatchObject({ code: 'not_found' });
    const { token, matches } = await lifecycle.forgetMany({ ids: [mine, theirs] });
    expect(matches).toBe(1);
    await lifecycle.forgetMany({ ids: [mine, theirs], confirm: token! });
    expect((await memories.get(theirs)).content).toBe('theirs');
    await expect(memories.get(mine)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('sees no version of an entry from another namespace, and cannot move one back there', async () => {
    await using app = await openTestApp();
    const { memories } = app;
    const moved = (await memories.save({ content: 'secret of theirs', namespace: 'theirs' })).ids[0]!;
    const theirs = (await memories.save({ content: 'stays theirs', namespace: 'theirs' })).ids[0]!;
    await memories.update(moved, { content: 'shared now', namespace: 'mine' });
    const { lifecycle } = restrictTo(memories, { name: 'bound', access: 'full', namespace: 'mine' });
    expect((await lifecycle.history(moved)).versions).toEqual([]);
    await expect(lifecycle.undo(moved)).rejects.toMatchObject({ code: 'forbidden' });
    await memories.update(moved, { tags: ['x'] });
    expect((await lifecycle.undo(moved)).tags).toEqual([]);
    for (const id of [theirs, UNKNOWN]) {
      await expect(lifecycle.history(id)).rejects.toMatchObject({ code: 'not_found' });
      await expect(lifecycle.undo(id)).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  it('sees no archived relation to an entry of another namespace', async () => {
    await using app = await openTestApp();
    const { memories } = app;
    const [gone, away, here] = [
      (await memories.save({ content: 'walrus', namespace: 'mine', tags: ['x'] })).ids[0]!,
      (await memories.save({ content: 'trombone', namespace: 'theirs' })).ids[0]!,
      (await memories.save({ content: 'marmalade', namespace: 'mine', tags: ['y'] })).ids[0]!,
    ];
    for (const targetId of [away, here]) await memories.relations.relate({ sourceId: gone, targetId, type: 'references' });
    const { lifecycle } = restrictTo(memories, { name: 'bound', access: 'full', namespace: 'mine' });
    for (const tag of ['x', 'y']) {
      const { token } = await lifecycle.forgetMany({ tags: [tag] });
      await lifecycle.forgetMany({ tags: [tag], confirm: token! });
      const { entries } = await lifecycle.archived({ reason: 'forgotten' });
      expect(entries.find(({ entry }) => entry.id === gone)?.relations.map(({ targetId }) => targetId)).toEqual([here]);
    }
    await lifecycle.restore({ ids: [here, gone] });
    expect((await memories.relations.list({ id: gone })).total).toBe(2);
  });
});
