import { describe, expect, it } from 'vitest';
import type { MemoryOperations } from '../../src/memory/operations/operations.ts';
import { restrictTo } from '../../src/service/limits.ts';
import { openTestApp } from '../helpers/app.ts';

const nothing = (async function* () {})();

describe('a read-only key', () => {
  it('reads everything and changes nothing', async () => {
    await using app = await openTestApp();
    const { ids } = await app.memories.save({ content: 'walrus' });
    const [id] = ids as [string];
    const reader = restrictTo(app.memories, { name: 'reader', access: 'read' });
    expect((await reader.recall({ query: 'walrus' })).results).toHaveLength(1);
    expect((await reader.list({ allNamespaces: true })).total).toBe(1);
    expect(await reader.explain({ query: 'walrus', id })).toEqual(await app.memories.explain({ query: 'walrus', id }));
    const writes: Record<string, () => Promise<unknown>> = {
      save: () => reader.save({ content: 'x' }),
      update: () => reader.update(id, { priority: 'low' }),
      forget: () => reader.forget(id),
      migrate: () => reader.migrate({}),
      import: () => reader.import(nothing, {}),
      diagnose: () => reader.diagnose({}),
      verify: () => reader.verify(),
    };
    for (const write of Object.values(writes)) await expect(write()).rejects.toMatchObject({ code: 'forbidden' });
    expect((await app.memories.list({})).total).toBe(1);
  });
});

describe('a key bound to a namespace', () => {
  it('sees and changes only that namespace, by any route', async () => {
    await using app = await openTestApp();
    const mine = await app.memories.save({ content: 'my walrus', namespace: 'mine' });
    const theirs = await app.memories.save({ content: 'their walrus', namespace: 'theirs' });
    const [id] = theirs.ids as [string];
    const bound = restrictTo(app.memories, { name: 'bound', access: 'full', namespace: 'mine' });

    const leaks: Record<string, () => Promise<unknown>> = {
      recall: () => bound.recall({ query: 'walrus', namespace: 'theirs' }),
      global: () => bound.recall({ query: 'walrus', includeGlobal: true }),
      search: () => bound.search({ query: 'walrus', namespace: 'theirs' }),
      explain: () => bound.explain({ query: 'walrus', id: mine.ids[0]!, namespace: 'theirs' }),
      diagnose: () => bound.diagnose({}),
      verify: () => bound.verify(),
      list: () => bound.list({ namespace: 'theirs' }),
      all: () => bound.list({ allNamespaces: true }),
      save: () => bound.save({ content: 'x', namespace: 'theirs' }),
      saveGlobal: () => bound.save({ content: 'x', global: true }),
      move: () => bound.update(mine.ids[0]!, { namespace: 'theirs' }),
      stats: () => bound.stats({ namespace: 'theirs' }),
      import: () => bound.import(nothing, {}),
      migrate: () => bound.migrate({ namespace: 'theirs' }),
      export: () => drain(bound, 'theirs'),
    };
    for (const leak of Object.values(leaks)) await expect(leak()).rejects.toMatchObject({ code: 'forbidden' });
    const hidden: Record<string, () => Promise<unknown>> = {
      get: () => bound.get(id),
      forget: () => bound.forget(id),
      update: () => bound.update(id, { priority: 'low' }),
      explain: () => bound.explain({ query: 'walrus', id }),
      explainWithin: () => bound.explain({ query: 'walrus', id, namespace: 'mine' }),
    };
    for (const reach of Object.values(hidden)) await expect(reach()).rejects.toMatchObject({ code: 'not_found' });

    for (const searchMode of ['vector', 'keyword', 'hybrid'] as const) {
      const found = [
        ...(await bound.search({ query: 'walrus', searchMode })).results,
        ...(await bound.recall({ query: 'walrus', searchMode })).results,
      ];
      expect(new Set(found.map(({ entry }) => entry.content))).toEqual(new Set(['my walrus']));
    }
    expect(await bound.explain({ query: 'walrus', id: mine.ids[0]! })).toMatchObject({ returned: true, rank: 1 });
    expect((await bound.namespaces()).map(({ namespace }) => namespace)).toEqual(['mine']);
    expect(await bound.health()).toMatchObject({ namespace: 'mine', totalEntries: 1, globalEntries: 0 });
    expect((await bound.save({ content: 'new' })).entry.namespace).toBe('mine');
    expect(await drain(bound)).toEqual(['my walrus', 'new']);
  });

  it('does not see the size of others in health', async () => {
    await using app = await openTestApp();
    for (const namespace of ['mine', 'theirs', 'theirs too']) await app.memories.save({ content: 'walrus', namespace });
    const busy = new Proxy(app.memories, {
      get: (real, name) =>
        name === 'health'
          ? async (request: object) => ({ ...(await real.health(request)), relating: 40 })
          : (Reflect.get(real, name, real) as unknown),
    });
    expect(await busy.health()).toMatchObject({ totalEntries: 3, relating: 40 });
    const health = await restrictTo(busy, { name: 'bound', access: 'full', namespace: 'mine' }).health();
    expect(health).toMatchObject({ namespace: 'mine', totalEntries: 1 });
    expect(health).not.toHaveProperty('relating');
    expect(health.storage).not.toHaveProperty('path');
  });
});

async function drain(memories: MemoryOperations, namespace?: string): Promise<string[]> {
  const contents: string[] = [];
  for await (const line of memories.export(namespace === undefined ? {} : { namespace })) {
    if ('content' in line) contents.push(line.content);
  }
  return contents;
}
