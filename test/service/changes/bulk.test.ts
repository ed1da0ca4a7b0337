import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SaveRequest } from '../../../src/memory/operations/operations.ts';
import { restrictTo } from '../../../src/service/limits.ts';
import { Entries } from '../../../src/store/write/entries.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';

const UNKNOWN = '00000000-0000-7000-8000-000000000000';

let app: TestApp;
beforeEach(async () => {
  app = await openTestApp();
});
afterEach(() => app[Symbol.asyncDispose]());

async function save(content: string, fields: Partial<SaveRequest> = {}): Promise<string> {
  return (await app.memories.save({ content, ...fields })).entry.id;
}
const tagsOf = async (id: string): Promise<readonly string[]> => (await app.memories.get(id)).tags;
async function plant(...lines: readonly object[]): Promise<void> {
  const chunk = new TextEncoder().encode(lines.map((line) => JSON.stringify(line)).join('\n'));
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield await Promise.resolve(chunk);
  }
  expect((await app.memories.import(chunks(), {})).stored).toBe(lines.length);
}

describe('the facets', () => {
  const year = (value: string, entries: number) => ({ value, entries });
  beforeEach(async () => {
    await plant(
      { content: 'a', timestamp: '2025-06-01T10:00:00Z', tags: ['x', 'y'], namespace: 'n', priority: 'high' },
      { content: 'b', timestamp: '2025-12-31T23:30:00Z', tags: ['x'], namespace: 'n', source: 'cli' },
      { content: 'c', timestamp: '2026-01-03T10:00:00Z', tags: ['x'], namespace: 'm' },
    );
  });

  it('count the values of matching entries, most first and years newest first', async () => {
    const { total, namespaces, tags, priorities, kinds, years } = await app.memories.bulk.facets({ allNamespaces: true });
    expect(total).toBe(3);
    expect(namespaces).toEqual([
      { value: 'n', entries: 2 },
      { value: 'm', entries: 1 },
    ]);
    expect(tags).toEqual([
      { value: 'x', entries: 3 },
      { value: 'y', entries: 1 },
    ]);
    expect(priorities).toEqual([
      { value: 'normal', entries: 2 },
      { value: 'high', entries: 1 },
    ]);
    expect(kinds).toEqual([{ value: 'memory', entries: 3 }]);
    expect(years).toEqual([year('2026', 1), year('2025', 2)]);
    const inBerlin = await app.memories.bulk.facets({ allNamespaces: true, timeZone: 'Europe/Berlin' });
    expect(inBerlin.years).toEqual([year('2026', 2), year('2025', 1)]);
  });

  it('count the other values of a filtered field', async () => {
    const found = await app.memories.bulk.facets({ namespace: 'n', priority: 'high', tags: ['x'] });
    expect(found.total).toBe(1);
    expect(found.priorities).toEqual([
      { value: 'high', entries: 1 },
      { value: 'normal', entries: 1 },
    ]);
    expect(found.tags).toEqual([
      { value: 'x', entries: 1 },
      { value: 'y', entries: 1 },
    ]);
    const of2025 = await app.memories.bulk.facets({ allNamespaces: true, createdAfter: '2025-01-01', createdBefore: '2026-01-01' });
    expect([of2025.total, of2025.years]).toEqual([2, [year('2026', 1), year('2025', 2)]]);
  });

  it('show a key of one namespace nothing of others', async () => {
    const bound = restrictTo(app.memories, { name: 'bound', namespace: 'n', access: 'read' });
    expect((await bound.bulk.facets({})).namespaces).toEqual([{ value: 'n', entries: 2 }]);
    await expect(bound.bulk.facets({ allNamespaces: true })).rejects.toMatchObject({ code: 'forbidden' });
  });
});

