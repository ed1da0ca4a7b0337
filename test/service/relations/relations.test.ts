import { describe, expect, it } from 'vitest';
import type { RelationType } from '../../../src/memory/relation.ts';
import { restrictTo } from '../../../src/service/limits.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';

const UNKNOWN = '01975a3e-8a51-7c3e-9a53-0f6d2b8c4e11';

async function save(app: TestApp, content: string, namespace = 'test'): Promise<string> {
  return (await app.memories.save({ content, namespace })).ids[0]!;
}
const words = ['walrus', 'trombone', 'gravel', 'umbrella', 'satellite', 'marmalade'];
const saveAll = (app: TestApp, namespace?: string): Promise<string[]> => Promise.all(words.map((word) => save(app, word, namespace)));

describe('a manual relation', () => {
  it('is listed from both ends and for the namespace, newest first, page by page', async () => {
    await using app = await openTestApp();
    const { relations } = app.memories;
    const [a = '', b = '', c = '', d = ''] = await saveAll(app);
    const made = [];
    for (const [sourceId, type, targetId] of [
      [a, 'references', b],
      [c, 'elaborates', a],
      [b, 'contradicts', c],
    ] as const)
      made.push(await relations.relate({ sourceId, type, targetId }));
    expect(made[0]).toMatchObject({ strength: 1, origin: 'manual' });
    const newest = made.toReversed();
    expect(await relations.list({})).toEqual({ relations: newest, total: 3, offset: 0, limit: 100 });
    expect((await relations.list({ id: a })).relations).toEqual([newest[1], newest[2]]);
    expect((await relations.list({ id: d })).relations).toEqual([]);
    expect((await relations.list({ type: 'contradicts' })).relations).toEqual([newest[0]]);
    expect(await relations.list({ limit: 1, offset: 1 })).toMatchObject({ relations: [newest[1]], total: 3 });
    expect((await relations.list({ namespace: 'elsewhere' })).total).toBe(0);
  });

  it('created again changes its strength and keeps its position', async () => {
    await using app = await openTestApp();
    const [sourceId = '', targetId = ''] = await saveAll(app);
    const first = await app.memories.relations.relate({ sourceId, targetId, type: 'similar' });
    const second = await app.memories.relations.relate({ sourceId, targetId, type: 'similar', strength: 0.25 });
    expect(second).toEqual({ ...first, strength: 0.25 });
    expect((await app.memories.relations.list({})).relations).toEqual([second]);
  });

  it('needs existing entries', async () => {
    await using app = await openTestApp();
    const { relations } = app.memories;
    const id = await save(app, 'walrus');
    const unknown = [
      () => relations.relate({ sourceId: id, targetId: UNKNOWN, type: 'similar' }),
      () => relations.unrelate({ sourceId: id, targetId: UNKNOWN, type: 'similar' }),
      () => relations.list({ id: UNKNOWN }),
      () => relations.related(UNKNOWN, {}),
      () => relations.graph({ seed: UNKNOWN }),
    ];
    for (const call of unknown) await expect(call()).rejects.toMatchObject({ code: 'not_found' });
    await expect(relations.relate({ sourceId: id, targetId: id, type: 'similar' })).rejects.toMatchObject({ code: 'invalid_input' });
  });
});

