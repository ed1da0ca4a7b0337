import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { embedText } from '../../src/embeddings/builtin.ts';
import type { Relation, RelationType } from '../../src/memory/relation.ts';
import { relationKey } from '../../src/memory/relation.ts';
import type { EntryChange } from '../../src/store/write/entry-changes.ts';
import type { Store } from '../../src/store/store.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { openTestStore, row, SPACE } from '../helpers/store.ts';

const relation = (sourceId: string, type: RelationType, targetId: string): Relation => {
  return { sourceId, type, targetId, strength: 0.5, createdAt: 1_700_000_000_000, origin: 'manual' };
};

async function save(store: Store, content: string): Promise<string> {
  return (await store.entries.insert(row(content))).entry.id;
}

/** The newest file of the journal. */
function journalOf(storePath: string): { file: string; bytes: Buffer } {
  const folder = path.join(storePath, 'journal');
  const file = path.join(folder, readdirSync(folder).toSorted().at(-1)!);
  return { file, bytes: readFileSync(file) };
}

/** What a search for current entries finds, by words and by vector. */
async function found(store: Store, word: string): Promise<string[]> {
  const filter = { current: true } as const;
  const byWord = await store.searchKeywords({ tokens: [word], filter, limit: 10 });
  const byVector = await store.searchVectors({ vector: embedText(word), fingerprint: SPACE.fingerprint, filter, limit: 10 });
  expect(new Set(byVector.map(({ id }) => id))).toEqual(new Set(byWord.map(({ id }) => id)));
  return byWord.map(({ id }) => id).toSorted();
}

/** Runs the same checks on what is in the journal, on what is in the tables, and after each has been read again. */
async function inEveryState(path: string, first: Store, check: (store: Store) => Promise<void>): Promise<void> {
  await check(first);
  await first.close();
  let store = await openTestStore(path);
  await check(store);
  await store.optimize();
  await check(store);
  await store.close();
  store = await openTestStore(path);
  await check(store);
  await store.close();
}

describe('a relation', () => {
  it('is found from both ends, in memory and table, and removed with either entry', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    const [a, b, c] = [await save(store, 'crane one'), await save(store, 'crane two'), await save(store, 'crane three')];
    for (const one of [relation(a, 'similar', b), relation(b, 'references', c), relation(c, 'elaborates', a)])
      await store.entries.changes.relate(one);
    await store.entries.remove(b);
    await inEveryState(folder.path, store, async ({ auxiliary }) => {
      expect([...auxiliary.graph.all()]).toEqual([relation(c, 'elaborates', a)]);
      expect([auxiliary.graph.from(c).length, auxiliary.graph.to(a).length, auxiliary.graph.from(b).length]).toEqual([1, 1, 0]);
      expect(await auxiliary.relations.find('source_id', c)).toEqual([relation(c, 'elaborates', a)]);
    });
  });

  it('and history of an entry do not pass to another entry with its id', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    const [a, b] = [await save(store, 'heron'), await save(store, 'crane')];
    await store.entries.changes.relate(relation(a, 'supersedes', b));
    await store.entries.update(a, (now) => ({ ...now, entry: { ...now.entry, tags: ['x'], updatedAt: now.entry.updatedAt + 1 } }));
    expect(await store.auxiliary.history.find('entry_id', a)).toHaveLength(1);
    const told: EntryChange[] = [];
    store.tell((changes) => told.push(...changes));
    await Promise.all([store.entries.remove(a), store.entries.insert(row('egret', { id: a }))]);
    expect(told.filter(({ id }) => id === a)).toEqual([
      { id: a, before: 'ns', after: undefined },
      { id: a, before: undefined, after: 'ns' },
    ]);
    await inEveryState(folder.path, store, async (now) => {
      expect((await now.entries.getMany([a, b])).map(({ content, superseded }) => [content, superseded])).toEqual([
        ['egret', undefined],
        ['crane', undefined],
      ]);
      expect([[...now.auxiliary.graph.all()], await now.auxiliary.history.find('entry_id', a)]).toEqual([[], []]);
      const hits = await now.searchKeywords({ tokens: ['heron', 'egret'], filter: {}, limit: 10 });
      expect(hits.map(({ id }) => id)).toEqual([a]);
    });
  });

  it('needs both entries, cannot be to itself, and supersedes without cycles', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    const [a, b, c] = [await save(store, 'crane one'), await save(store, 'crane two'), await save(store, 'crane three')];
    const { changes } = store.entries;
    await expect(changes.relate(relation(a, 'similar', SPACE.fingerprint))).rejects.toMatchObject({ code: 'not_found' });
    await expect(changes.relate(relation(a, 'similar', a))).rejects.toMatchObject({ code: 'invalid_input' });
    await Promise.all([changes.relate(relation(a, 'supersedes', b)), changes.relate(relation(b, 'supersedes', c))]);
    await expect(changes.relate(relation(c, 'supersedes', a))).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(changes.unrelate(relationKey(relation(c, 'supersedes', a)))).rejects.toMatchObject({ code: 'not_found' });
    await store.close();
  });

  it('hides a superseded entry from searches, until the relation or the newer entry is removed', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    const [older, newer, newest] = [await save(store, 'crane one'), await save(store, 'crane two'), await save(store, 'crane three')];
    const { changes } = store.entries;
    await changes.relate(relation(newer, 'supersedes', older));
    await changes.relate(relation(newest, 'supersedes', older));
    await changes.relate(relation(newest, 'supersedes', newer));
    expect(await found(store, 'crane')).toEqual([newest]);
    await store.optimize();
    expect(await found(store, 'crane')).toEqual([newest]);
    await changes.unrelate(relationKey(relation(newest, 'supersedes', newer)));
    expect(await found(store, 'crane')).toEqual([newer, newest].toSorted());
    await changes.remove(newest);
    expect(await found(store, 'crane')).toEqual([newer]);
    await Promise.all([changes.remove(newer), changes.update(older, (now) => ({ ...now, entry: { ...now.entry, priority: 'high' } }))]);
    await inEveryState(folder.path, store, async (now) => {
      expect(await found(now, 'crane')).toEqual([older]);
      expect(await now.entries.get(older)).not.toHaveProperty('superseded');
      expect(await now.entries.get(older)).toMatchObject({ priority: 'high' });
    });
  });
});