describe('the timeline', () => {
  it('counts what the list shows under the same conditions, by day', async () => {
    await plant(
      { content: 'a', timestamp: '2026-01-01T10:00:00Z', tags: ['x'], namespace: 'n', priority: 'high' },
      { content: 'b', timestamp: '2026-01-01T23:30:00Z', namespace: 'n' },
      { content: 'c', timestamp: '2026-01-03T10:00:00Z', tags: ['x'], namespace: 'm' },
    );
    const { bulk } = app.memories;
    expect(await bulk.timeline({ allNamespaces: true })).toEqual({
      timeZone: 'UTC',
      total: 3,
      days: [
        { day: '2026-01-03', entries: 1 },
        { day: '2026-01-01', entries: 2 },
      ],
    });
    expect((await bulk.timeline({ allNamespaces: true, timeZone: 'Europe/Berlin' })).days.map(({ day }) => day)).toEqual([
      '2026-01-03',
      '2026-01-02',
      '2026-01-01',
    ]);
    for (const conditions of [
      { namespace: 'n' },
      { allNamespaces: true, tags: ['x'] },
      { allNamespaces: true, priority: 'high' as const },
      { allNamespaces: true, source: 'web' as const },
      { allNamespaces: true, createdAfter: '2026-01-02' },
      { namespace: 'n', maxImportance: 0.6 },
      { container: 'm' },
    ]) {
      const { total, days } = await bulk.timeline(conditions);
      expect([conditions, total]).toEqual([conditions, (await app.memories.list(conditions)).total]);
      expect(days.reduce((sum, { entries }) => sum + entries, 0)).toBe(total);
    }
  });

  it('uses the namespace of the server by default, and rejects one together with all', async () => {
    await save('here');
    await save('there', { namespace: 'n' });
    expect((await app.memories.bulk.timeline({})).total).toBe(1);
    await expect(app.memories.bulk.timeline({ namespace: 'n', allNamespaces: true })).rejects.toMatchObject({ code: 'invalid_input' });
  });
});

describe('tagging many entries', () => {
  it('adds and removes tags, records versions, and reports each entry', async () => {
    const one = await save('walrus', { tags: ['old', 'sea'] });
    const two = await save('trombone', { tags: ['sea'] });
    const three = await save('marmalade', { tags: ['new'] });
    const report = await app.memories.bulk.tag({ ids: [one, two, three, UNKNOWN], add: ['new'], remove: ['old'] }, { source: 'web' });
    expect(report).toEqual({
      dryRun: false,
      matches: 3,
      changed: [
        { id: two, added: ['new'], removed: [] },
        { id: one, added: ['new'], removed: ['old'] },
      ],
      left: 0,
    });
    expect(await tagsOf(one)).toEqual(['sea', 'new']);
    expect((await app.memories.list({ tags: ['new'] })).total).toBe(3);
    expect((await app.memories.search({ query: 'new', searchMode: 'keyword' })).results).toHaveLength(3);
    const { versions } = await app.memories.lifecycle.history(one);
    expect(versions).toMatchObject([{ replacedBy: 'web', state: { tags: ['old', 'sea'] } }]);
    expect((await app.memories.lifecycle.undo(one)).tags).toEqual(['old', 'sea']);
  });

  it('previews in a dry run, and can be undone from its report', async () => {
    const one = await save('walrus', { tags: ['old'] });
    const request = { tags: ['old'], add: ['decision'], remove: ['old'] };
    const foreseen = await app.memories.bulk.tag({ ...request, dryRun: true });
    expect(foreseen).toMatchObject({ dryRun: true, matches: 1, changed: [{ id: one, added: ['decision'], removed: ['old'] }] });
    const before = await app.memories.get(one);
    const done = await app.memories.bulk.tag(request);
    expect(done).toEqual({ ...foreseen, dryRun: false });
    expect((await app.memories.get(one)).importance).toBeGreaterThan(before.importance);
    for (const { id, added, removed } of done.changed) {
      await app.memories.bulk.tag({ ids: [id], add: [...removed], remove: [...added] });
    }
    expect(await app.memories.get(one)).toMatchObject({ tags: before.tags, importance: before.importance });
  });

  it('skips an entry that would have too many tags', async () => {
    const full = await save('walrus', { tags: Array.from({ length: 64 }, (_, nth) => `t${nth}`) });
    const one = await save('trombone');
    const report = await app.memories.bulk.tag({ namespace: 'test', add: ['more'] });
    expect(report).toMatchObject({ matches: 2, changed: [{ id: one }], left: 1 });
    expect(await tagsOf(full)).toHaveLength(64);
  });

  it('tags 450 entries during other writes, without losing any', async () => {
    const ids = await Promise.all(Array.from({ length: 450 }, (_, nth) => save(`note ${nth}`, { tags: ['x'] })));
    const [report] = await Promise.all([
      app.memories.bulk.tag({ tags: ['x'], add: ['y'] }),
      app.memories.update(ids[0]!, { content: 'another text' }),
      app.memories.forget(ids[1]!),
      save('beside', { tags: ['z'] }),
    ]);
    expect(report.changed.length + report.left).toBe(450);
    expect((await app.memories.list({ tags: ['y'] })).total).toBe(
      report.changed.length - Number(report.changed.some(({ id }) => id === ids[1])),
    );
    expect((await app.memories.get(ids[0]!)).content).toBe('another text');
  });

  it('reports what it did to a concurrently changed entry, not the preview', async () => {
    const one = await save('walrus', { tags: ['old', 'older'] });
    const two = await save('trombone', { tags: ['old'] });
    const getMany = Reflect.get(Entries.prototype, 'getMany');
    vi.spyOn(Entries.prototype, 'getMany').mockImplementationOnce(async function (this: Entries, ids) {
      await app.memories.update(one, { tags: ['older', 'new'] });
      await app.memories.update(two, { tags: ['new'] });
      return await getMany.call(this, ids);
    });
    expect(await app.memories.bulk.tag({ ids: [one, two], add: ['new'], remove: ['old', 'older'] })).toEqual({
      dryRun: false,
      matches: 2,
      changed: [{ id: one, added: [], removed: ['older'] }],
      left: 1,
    });
    expect([await tagsOf(one), await tagsOf(two)]).toEqual([['new'], ['new']]);
  });

  it('changes nothing without entries or tags, or if a tag is both added and removed', async () => {
    const id = await save('walrus', { tags: ['x'] });
    const { bulk } = app.memories;
    for (const request of [
      { add: ['y'] },
      { tags: [], add: ['y'] },
      { ids: [id] },
      { ids: [id], add: [], remove: [] },
      { ids: [id], tags: ['x'], add: ['y'] },
      { ids: [id], add: ['y', 'z'], remove: ['z'] },
    ])
      await expect(bulk.tag(request)).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(bulk.tag({ ids: [UNKNOWN], add: ['y'] })).rejects.toMatchObject({ code: 'not_found' });
    expect(await tagsOf(id)).toEqual(['x']);
  });
});

