import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openApp } from '../../../src/app.ts';
import type { Entry } from '../../../src/memory/entry.ts';
import { silentLog } from '../../../src/memory/log.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';

const UNKNOWN = '00000000-0000-7000-8000-000000000000';

let app: TestApp;
beforeEach(async () => {
  app = await openTestApp();
});
afterEach(() => app[Symbol.asyncDispose]());

async function save(content: string, fields: Partial<Parameters<TestApp['memories']['save']>[0]> = {}): Promise<Entry> {
  return (await app.memories.save({ content, ...fields })).entry;
}
async function namesOf(): Promise<Record<string, number>> {
  return Object.fromEntries((await app.memories.namespaces()).map(({ namespace, entries }) => [namespace, entries]));
}

describe('renaming a namespace', () => {
  it('moves entries, relations, containers and archive, and nothing else', async () => {
    const one = await save('The build runs on every push', { namespace: 'old' });
    const two = await save('The build takes a minute', { namespace: 'old', container: 'ci' });
    await save('Elsewhere', { namespace: 'other', container: 'old' });
    const gone = await save('The build took an hour', { namespace: 'old', tags: ['stale'] });
    await app.memories.relations.relate({ sourceId: two.id, targetId: one.id, type: 'elaborates' });
    const { token } = await app.memories.lifecycle.forgetMany({ tags: ['stale'] });
    await app.memories.lifecycle.forgetMany({ tags: ['stale'], confirm: token! });

    const report = await app.memories.moves.rename({ from: 'old', to: 'new' }, { source: 'cli' });
    expect(report).toEqual({ dryRun: false, to: 'new', matches: 2, moved: 2, merged: 0, duplicates: [], archived: 1, left: 0 });
    expect(await namesOf()).toEqual({ new: 2, other: 1 });
    expect(await app.memories.get(one.id)).toMatchObject({ namespace: 'new', container: 'new', createdAt: one.createdAt });
    expect(await app.memories.get(two.id)).toMatchObject({ namespace: 'new', container: 'ci' });
    expect((await app.memories.relations.list({ id: one.id, type: 'elaborates' })).relations).toHaveLength(1);
    expect((await app.memories.recall({ query: 'build minute', namespace: 'new' })).results[0]?.entry.id).toBe(two.id);
    expect((await app.memories.lifecycle.archived({ namespace: 'old' })).total).toBe(0);
    await app.memories.lifecycle.restore({ ids: [gone.id] });
    expect(await app.memories.get(gone.id)).toMatchObject({ namespace: 'new', container: 'new' });
  });

  it('is recorded in the history of each entry, and undone by renaming back', async () => {
    const { id } = await save('Tabs, not spaces', { namespace: 'old' });
    await app.memories.moves.rename({ from: 'old', to: 'new' }, { source: 'cli' });
    const { versions } = await app.memories.lifecycle.history(id);
    expect(versions).toMatchObject([{ replacedBy: 'cli', state: { namespace: 'old', container: 'old' } }]);
    await app.memories.moves.rename({ from: 'new', to: 'old' });
    expect(await app.memories.get(id)).toMatchObject({ namespace: 'old', container: 'old' });
    expect((await app.memories.lifecycle.history(id)).versions).toHaveLength(2);
  });

  it('is refused onto a non-empty namespace, from and to global, and onto itself', async () => {
    await save('a', { namespace: 'old' });
    await save('b', { namespace: 'taken' });
    await save('c', { global: true });
    const refusals = [
      { from: 'old', to: 'taken' },
      { from: 'global', to: 'new' },
      { from: 'old', to: 'global' },
      { from: 'old', to: 'old' },
    ];
    for (const request of refusals) {
      await expect(app.memories.moves.rename(request)).rejects.toMatchObject({ code: 'invalid_input' });
      await expect(app.memories.moves.rename({ ...request, dryRun: true })).rejects.toMatchObject({ code: 'invalid_input' });
    }
    expect(await namesOf()).toEqual({ old: 1, taken: 1, global: 1 });
  });

  it('changes nothing in a dry run or for an empty namespace', async () => {
    await save('a', { namespace: 'old' });
    expect(await app.memories.moves.rename({ from: 'old', to: 'new', dryRun: true })).toMatchObject({ dryRun: true, matches: 1, moved: 1 });
    expect(await namesOf()).toEqual({ old: 1 });
    expect(await app.memories.moves.rename({ from: 'nobody', to: 'new' })).toMatchObject({ matches: 0, moved: 0 });
  });

  it('continues an interrupted run when repeated', async () => {
    const lines = Array.from({ length: 1500 }, (_, nth) => `${JSON.stringify({ content: `Fact number ${nth}`, namespace: 'old' })}\n`).join(
      '',
    );
    await app.memories.import(
      (async function* () {
        await Promise.resolve();
        yield new TextEncoder().encode(lines);
      })(),
      {},
    );
    const cut = app.memories.moves.rename({ from: 'old', to: 'new' }).then(
      () => 'done',
      (error: unknown) => (error as { code: string }).code,
    );
    while ((await namesOf())['new'] === undefined) await new Promise((resolve) => setImmediate(resolve));
    await app.close();
    expect(await cut).toBe('unavailable');

    await using again = await openApp(app.config, { log: silentLog, cwd: app.folder, background: false });
    const before = await again.memories.namespaces();
    expect(before.map(({ namespace }) => namespace).toSorted()).toEqual(['new', 'old']);
    expect(before.reduce((sum, { entries }) => sum + entries, 0)).toBe(1500);
    await expect(again.memories.moves.rename({ from: 'elsewhere', to: 'new' })).rejects.toMatchObject({ code: 'invalid_input' });
    await again.memories.moves.rename({ from: 'old', to: 'new' });
    expect(await again.memories.namespaces()).toMatchObject([{ namespace: 'new', entries: 1500, containers: ['new'] }]);
    await again.memories.save({ content: 'A late one', namespace: 'old' });
    await expect(again.memories.moves.rename({ from: 'old', to: 'new' })).rejects.toMatchObject({ code: 'invalid_input' });
  });
});