describe('what is superseded', () => {
  const found = async (app: TestApp, more: object = {}): Promise<(string | undefined)[]> => {
    const lists = await Promise.all(
      (['vector', 'keyword', 'hybrid'] as const).flatMap((searchMode) => [
        app.memories.recall({ query: 'ferry', searchMode, ...more }),
        app.memories.search({ query: 'ferry', searchMode, ...more }),
      ]),
    );
    const contents = lists.map(({ results }) => results.map(({ entry }) => entry.content).toSorted());
    for (const other of contents) expect(other).toEqual(contents[0]);
    return contents[0]!;
  };

  it('is hidden from searches, included by includeSuperseded, marked in lists, and current again without the newer', async () => {
    await using app = await openTestApp();
    const older = await save(app, 'The ferry leaves at nine');
    const newer = await save(app, 'A timetable of the ferry hangs at the pier');
    await app.memories.relations.relate({ sourceId: newer, type: 'supersedes', targetId: older });
    expect(await found(app)).toEqual(['A timetable of the ferry hangs at the pier']);
    expect(await found(app, { includeSuperseded: true })).toHaveLength(2);
    expect(await app.memories.get(older)).toMatchObject({ superseded: true });
    expect((await app.memories.list({})).entries.map(({ superseded = false }) => superseded)).toEqual([false, true]);
    await app.memories.forget(newer);
    expect(await found(app)).toEqual(['The ferry leaves at nine']);
    expect((await app.memories.relations.list({})).total).toBe(0);
  });

  it('is explained', async () => {
    await using app = await openTestApp();
    const [older, newer] = [await save(app, 'The ferry leaves at nine'), await save(app, 'A ferry timetable hangs at the pier')];
    const request = { query: 'ferry', id: older };
    expect((await app.memories.explain(request)).filters).toEqual([]);
    await app.memories.relations.relate({ sourceId: newer, type: 'supersedes', targetId: older });
    expect(await app.memories.explain(request)).toMatchObject({
      returned: false,
      reason: 'A newer entry supersedes it.',
      filters: [{ filter: 'no newer entry supersedes it', passed: false }],
    });
    expect(await app.memories.explain({ ...request, includeSuperseded: true })).toMatchObject({ returned: true, filters: [] });
  });
});

describe('a key bound to a namespace', () => {
  it('reads and creates relations within it, and learns nothing of others', async () => {
    await using app = await openTestApp();
    const { relations } = app.memories;
    const [mine, also] = [await save(app, 'my walrus in src/a.ts', 'mine'), await save(app, 'my trombone', 'mine')];
    const theirs = await save(app, 'their walrus in src/a.ts', 'theirs');
    for (const [sourceId, targetId] of [
      [mine, also],
      [mine, theirs],
      [theirs, also],
    ] as const)
      await relations.relate({ sourceId, targetId, type: 'references' });
    const bound = restrictTo(app.memories, { name: 'bound', access: 'full', namespace: 'mine' }).relations;
    expect((await bound.list({})).relations).toMatchObject([{ sourceId: mine, targetId: also }]);
    expect(await bound.list({ id: mine })).toMatchObject({ total: 1, relations: [{ targetId: also }] });
    expect((await bound.related(mine, { depth: 4 })).map(({ entry }) => entry.id)).toEqual([also]);
    const graph = await bound.graph({});
    expect(new Map(graph.nodes.map(({ id, degree }) => [id, degree]))).toEqual(
      new Map([
        [mine, 1],
        [also, 1],
      ]),
    );
    expect(graph.edges).toHaveLength(1);
    expect((await bound.entities({ name: 'src/a.ts' })).entries.map(({ id }) => id)).toEqual([mine]);
    expect((await bound.renamePath({ from: 'src', to: 'lib' })).changed).toEqual([mine]);
    const type: RelationType = 'similar';
    const hidden = [
      () => bound.relate({ sourceId: mine, targetId: theirs, type }),
      () => bound.unrelate({ sourceId: mine, targetId: theirs, type: 'references' }),
      () => bound.list({ id: theirs }),
      () => bound.related(theirs, {}),
      () => bound.graph({ seed: theirs }),
    ];
    for (const call of hidden) await expect(call()).rejects.toMatchObject({ code: 'not_found' });
    const forbidden = [
      () => bound.list({ namespace: 'theirs' }),
      () => bound.graph({ namespace: 'theirs' }),
      () => bound.entities({ namespace: 'theirs' }),
    ];
    for (const call of forbidden) await expect(call()).rejects.toMatchObject({ code: 'forbidden' });
    await bound.unrelate({ sourceId: mine, targetId: also, type: 'references' });
    expect((await relations.list({})).total).toBe(2);
  });

  it('with read-only access changes nothing', async () => {
    await using app = await openTestApp();
    const [sourceId = '', targetId = ''] = await saveAll(app);
    await app.memories.relations.relate({ sourceId, targetId, type: 'similar' });
    const reader = restrictTo(app.memories, { name: 'reader', access: 'read' }).relations;
    expect((await reader.list({})).total).toBe(1);
    const writes = [
      () => reader.relate({ sourceId, targetId, type: 'elaborates' }),
      () => reader.unrelate({ sourceId, targetId, type: 'similar' }),
      () => reader.renamePath({ from: 'a', to: 'b', dryRun: true }),
    ];
    for (const write of writes) await expect(write()).rejects.toMatchObject({ code: 'forbidden' });
  });
});
