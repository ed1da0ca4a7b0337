import { describe, expect, it } from 'vitest';
import type { ForgetRequest } from '../../../src/memory/operations/lifecycle-operations.ts';
import type { MemoryOperations } from '../../../src/memory/operations/operations.ts';
import { openTestApp } from '../../helpers/app.ts';

async function matching({ lifecycle }: MemoryOperations, request: ForgetRequest): Promise<string[]> {
  return (await lifecycle.forgetMany(request)).preview.map(({ content }) => content).toSorted();
}

async function forgetAll({ lifecycle }: MemoryOperations, request: ForgetRequest) {
  const { token } = await lifecycle.forgetMany(request);
  return await lifecycle.forgetMany({ ...request, confirm: token! });
}

describe('forgetting by filter', () => {
  it('first counts the matches, shows the newest ten and changes nothing', async () => {
    await using app = await openTestApp();
    for (let nth = 0; nth < 12; nth += 1) await app.memories.save({ content: `scratch ${nth}`, tags: ['scratch'] });
    await app.memories.save({ content: 'kept' });
    const report = await app.memories.lifecycle.forgetMany({ tags: ['scratch'] });
    expect(report).toMatchObject({ matches: 12, done: false, token: expect.any(String) });
    expect(report.preview.map(({ content }) => content)).toEqual(Array.from({ length: 10 }, (_, nth) => `scratch ${11 - nth}`));
    expect((await app.memories.list({})).total).toBe(13);
  });

  it('archives the entries of the token in one run', async () => {
    await using app = await openTestApp();
    for (let nth = 0; nth < 3; nth += 1) await app.memories.save({ content: `scratch ${nth}`, tags: ['scratch'] });
    await app.memories.save({ content: 'kept' });
    const { matches, done, run } = await forgetAll(app.memories, { tags: ['scratch'] });
    expect({ matches, done }).toEqual({ matches: 3, done: true });
    expect((await app.memories.list({})).entries.map(({ content }) => content)).toEqual(['kept']);
    const { entries, total } = await app.memories.lifecycle.archived({ run: run!, reason: 'forgotten' });
    expect([total, entries.map(({ entry }) => entry.content)]).toEqual([3, expect.arrayContaining(['scratch 0'])]);
    expect((await app.memories.lifecycle.restore({ run: run! })).restored).toHaveLength(3);
  });

  it('deletes permanently on request, in both steps', async () => {
    await using app = await openTestApp();
    await app.memories.save({ content: 'gone', tags: ['x'] });
    const { token } = await app.memories.lifecycle.forgetMany({ tags: ['x'] });
    await expect(app.memories.lifecycle.forgetMany({ tags: ['x'], permanent: true, confirm: token! })).rejects.toMatchObject({
      code: 'invalid_input',
    });
    expect(await forgetAll(app.memories, { tags: ['x'], permanent: true })).not.toHaveProperty('run');
    expect((await app.memories.lifecycle.archived({})).total).toBe(0);
    expect((await app.memories.list({})).total).toBe(0);
  });

  it('combines all conditions', async () => {
    await using app = await openTestApp();
    const { memories } = app;
    await memories.save({ content: 'a', namespace: 'n', container: 'c', tags: ['x', 'y'], priority: 'high' }, { source: 'cli' });
    await memories.save({ content: 'b', namespace: 'n', tags: ['x'], importance: 0.1 }, { source: 'cli' });
    await memories.save({ content: 'c', namespace: 'm', tags: ['y'] });
    expect(await matching(memories, { namespace: 'n' })).toEqual(['a', 'b']);
    expect(await matching(memories, { container: 'c' })).toEqual(['a']);
    expect(await matching(memories, { tags: ['x', 'y'] })).toEqual(['a']);
    expect(await matching(memories, { priority: 'normal' })).toEqual(['b', 'c']);
    expect(await matching(memories, { source: 'api' })).toEqual(['c']);
    expect(await matching(memories, { importance: { max: 0.2 } })).toEqual(['b']);
    expect(await matching(memories, { createdBefore: '2020-01-01' })).toEqual([]);
    expect(await matching(memories, { createdAfter: '2020-01-01', tags: ['x'], source: 'cli', importance: { min: 0.5 } })).toEqual(['a']);
  });

  it('rejects forgetting everything, an invalid token, and one of another store', async () => {
    await using app = await openTestApp();
    await using other = await openTestApp();
    for (const { memories } of [app, other]) await memories.save({ content: 'kept', tags: ['x'] });
    await expect(app.memories.lifecycle.forgetMany({})).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(app.memories.lifecycle.forgetMany({ tags: [], importance: {} })).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(app.memories.lifecycle.forgetMany({ permanent: true })).rejects.toMatchObject({ code: 'invalid_input' });
    const { token } = await other.memories.lifecycle.forgetMany({ tags: ['x'] });
    for (const confirm of ['', 'yes', '.', token!, token!.replace(/.$/, '')]) {
      await expect(app.memories.lifecycle.forgetMany({ tags: ['x'], confirm })).rejects.toMatchObject({ code: 'invalid_input' });
    }
    expect((await app.memories.list({})).total).toBe(1);
  });

  it('rejects a token after the matches changed, and says so', async () => {
    await using app = await openTestApp();
    const { lifecycle } = app.memories;
    const { ids } = await app.memories.save({ content: 'one', tags: ['x'] });
    const { token } = await lifecycle.forgetMany({ tags: ['x'] });
    await app.memories.save({ content: 'two', tags: ['x'] });
    const refused = { code: 'invalid_input', message: expect.stringContaining('matches have changed') as string };
    await expect(lifecycle.forgetMany({ tags: ['x'], confirm: token! })).rejects.toMatchObject(refused);
    const again = await lifecycle.forgetMany({ tags: ['x'] });
    await app.memories.update(ids[0]!, { tags: [] });
    await app.memories.save({ content: 'three', tags: ['x'] });
    await expect(lifecycle.forgetMany({ tags: ['x'], confirm: again.token! })).rejects.toMatchObject(refused);
    expect((await app.memories.list({})).total).toBe(3);
  });

  it('forgets 250 entries during fifty saves, and none of those', async () => {
    await using app = await openTestApp();
    const { memories } = app;
    await Promise.all(Array.from({ length: 250 }, (_, nth) => memories.save({ content: `old ${nth}`, tags: ['x'] })));
    const { token } = await memories.lifecycle.forgetMany({ tags: ['x'] });
    const [report] = await Promise.all([
      memories.lifecycle.forgetMany({ tags: ['x'], confirm: token! }),
      ...Array.from({ length: 50 }, (_, nth) => memories.save({ content: `new ${nth}`, tags: ['x'] })),
    ]);
    expect(report.matches).toBe(250);
    expect((await memories.list({})).total).toBe(50);
    expect((await memories.lifecycle.archived({})).total).toBe(250);
  });

  it('skips entries that no longer match at their turn', async () => {
    for (const permanent of [true, false]) {
      await using app = await openTestApp();
      const { memories } = app;
      const saved = await Promise.all(Array.from({ length: 250 }, (_, nth) => memories.save({ content: `old ${nth}`, tags: ['x'] })));
      const { token } = await memories.lifecycle.forgetMany({ tags: ['x'], permanent });
      const [oldest] = saved.map(({ entry }) => entry).toSorted((a, b) => a.createdAt - b.createdAt);
      await Promise.all([
        memories.lifecycle.forgetMany({ tags: ['x'], permanent, confirm: token! }),
        memories.update(oldest!.id, { tags: ['kept'] }),
      ]);
      expect((await memories.list({})).entries.map(({ id, tags }) => [id, tags])).toEqual([[oldest!.id, ['kept']]]);
    }
  });

  it('forgets entries by ids, in the same two steps, without missing ones', async () => {
    await using app = await openTestApp();
    const { memories } = app;
    const ids: string[] = [];
    for (let nth = 0; nth < 4; nth += 1) ids.push(...(await memories.save({ content: `note ${nth}` })).ids);
    await memories.forget(ids[0]!);
    const request = { ids: ids.slice(0, 3) };
    const { token, preview, matches } = await memories.lifecycle.forgetMany(request);
    expect([matches, preview.map(({ content }) => content)]).toEqual([2, ['note 2', 'note 1']]);
    await expect(memories.lifecycle.forgetMany({ ids, confirm: token! })).rejects.toMatchObject({ code: 'invalid_input' });
    const { run } = await memories.lifecycle.forgetMany({ ...request, confirm: token! });
    expect((await memories.list({})).entries.map(({ content }) => content)).toEqual(['note 3']);
    expect((await memories.lifecycle.restore({ run: run! })).restored.toSorted()).toEqual(ids.slice(1, 3).toSorted());
  });

  it('takes ids or conditions, and reports if all ids are unknown', async () => {
    await using app = await openTestApp();
    const { ids } = await app.memories.save({ content: 'kept', tags: ['x'] });
    const { lifecycle } = app.memories;
    await expect(lifecycle.forgetMany({ ids: [...ids], tags: ['x'] })).rejects.toMatchObject({ code: 'invalid_input' });
    const unknown = '00000000-0000-7000-8000-000000000000';
    await expect(lifecycle.forgetMany({ ids: [unknown] })).rejects.toMatchObject({ code: 'not_found' });
    await expect(lifecycle.forgetMany({ ids: [...ids], namespace: 'elsewhere' })).rejects.toMatchObject({ code: 'not_found' });
    expect(await lifecycle.forgetMany({ ids: [...ids], namespace: 'test' })).toMatchObject({ matches: 1 });
  });

  it('gives no token without matches', async () => {
    await using app = await openTestApp();
    expect(await app.memories.lifecycle.forgetMany({ tags: ['none'] })).toEqual({ matches: 0, preview: [], done: false });
  });
});
