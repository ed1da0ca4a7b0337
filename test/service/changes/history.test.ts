import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { openTestApp } from '../../helpers/app.ts';

const UNKNOWN = '00000000-0000-7000-8000-000000000000';

describe('the history of an entry', () => {
  it('shows each earlier version and who changed it, latest first', async () => {
    await using app = await openTestApp();
    const { memories } = app;
    const { ids } = await memories.save({ content: 'the walrus sleeps', tags: ['a'] });
    const [id] = ids as [string];
    await memories.update(id, { tags: ['b'] }, { source: 'cli' });
    await memories.update(id, { content: 'the walrus dives', priority: 'high' }, { source: 'web' });
    await memories.save({ content: 'the walrus dives', tags: ['c'] }, { source: 'mcp' });
    const { entry, versions } = await memories.lifecycle.history(id);
    expect(entry).toMatchObject({ content: 'the walrus dives', tags: ['b', 'c'] });
    expect(versions.map(({ replacedBy, state }) => [replacedBy, state.content, state.tags, state.priority])).toEqual([
      ['mcp', 'the walrus dives', ['b'], 'high'],
      ['web', 'the walrus sleeps', ['b'], 'normal'],
      ['cli', 'the walrus sleeps', ['a'], 'normal'],
    ]);
    expect(versions[0]!.writtenAt).toBe(versions[1]!.replacedAt);
  });

  it('keeps every version if older import lines bring tags', async () => {
    await using app = await openTestApp();
    const { memories } = app;
    const { ids } = await memories.save({ content: 'the walrus sleeps' });
    for (const tag of ['a', 'b']) {
      const line = { content: 'the walrus sleeps', tags: [tag], createdAt: '2020-01-01T00:00:00Z' };
      await memories.import(Readable.from([Buffer.from(JSON.stringify(line))]), {});
    }
    await memories.update(ids[0]!, { content: 'the walrus dives' });
    const { versions } = await memories.lifecycle.history(ids[0]!);
    expect(versions.map(({ state }) => state.tags)).toEqual([['a', 'b'], ['a'], []]);
  });

  it('is empty before the first change, is deleted with the entry, and is not found for an unknown id', async () => {
    await using app = await openTestApp();
    const { ids } = await app.memories.save({ content: 'unchanged' });
    expect((await app.memories.lifecycle.history(ids[0]!)).versions).toEqual([]);
    await app.memories.forget(ids[0]!);
    await expect(app.memories.lifecycle.history(ids[0]!)).rejects.toMatchObject({ code: 'not_found' });
    await expect(app.memories.lifecycle.undo(UNKNOWN)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('undo', () => {
  it('reverts the last change as a new change: found by the old words only', async () => {
    await using app = await openTestApp();
    const { memories } = app;
    const { ids } = await memories.save({ content: 'the walrus sleeps in src/ice.ts', tags: ['a'], namespace: 'n', container: 'c' });
    const [id] = ids as [string];
    const before = await memories.get(id);
    await memories.update(id, {
      content: 'a heron flies',
      tags: ['b'],
      priority: 'high',
      namespace: 'm',
      container: 'd',
      importance: 0.11,
    });
    const back = await memories.lifecycle.undo(id, { source: 'cli' });
    expect({ ...back, updatedAt: 0 }).toEqual({ ...before, updatedAt: 0 });
    for (const searchMode of ['vector', 'keyword'] as const) {
      const found = async (query: string): Promise<string[]> =>
        (await memories.search({ query, searchMode, minScore: 0.2 })).results.map(({ entry }) => entry.id);
      expect(await found('walrus')).toEqual([id]);
      expect(await found('heron')).toEqual([]);
    }
    const { versions } = await memories.lifecycle.history(id);
    expect(versions.map(({ replacedBy, state }) => [replacedBy, state.content])).toEqual([
      ['cli', 'a heron flies'],
      ['api', 'the walrus sleeps in src/ice.ts'],
    ]);
  });

  it('done twice restores the first state', async () => {
    await using app = await openTestApp();
    const { ids } = await app.memories.save({ content: 'one' });
    await app.memories.update(ids[0]!, { content: 'two' });
    expect((await app.memories.lifecycle.undo(ids[0]!)).content).toBe('one');
    expect((await app.memories.lifecycle.undo(ids[0]!)).content).toBe('two');
    expect((await app.memories.lifecycle.history(ids[0]!)).versions).toHaveLength(3);
  });

  it('is refused without a change, or if another entry has the old text', async () => {
    await using app = await openTestApp();
    const { ids } = await app.memories.save({ content: 'one' });
    await expect(app.memories.lifecycle.undo(ids[0]!)).rejects.toMatchObject({ code: 'invalid_input' });
    await app.memories.update(ids[0]!, { content: 'two' });
    await app.memories.save({ content: 'one' });
    await expect(app.memories.lifecycle.undo(ids[0]!)).rejects.toMatchObject({ code: 'invalid_input' });
    expect((await app.memories.get(ids[0]!)).content).toBe('two');
  });

  it('during fifty changes reverts one or none, and loses none', async () => {
    await using app = await openTestApp();
    const { ids } = await app.memories.save({ content: 'start' });
    const [id] = ids as [string];
    await app.memories.update(id, { tags: ['first'] });
    const undone = await Promise.allSettled([
      ...Array.from({ length: 50 }, (_, nth) => app.memories.update(id, { tags: [`t${nth}`] })),
      app.memories.lifecycle.undo(id),
    ]);
    expect(undone.slice(0, 50).every(({ status }) => status === 'fulfilled')).toBe(true);
    const { versions } = await app.memories.lifecycle.history(id);
    expect(versions).toHaveLength(51 + (undone[50]!.status === 'fulfilled' ? 1 : 0));
  });
});

describe('a manually set importance', () => {
  it('stays when tags or priority change', async () => {
    await using app = await openTestApp();
    const [saved, weighed] = [await app.memories.save({ content: 'a', importance: 0.33 }), await app.memories.save({ content: 'b' })];
    expect(saved.entry.importance).toBe(0.33);
    expect((await app.memories.update(saved.ids[0]!, { priority: 'high', tags: ['decision'] })).importance).toBe(0.33);
    expect((await app.memories.update(weighed.ids[0]!, { priority: 'high' })).importance).toBe(0.8);
    expect((await app.memories.update(weighed.ids[0]!, { importance: 0 })).importance).toBe(0);
    expect((await app.memories.update(weighed.ids[0]!, { priority: 'low', tags: ['draft'] })).importance).toBe(0);
    expect((await app.memories.update(weighed.ids[0]!, { importance: 0.1 })).importance).toBe(0.1);
    // Just what follows from priority and tags: by hand or not cannot be told.
    expect((await app.memories.update(weighed.ids[0]!, { priority: 'normal' })).importance).toBe(0.4);
  });
});