describe('merging namespaces', () => {
  it('unites exact duplicates with tags and relations of both, and reports them', async () => {
    const kept = await save('We deploy on Tuesdays', { namespace: 'into', tags: ['release'] });
    const twin = await save('We deploy on Tuesdays', { namespace: 'one', tags: ['ops', 'release'] });
    const third = await save('We deploy on Tuesdays', { namespace: 'two', tags: ['plan'] });
    const more = await save('Deploys need two reviews', { namespace: 'one' });
    await app.memories.relations.relate({ sourceId: more.id, targetId: twin.id, type: 'elaborates' });
    const request = { from: ['one', 'two'], into: 'into' };
    const duplicates = [
      { id: twin.id, kept: kept.id },
      { id: third.id, kept: kept.id },
    ];
    expect(await app.memories.moves.merge({ ...request, dryRun: true })).toMatchObject({ matches: 3, moved: 1, merged: 2, duplicates });
    const report = await app.memories.moves.merge(request);
    expect(report).toMatchObject({
      dryRun: false,
      to: 'into',
      matches: 3,
      moved: 1,
      merged: 2,
      duplicates,
      left: 0,
      run: expect.any(String),
    });

    expect(await namesOf()).toEqual({ into: 2 });
    expect((await app.memories.get(kept.id)).tags.toSorted()).toEqual(['ops', 'plan', 'release']);
    const { relations } = await app.memories.relations.list({ id: kept.id, type: 'elaborates' });
    expect(relations).toMatchObject([{ sourceId: more.id, targetId: kept.id }]);
    const archive = await app.memories.lifecycle.archived({ run: report.run! });
    expect(new Map(archive.entries.map(({ entry, survivor }) => [entry.id, survivor]))).toEqual(
      new Map([
        [twin.id, kept.id],
        [third.id, kept.id],
      ]),
    );
    expect(await app.memories.moves.merge(request)).toMatchObject({ matches: 0, moved: 0, merged: 0 });
  });

  it('unites exact duplicates among incoming entries into the older one', async () => {
    const older = await save('Ports are odd', { namespace: 'one' });
    const newer = await save('Ports are odd', { namespace: 'two', tags: ['net'] });
    expect(await app.memories.moves.merge({ from: ['two', 'one'], into: 'new' })).toMatchObject({
      moved: 1,
      merged: 1,
      duplicates: [{ id: newer.id, kept: older.id }],
    });
    expect(await app.memories.get(older.id)).toMatchObject({ namespace: 'new', tags: ['net'] });
  });

  it('keeps similar texts, and the same text in another container', async () => {
    await save('We deploy on Tuesdays', { namespace: 'into' });
    await save('We deploy on Tuesdays', { namespace: 'one', container: 'ops' });
    await save('We deploy on Tuesday', { namespace: 'one' });
    expect(await app.memories.moves.merge({ from: ['one'], into: 'into' })).toMatchObject({ moved: 2, merged: 0 });
    expect(await namesOf()).toEqual({ into: 3 });
  });

  it('accepts global or a new target, but never empties global or merges into itself', async () => {
    await save('a', { global: true });
    await save('b', { namespace: 'one' });
    await expect(app.memories.moves.merge({ from: ['global'], into: 'one' })).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(app.memories.moves.merge({ from: ['one', 'two'], into: 'one' })).rejects.toMatchObject({ code: 'invalid_input' });
    expect(await app.memories.moves.merge({ from: ['one'], into: 'global' })).toMatchObject({ moved: 1 });
    expect(await namesOf()).toEqual({ global: 2 });
  });
});

