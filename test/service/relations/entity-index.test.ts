import { describe, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '../../helpers/app.ts';

async function saved(...contents: readonly string[]): Promise<{ app: TestApp; ids: string[] } & AsyncDisposable> {
  const app = await openTestApp();
  const ids: string[] = [];
  for (const content of contents) ids.push((await app.memories.save({ content })).ids[0]!);
  return { app, ids, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
}

describe('an entity filter', () => {
  it('finds the entries with a name in any spelling, newest first', async () => {
    await using store = await saved('Retries are in ./src/net/retry.ts', 'Look at src\\net\\retry.ts:12', 'Nothing about files');
    const { relations } = store.app.memories;
    for (const name of ['src/net/retry.ts', './src/net/retry.ts', 'src\\net\\retry.ts', 'src/net/retry.ts:99']) {
      const report = await relations.entities({ name });
      expect(report.entities).toEqual([{ name: 'src/net/retry.ts', kind: 'path', entries: 2 }]);
      expect(report.entries.map(({ id }) => id)).toEqual([store.ids[1], store.ids[0]]);
    }
    expect((await relations.entities({ name: 'src/net/retry.ts', limit: 1 })).entries).toHaveLength(1);
    expect(await relations.entities({ name: 'src/net/retry.ts', namespace: 'elsewhere' })).toEqual({
      entities: [{ name: 'src/net/retry.ts', kind: 'path', entries: 0 }],
      entries: [],
    });
  });

  it('by a plain word also finds a function, and the reverse', async () => {
    await using store = await saved('Call `parse()` before anything else');
    const { relations } = store.app.memories;
    for (const name of ['parse', 'parse()', 'parse(text)']) {
      const report = await relations.entities({ name });
      expect(report.entities).toEqual([{ name: 'parse()', kind: 'symbol', entries: 1 }]);
      expect(report.entries).toHaveLength(1);
    }
    expect((await relations.entities({ name: 'parse', kind: 'package' })).entries).toEqual([]);
  });

  it('that looks like SQL finds nothing and is harmless', async () => {
    await using store = await saved('Call `parse()`');
    const report = await store.app.memories.relations.entities({ name: "x') OR array_has(entities, 'parse()" });
    expect(report.entries).toEqual([]);
  });
});

describe('without a name', () => {
  it('lists the most frequent first, by kind and namespace', async () => {
    await using store = await saved('src/a.ts and src/b.ts', 'src/a.ts fails with ENOENT', '@ken wrote src/a.ts');
    const { relations, save } = { relations: store.app.memories.relations, save: store.app.memories };
    await save.save({ content: 'src/b.ts elsewhere', namespace: 'elsewhere' });
    const all = await relations.entities({});
    expect(all.entries).toEqual([]);
    expect(all.entities.slice(0, 2)).toEqual([
      { name: 'src/a.ts', kind: 'path', entries: 3 },
      { name: 'src/b.ts', kind: 'path', entries: 2 },
    ]);
    expect((await relations.entities({ kind: 'person' })).entities).toEqual([{ name: '@ken', kind: 'person', entries: 1 }]);
    expect((await relations.entities({ namespace: 'elsewhere' })).entities).toEqual([{ name: 'src/b.ts', kind: 'path', entries: 1 }]);
    expect((await relations.entities({ limit: 1 })).entities).toHaveLength(1);
  });
});

describe('a path that moved', () => {
  it('is renamed in every entry with it or a path below it, by whole segments, and texts are unchanged', async () => {
    await using store = await saved('lib/net/retry.ts is slow', 'lib/net.ts and lib/network/a.ts', 'src/net/retry.ts and lib/net/retry.ts');
    const { memories } = store.app;
    const [a, , c] = store.ids;
    const request = { from: 'lib/net', to: 'src/net' };
    const planned = await memories.relations.renamePath({ ...request, dryRun: true });
    expect(planned).toEqual({ dryRun: true, changed: [c, a] });
    expect((await memories.get(a!)).entities).toEqual(['lib/net/retry.ts']);
    expect(await memories.relations.renamePath(request)).toEqual({ dryRun: false, changed: [c, a] });
    expect(await memories.get(a!)).toMatchObject({ content: 'lib/net/retry.ts is slow', entities: ['src/net/retry.ts'] });
    expect((await memories.get(store.ids[1]!)).entities).toEqual(['lib/net.ts', 'lib/network/a.ts']);
    expect((await memories.get(c!)).entities).toEqual(['src/net/retry.ts']);
    expect((await memories.relations.entities({ name: 'src/net/retry.ts' })).entries).toHaveLength(2);
    expect((await memories.relations.renamePath(request)).changed).toEqual([]);
  });

  it('is renamed in one namespace on request, and must be a path', async () => {
    await using store = await saved('src/a.ts here');
    const { memories } = store.app;
    const { ids } = await memories.save({ content: 'src/a.ts there', namespace: 'elsewhere' });
    expect((await memories.relations.renamePath({ from: 'src/a.ts', to: 'src/b.ts', namespace: 'elsewhere' })).changed).toEqual(ids);
    expect((await memories.relations.entities({ name: 'src/a.ts' })).entries.map(({ id }) => id)).toEqual(store.ids);
    await expect(memories.relations.renamePath({ from: './', to: 'x' })).rejects.toMatchObject({ code: 'invalid_input' });
  });
});
