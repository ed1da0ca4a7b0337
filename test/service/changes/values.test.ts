import { describe, expect, it } from 'vitest';
import { openTestApp } from '../../helpers/app.ts';

describe('the values of a field', () => {
  it('are counted, filtered, sorted and paged', async () => {
    await using app = await openTestApp();
    const { memories } = app;
    for (const nth of [1, 2, 10]) await memories.save({ content: `Note ${nth}`, tags: [`Step ${nth}`, 'all'], namespace: 'here' });
    await memories.save({ content: 'src/a.ts was written by @ken', tags: ['all'], namespace: 'there' });
    const { bulk } = memories;
    expect(await bulk.values({ field: 'namespaces' })).toEqual({
      values: [
        { value: 'here', entries: 3 },
        { value: 'there', entries: 1 },
      ],
      total: 2,
      offset: 0,
      limit: 100,
    });
    const steps = await bulk.values({ field: 'tags', contains: 'STEP', sort: 'value', limit: 2, offset: 1 });
    expect(steps).toEqual({
      values: [
        { value: 'Step 2', entries: 1 },
        { value: 'Step 10', entries: 1 },
      ],
      total: 3,
      offset: 1,
      limit: 2,
    });
    expect((await bulk.values({ field: 'tags', namespace: 'there' })).values).toEqual([{ value: 'all', entries: 1 }]);
    expect((await bulk.values({ field: 'entities', sort: 'value' })).values).toEqual([
      { value: '@ken', entries: 1 },
      { value: 'src/a.ts', entries: 1 },
    ]);
    expect((await bulk.values({ field: 'entities', namespace: 'here' })).values).toEqual([]);
  });
});

describe('an entity name', () => {
  it('is renamed, merged, and reverted with the report', async () => {
    await using app = await openTestApp();
    const { memories } = app;
    const { relations } = memories;
    const [first] = (await memories.save({ content: '@ken wrote the parser' })).ids;
    const [second] = (await memories.save({ content: '@ken and @ana wrote the lexer' })).ids;
    const namesOf = async (id: string | undefined) => [...((await memories.get(id!)).entities ?? [])].toSorted();
    const before = [await namesOf(first), await namesOf(second)];
    const wish = { name: '@Ken', remove: ['@Ken'], add: ['@ana'] };
    const dry = await relations.changeNames({ ...wish, dryRun: true });
    expect(dry).toMatchObject({ dryRun: true, matches: 2, left: 0 });
    expect([await namesOf(first), await namesOf(second)]).toEqual(before);
    const { changed } = await relations.changeNames(wish);
    expect(changed).toEqual([
      { id: second, added: [], removed: ['@ken'] },
      { id: first, added: ['@ana'], removed: ['@ken'] },
    ]);
    expect([await namesOf(first), await namesOf(second)]).toEqual([['@ana'], ['@ana']]);
    expect((await app.memories.bulk.values({ field: 'entities' })).values).toEqual([{ value: '@ana', entries: 2 }]);
    for (const { id, added, removed } of changed) {
      await relations.changeNames({ ids: [id], add: [...removed], ...(added.length > 0 && { remove: [...added] }) });
    }
    expect([await namesOf(first), await namesOf(second)]).toEqual(before);
  });

  it('is changed in one namespace if given, and refused without entries or names', async () => {
    await using app = await openTestApp();
    const { relations } = app.memories;
    const [here] = (await app.memories.save({ content: '@ken is here', namespace: 'here' })).ids;
    await app.memories.save({ content: '@ken is there', namespace: 'there' });
    const report = await relations.changeNames({ name: '@ken', remove: ['@ken'], add: ['@kim'], namespace: 'here' });
    expect(report.changed.map(({ id }) => id)).toEqual([here]);
    await expect(relations.changeNames({ ids: [here!], add: ['@x'], namespace: 'there' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(relations.changeNames({ name: '@ken' })).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(relations.changeNames({ add: ['@ken'] })).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(relations.changeNames({ name: '@ken', add: ['@a'], remove: ['@A'] })).rejects.toMatchObject({ code: 'invalid_input' });
  });
});