describe('the archive', () => {
  const note = { at: 5, reason: 'expired', run: 'r1' } as const;

  it('keeps a whole entry with relations, hidden from every read, until it is restored', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    const [a, b] = [await save(store, 'crane one'), await save(store, 'crane two')];
    await store.entries.changes.relate(relation(a, 'supersedes', b));
    const before = await store.entries.get(a);
    await store.entries.changes.archive(a, note);
    await inEveryState(folder.path, store, async (now) => {
      expect(await found(now, 'crane')).toEqual([b]);
      expect(now.catalog.size).toBe(1);
      expect(await now.auxiliary.archive.find('run', 'r1')).toEqual([
        { ...note, entry: before, relations: [relation(a, 'supersedes', b)] },
      ]);
    });
    const again = await openTestStore(folder.path);
    const archived = (await again.auxiliary.archive.get(a))!;
    await again.entries.changes.restore(archived, row('', { ...archived.entry }));
    await inEveryState(folder.path, again, async (now) => {
      expect(await now.entries.get(a)).toEqual(before);
      expect([...now.auxiliary.graph.all()]).toEqual([relation(a, 'supersedes', b)]);
      expect(await now.entries.get(b)).toMatchObject({ superseded: true });
      expect(await now.auxiliary.archive.all()).toEqual([]);
    });
  });

  it('and entries lose nothing between them if power fails at any byte of the log', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    const [a, b] = [await save(store, 'crane one'), await save(store, 'crane two')];
    await store.entries.changes.archive(a, note);
    const archived = (await store.auxiliary.archive.get(a))!;
    const start = journalOf(folder.path).bytes.length;
    await Promise.all([store.entries.changes.restore(archived, row('', archived.entry)), store.entries.changes.archive(b, note)]);
    await store.close();
    const { file, bytes } = journalOf(folder.path);
    for (let end = start; end <= bytes.length; end += 97) {
      writeFileSync(file, bytes.subarray(0, end));
      const again = await openTestStore(folder.path);
      for (const id of [a, b]) {
        const places = [again.catalog.get(id) !== undefined, (await again.auxiliary.archive.get(id)) !== undefined];
        expect(places.filter(Boolean)).toHaveLength(1);
      }
      await again.close();
      for (const other of readdirSync(path.dirname(file)))
        if (path.join(path.dirname(file), other) !== file) rmSync(path.join(path.dirname(file), other));
    }
  });

  it('restores nothing if its id or content exists', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    const a = await save(store, 'crane one');
    await store.entries.changes.archive(a, note);
    const archived = (await store.auxiliary.archive.get(a))!;
    await save(store, 'crane one');
    await expect(store.entries.changes.restore(archived, row('', archived.entry))).rejects.toMatchObject({ code: 'invalid_input' });
    await store.entries.changes.purge(a);
    expect(await store.auxiliary.archive.get(a)).toBeUndefined();
    await store.close();
  });
});

describe('the history of an entry', () => {
  it('keeps each earlier version and its author, and is removed with the entry', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    const [a, b] = [await save(store, 'crane one'), await save(store, 'crane two')];
    const tagged = (id: string, tag: string, updatedAt: number): Promise<unknown> =>
      store.entries.update(id, (now) => ({ ...now, entry: { ...now.entry, tags: [tag], updatedAt } }), 'cli');
    await Promise.all([tagged(a, 'x', 1_800_000_000_000), tagged(a, 'y', 1_800_000_000_001), tagged(b, 'z', 1_800_000_000_002)]);
    await store.entries.update(a, (now) => ({ ...now, entry: { ...now.entry, updatedAt: 1_800_000_000_003 } }));
    await store.optimize();
    await store.entries.remove(b);
    await inEveryState(folder.path, store, async ({ auxiliary }) => {
      expect(await auxiliary.history.find('entry_id', b)).toEqual([]);
      const versions = (await auxiliary.history.find('entry_id', a)).toSorted((one, other) => one.writtenAt - other.writtenAt);
      expect(versions.map(({ state, replacedBy, replacedAt }) => [state.tags, replacedBy, replacedAt])).toEqual([
        [[], 'cli', 1_800_000_000_000],
        [['x'], 'cli', 1_800_000_000_001],
      ]);
    });
  });
});