describe('the limits of a key', () => {
  it('let a read-only one read the timeline, but not tag', async () => {
    const id = await save('walrus');
    const { bulk } = restrictTo(app.memories, { name: 'reader', access: 'read' });
    expect((await bulk.timeline({ allNamespaces: true })).total).toBe(1);
    await expect(bulk.tag({ ids: [id], add: ['x'] })).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('let a bound one do both in its namespace only', async () => {
    const mine = await save('mine', { namespace: 'mine' });
    const theirs = await save('theirs', { namespace: 'theirs' });
    const { bulk } = restrictTo(app.memories, { name: 'bound', access: 'full', namespace: 'mine' });
    expect((await bulk.timeline({})).total).toBe(1);
    for (const leak of [
      () => bulk.timeline({ allNamespaces: true }),
      () => bulk.timeline({ namespace: 'theirs' }),
      () => bulk.tag({ namespace: 'theirs', add: ['x'] }),
    ])
      await expect(leak()).rejects.toMatchObject({ code: 'forbidden' });
    await expect(bulk.tag({ ids: [theirs], add: ['x'] })).rejects.toMatchObject({ code: 'not_found' });
    expect(await bulk.tag({ ids: [mine, theirs], add: ['x'] })).toMatchObject({ matches: 1, changed: [{ id: mine }] });
    expect(await bulk.tag({ importance: { min: 0 }, add: ['y'] })).toMatchObject({ matches: 1, changed: [{ id: mine }] });
    expect(await tagsOf(theirs)).toEqual([]);
  });
});

describe('the kind of an entry', () => {
  it('is a condition for tagging, moving and forgetting, as for lists', async () => {
    await plant({ content: 'a memory', namespace: 'n' }, { content: 'a passage of a file', namespace: 'n', source: 'ingest' });
    const { bulk, moves, lifecycle } = app.memories;
    const listed = async (kind: 'memory' | 'file'): Promise<unknown> =>
      (await app.memories.list({ namespace: 'n', kind })).entries.map(({ id }) => id);
    const [memory, passage] = [await listed('memory'), await listed('file')];
    const tagged = await bulk.tag({ kind: 'file', add: ['read'] });
    expect(tagged.changed.map(({ id }) => id)).toEqual(passage);
    expect(await moves.move({ kind: 'memory', to: 'm', dryRun: true })).toMatchObject({ matches: 1, moved: 1 });
    const { matches, preview } = await lifecycle.forgetMany({ kind: 'memory' });
    expect([matches, preview.map(({ id }) => id)]).toEqual([1, memory]);
  });
});