describe('moving entries', () => {
  it('selects by ids', async () => {
    const [one, two] = [await save('a', { namespace: 'from' }), await save('b', { namespace: 'from' })];
    expect(await app.memories.moves.move({ ids: [one.id], to: 'to' })).toMatchObject({ matches: 1, moved: 1 });
    expect(await namesOf()).toEqual({ from: 1, to: 1 });
    expect((await app.memories.get(two.id)).namespace).toBe('from');
    expect(await app.memories.moves.move({ ids: [one.id], to: 'to' })).toMatchObject({ matches: 0, moved: 0 });
    expect(await app.memories.lifecycle.undo(one.id)).toMatchObject({ namespace: 'from', container: 'from' });
  });

  it('leaves no archived relations between namespaces', async () => {
    const kept = await save('a', { namespace: 'to' });
    const twin = await save('a', { namespace: 'from' });
    const { run } = await app.memories.moves.move({ ids: [twin.id], to: 'to' });
    expect((await app.memories.lifecycle.archived({ run: run! })).entries).toMatchObject([{ survivor: kept.id }]);
    const [archived] = (await app.memories.lifecycle.archived({ namespace: 'from' })).entries;
    expect(archived).toMatchObject({ entry: { id: twin.id }, reason: 'near duplicate', relations: [] });
    const lines: unknown[] = [];
    for await (const line of app.memories.export({ namespace: 'from', all: true })) lines.push(line);
    expect(JSON.stringify([archived, lines])).not.toContain(kept.id);
  });

  it('selects by conditions, which all must hold', async () => {
    await save('a', { namespace: 'from', tags: ['web', 'ui'] });
    await save('b', { namespace: 'from', tags: ['web'] });
    await save('c', { namespace: 'else', tags: ['web', 'ui'] });
    const request = { namespace: 'from', tags: ['web', 'ui'], to: 'to' };
    expect(await app.memories.moves.move({ ...request, dryRun: true })).toMatchObject({ dryRun: true, moved: 1 });
    expect(await app.memories.moves.move(request)).toMatchObject({ moved: 1 });
    expect(await namesOf()).toEqual({ from: 1, to: 1, else: 1 });
  });

  it('reports the former namespace for the way back', async () => {
    const [one, two] = [await save('a', { namespace: 'from', tags: ['x'] }), await save('b', { namespace: 'else', tags: ['x'] })];
    expect(await app.memories.moves.move({ tags: ['x'], to: 'to', dryRun: true })).not.toHaveProperty('cameFrom');
    const { cameFrom } = await app.memories.moves.move({ tags: ['x'], to: 'to' });
    expect(cameFrom).toEqual([
      { namespace: 'from', ids: [one.id] },
      { namespace: 'else', ids: [two.id] },
    ]);
    for (const { namespace, ids } of cameFrom!) await app.memories.moves.move({ ids: [...ids], to: namespace });
    expect(await namesOf()).toEqual({ from: 1, else: 1 });
  });

  it('skips unknown ids, like forgetting and tagging', async () => {
    const { id } = await save('a', { namespace: 'from' });
    expect(await app.memories.moves.move({ ids: [UNKNOWN, id], to: 'to', dryRun: true })).toMatchObject({ matches: 1, moved: 1 });
    expect(await app.memories.moves.move({ ids: [UNKNOWN, id], to: 'to' })).toMatchObject({ matches: 1, moved: 1, left: 0 });
    expect(await namesOf()).toEqual({ to: 1 });
  });

  it('changes nothing without a known id, without a selection, and with both kinds', async () => {
    const { id } = await save('a', { namespace: 'from' });
    await expect(app.memories.moves.move({ ids: [UNKNOWN], to: 'to' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(app.memories.moves.move({ to: 'to' })).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(app.memories.moves.move({ tags: [], importance: {}, to: 'to' })).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(app.memories.moves.move({ ids: [id], namespace: 'from', to: 'to' })).rejects.toMatchObject({ code: 'invalid_input' });
    expect(await namesOf()).toEqual({ from: 1 });
  });

  it('keeps the newer of two equal entries, wherever they are', async () => {
    const older = await save('The port is 80', { namespace: 'from' });
    const newer = await save('The port is 8080 now', { namespace: 'from' });
    await app.memories.relations.relate({ sourceId: newer.id, targetId: older.id, type: 'supersedes' });
    await app.memories.moves.move({ ids: [older.id, newer.id], to: 'to' });
    expect((await app.memories.get(older.id)).superseded).toBe(true);
    const found = await app.memories.recall({ query: 'port', namespace: 'to' });
    expect(found.results.map(({ entry }) => entry.id)).toEqual([newer.id]);
  });
});
