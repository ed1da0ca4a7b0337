import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { queryTokens } from '../../src/memory/words/tokens.ts';
import { embedText } from '../../src/embeddings/builtin.ts';
import type { Entry } from '../../src/memory/entry.ts';
import { random } from '../bench/corpus.mjs';
import { temporaryFolder } from '../helpers/folder.ts';
import { allEntries, openTestStore, row, SPACE } from '../helpers/store.ts';

const HOSTILE = [
  'O\'Brien\'s "quoted" \\ backslash',
  "x' OR '1'='1",
  "'; DROP TABLE entries; --",
  'zero \u0000 byte, tab \t, newline \n, return \r\n',
  '世界 мир 🚀 e\u0301 é',
  '%_`[]{}',
  ' leading and trailing ',
];

describe('stored content', () => {
  it.each(HOSTILE)('is unchanged after closing and opening: %j', async (text) => {
    await using folder = await temporaryFolder();
    const first = await openTestStore(folder.path);
    // Names are kept in NFC, texts as they are.
    const name = text.normalize('NFC').replaceAll(/\p{Cc}/gu, '') || 'n';
    const stored = row(text, { namespace: name, container: name, tags: [name, `${name}!`] });
    await first.entries.insert(stored);
    await first.close();
    const second = await openTestStore(folder.path);
    expect(await second.entries.get(stored.entry.id)).toEqual(stored.entry);
    const page = await second.entries.list(
      { namespaces: [name], container: name, tags: [name] },
      { limit: 10, offset: 0, sort: 'createdAt' },
    );
    expect(page).toEqual({ entries: [stored.entry], total: 1 });
    expect(second.entries.count({ namespaces: [`${name}'`] })).toBe(0);
    await second.entries.remove(stored.entry.id);
    expect(await allEntries(second)).toEqual([]);
    await second.close();
  });

  it('may be megabytes long and carry 64 tags', async () => {
    await using folder = await temporaryFolder();
    const content = 'ä long text, 世界 '.repeat(600_000).slice(0, 5_000_000);
    expect(Buffer.byteLength(content)).toBeGreaterThan(6_000_000);
    const tags = Array.from({ length: 64 }, (_, nth) => `tag ${nth} ${'x'.repeat(110)}`);
    const stored = { ...row('short'), searchText: 'long' };
    const long = { ...stored, entry: { ...stored.entry, content, tags } };
    const first = await openTestStore(folder.path);
    await first.entries.insert(long);
    await first.close();
    const second = await openTestStore(folder.path);
    expect(await second.entries.get(long.entry.id)).toEqual(long.entry);
    await second.close();
  });

  it('keeps times below a millisecond, so that the newest entry is unique', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    const rows = Array.from({ length: 20 }, (_, nth) => row(`entry ${nth}`, { createdAt: 1_700_000_000_000 + nth / 1024 }));
    await Promise.all(rows.toReversed().map((each) => store.entries.insert(each)));
    const page = await store.entries.list({}, { limit: 5, offset: 3, sort: '-createdAt' });
    expect(page.entries.map(({ content }) => content)).toEqual(['entry 16', 'entry 15', 'entry 14', 'entry 13', 'entry 12']);
    expect(page.total).toBe(20);
    await store.close();
  });
});

describe('exact duplicates', () => {
  it('become one row, also fifty at once, with all tags', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, nth) => store.entries.insert(row('the same', { tags: [`t${nth % 5}`] }))),
    );
    expect(results.filter(({ status }) => status === 'stored')).toHaveLength(1);
    expect(new Set(results.map(({ entry }) => entry.id)).size).toBe(1);
    const [entry, ...others] = await allEntries(store);
    expect(others).toEqual([]);
    expect(entry?.tags.toSorted()).toEqual(['t0', 't1', 't2', 't3', 't4']);
    await store.close();
  });

  it('merge a new tag into the existing row, which is found by that tag', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    const first = await store.entries.insert(row('the same', { tags: ['old'] }));
    const again = await store.entries.insert(row('the same', { tags: ['old', 'zanzibar'] }));
    expect(again).toMatchObject({ status: 'duplicate', entry: { id: first.entry.id, tags: ['old', 'zanzibar'] } });
    const hits = await store.searchKeywords({ tokens: queryTokens('zanzibar'), filter: { tags: ['zanzibar'] }, limit: 5 });
    expect(hits.map(({ id }) => id)).toEqual([first.entry.id]);
    await store.close();
  });

  it('need the same namespace and container', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    await store.entries.insert(row('the same'));
    expect((await store.entries.insert(row('the same', { namespace: 'other' }))).status).toBe('stored');
    expect((await store.entries.insert(row('the same', { container: 'other' }))).status).toBe('stored');
    expect(store.catalog.size).toBe(3);
    await store.close();
  });

  it('are recognised after reopening', async () => {
    await using folder = await temporaryFolder();
    const first = await openTestStore(folder.path);
    const { entry } = await first.entries.insert(row('the same'));
    await first.close();
    const second = await openTestStore(folder.path);
    expect(await second.entries.insert(row('the same'))).toMatchObject({ status: 'duplicate', entry: { id: entry.id } });
    await second.close();
  });
});

describe('changes', () => {
  it('keep other fields, and are found by the new words only', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    const { entry } = await store.entries.insert(row('the walrus sleeps', { tags: ['animal'] }));
    const revised = row('the heron flies');
    await store.entries.update(entry.id, (now) => ({
      ...revised,
      entry: { ...now.entry, content: revised.entry.content, contentHash: revised.entry.contentHash },
    }));
    expect(await store.entries.get(entry.id)).toMatchObject({ content: 'the heron flies', tags: ['animal'], createdAt: entry.createdAt });
    expect(await store.searchKeywords({ tokens: queryTokens('walrus'), filter: {}, limit: 5 })).toEqual([]);
    expect(await store.searchKeywords({ tokens: queryTokens('heron'), filter: {}, limit: 5 })).toHaveLength(1);
    await store.close();
  });

  it('of one entry by many writers are all kept', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    const { entry } = await store.entries.insert(row('counted'));
    await Promise.all(
      Array.from({ length: 20 }, (_, nth) =>
        store.entries.update(entry.id, (now) => ({ ...now, entry: { ...now.entry, tags: [...now.entry.tags, `t${nth}`] } })),
      ),
    );
    expect((await store.entries.get(entry.id)).tags).toHaveLength(20);
    await store.close();
  });

  it('that would duplicate an entry are refused, without the others of their commit', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    const one = await store.entries.insert(row('one'));
    const two = await store.entries.insert(row('two'));
    const three = await store.entries.insert(row('three'));
    const results = await Promise.allSettled([
      store.entries.update(two.entry.id, (now) => ({
        ...now,
        entry: { ...now.entry, content: 'one', contentHash: one.entry.contentHash },
      })),
      store.entries.update(three.entry.id, (now) => ({ ...now, entry: { ...now.entry, priority: 'high' } })),
      store.entries.update('00000000-0000-0000-0000-000000000000', (now) => now),
    ]);
    expect(results).toMatchObject([
      { status: 'rejected', reason: { code: 'invalid_input' } },
      { status: 'fulfilled', value: { priority: 'high' } },
      { status: 'rejected', reason: { code: 'not_found' } },
    ]);
    await store.close();
  });

  it('are applied in the order of the calls', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    const draft = row('fleeting');
    const [, , removed, again] = await Promise.allSettled([
      store.entries.insert(draft),
      store.entries.remove(draft.entry.id),
      store.entries.remove(draft.entry.id),
      store.entries.insert(row('fleeting')),
    ]);
    expect(removed).toMatchObject({ status: 'rejected', reason: { code: 'not_found' } });
    expect(again).toMatchObject({ status: 'fulfilled', value: { status: 'stored' } });
    expect(await allEntries(store)).toHaveLength(1);
    await store.close();
  });
});

describe('searching', () => {
  it('finds new rows at once, by vector and by words, within the filter', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    await store.entries.insert(row('the harbour crane is painted yellow', { namespace: 'a', tags: ['crane'] }));
    await store.entries.insert(row('the harbour crane is painted yellow', { namespace: 'b' }));
    await store.entries.insert(row('lunch is at noon', { namespace: 'a' }));
    const vector = embedText('yellow harbour crane');
    const near = await store.searchVectors({ vector, fingerprint: SPACE.fingerprint, filter: { namespaces: ['a'] }, limit: 5 });
    const [best] = await store.entries.getMany(near.map(({ id }) => id));
    expect(best).toMatchObject({ namespace: 'a', content: 'the harbour crane is painted yellow' });
    expect(near[0]!.score).toBeGreaterThan(near[1]!.score);
    const words = await store.searchKeywords({ tokens: queryTokens('crane'), filter: { namespaces: ['a', 'b'] }, limit: 5 });
    expect(words).toHaveLength(2);
    const tagged = await store.searchKeywords({ tokens: queryTokens('crane'), filter: { tags: ['crane'] }, limit: 5 });
    expect(tagged).toHaveLength(1);
    await store.close();
  });

  it('finds by words and tags together before and after the rows are indexed', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    for (const tags of [['red'], ['red', 'blue'], ['redder'], []]) await store.entries.insert(row(`walrus ${tags.join()}`, { tags }));
    const found = async (tags: string[]): Promise<number> =>
      (await store.searchKeywords({ tokens: ['walru'], filter: { tags }, limit: 9 })).length;
    const counts = async (): Promise<number[]> => [
      await found(['red']),
      await found(['red', 'blue']),
      await found(['re']),
      await found([]),
    ];
    expect(await counts()).toEqual([2, 1, 0, 4]);
    await store.optimize();
    expect(await counts()).toEqual([2, 1, 0, 4]);
    await store.entries.insert(row('walrus again', { tags: ['blue', 'red'] }));
    expect(await counts()).toEqual([3, 2, 0, 5]);
    await store.close();
  });

  it('finds by words and any filters what a full scan finds, indexed or not', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    const next = random(11);
    const some = <T>(list: readonly T[]): T[] => list.filter(() => next() < 0.4);
    const entries: Entry[] = [];
    for (const part of ['indexed', 'fresh']) {
      for (let nth = 0; nth < 40; nth += 1) {
        const draft = row(`${some(['walrus', 'heron', 'crane']).join(' ')} ${part} ${nth}`, {
          tags: some(['a', 'b', "c'd", 'e,f']),
          namespace: some(['x'])[0] ?? 'y',
        });
        entries.push((await store.entries.insert(draft)).entry);
      }
      if (part === 'indexed') await store.optimize();
    }
    for (const tags of [[], ['a'], ['a', 'b'], ["c'd", 'e,f'], ['absent']]) {
      for (const namespaces of [['x'], ['y'], ['x', 'y']]) {
        const hits = await store.searchKeywords({ tokens: queryTokens('walrus'), filter: { tags, namespaces }, limit: 100 });
        const expected = entries.filter(
          (entry) =>
            entry.content.includes('walrus') && namespaces.includes(entry.namespace) && tags.every((tag) => entry.tags.includes(tag)),
        );
        expect(new Set(hits.map(({ id }) => id))).toEqual(new Set(expected.map(({ id }) => id)));
      }
    }
    await store.close();
  });

  it('finds a long text by its best passage', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    const vectors = {
      embedder: SPACE.fingerprint,
      first: embedText('an introduction that says nothing'),
      further: [embedText('more of the same'), embedText('the reactor needs cold water')],
    };
    const long = await store.entries.insert(row('long', {}, vectors));
    await store.entries.insert(row('the weather is fine'));
    const hits = await store.searchVectors({
      vector: embedText('reactor cold water'),
      fingerprint: SPACE.fingerprint,
      filter: {},
      limit: 2,
    });
    expect(hits[0]?.id).toBe(long.entry.id);
    expect(hits[0]?.score).toBeGreaterThan(0.8);
    await store.close();
  });

  it('never compares a query with vectors of another model, of the same width or another', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    const same = embedText('the walrus sleeps');
    await store.entries.insert(row('stamped by another model', {}, { embedder: 'other/model/384/1', first: same, further: [] }));
    const mine = await store.entries.insert(row('something else'));
    const hits = await store.searchVectors({ vector: same, fingerprint: SPACE.fingerprint, filter: {}, limit: 5 });
    expect(hits.map(({ id }) => id)).toEqual([mine.entry.id]);

    const wide = { fingerprint: 'wide/model/3/1', width: 3, kind: 'semantic' } as const;
    await store.spaces.serve(wide);
    const three = await store.entries.insert(
      row('three wide', {}, { embedder: wide.fingerprint, first: Float32Array.of(1, 0, 0), further: [] }),
    );
    const wideHits = await store.searchVectors({ vector: Float32Array.of(1, 0, 0), fingerprint: wide.fingerprint, filter: {}, limit: 5 });
    expect(wideHits.map(({ id }) => id)).toEqual([three.entry.id]);
    expect((await store.searchVectors({ vector: same, fingerprint: SPACE.fingerprint, filter: {}, limit: 5 })).map(({ id }) => id)).toEqual(
      [mine.entry.id],
    );
    await store.close();
    const again = await openTestStore(folder.path);
    expect(await allEntries(again)).toHaveLength(3);
    await again.close();
  });

  it('finds entries without vectors by words', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    const { entry } = await store.entries.insert(row('a pending walrus', {}, 'pending'));
    await store.entries.insert(row('another one'));
    expect((await store.searchKeywords({ tokens: queryTokens('walrus'), filter: {}, limit: 5 })).map(({ id }) => id)).toEqual([entry.id]);
    const near = await store.searchVectors({ vector: embedText('walrus'), fingerprint: SPACE.fingerprint, filter: {}, limit: 5 });
    expect(near.map(({ id }) => id)).not.toContain(entry.id);
    await store.close();
  });

  it('counts words only of existing rows', async () => {
    await using folder = await temporaryFolder();
    const first = await openTestStore(folder.path);
    await first.entries.insert(row('walrus one'));
    const { entry } = await first.entries.insert(row('walrus two'));
    const [token] = queryTokens('walrus') as [string];
    expect(first.words.documentFrequency(token)).toBe(2);
    await first.entries.remove(entry.id);
    expect(first.words).toMatchObject({ rows: 1 });
    expect(first.words.documentFrequency(token)).toBe(1);
    await first.close();
    const second = await openTestStore(folder.path);
    await second.whenCounted();
    expect(second.words.documentFrequency(token)).toBe(1);
    await second.close();
  });
});

describe('opening', () => {
  it('refuses a store that another process has open, and opens it afterwards', async () => {
    await using folder = await temporaryFolder();
    const first = await openTestStore(folder.path);
    await expect(openTestStore(folder.path)).rejects.toMatchObject({
      code: 'filesystem',
      message: expect.stringContaining(String(process.pid)),
    });
    await first.close();
    await (await openTestStore(folder.path)).close();
  });

  it('never creates an empty store over an unreadable one', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    await store.entries.insert(row('precious'));
    await store.close();
    rmSync(path.join(folder.path, 'entries.lance', '_versions'), { recursive: true });
    const before = readdirSync(folder.path, { recursive: true }).length;
    await expect(openTestStore(folder.path)).rejects.toMatchObject({ code: 'filesystem' });
    expect(readdirSync(folder.path, { recursive: true })).toHaveLength(before);
  });

  it('never creates an empty store if the entries are gone', async () => {
    await using folder = await temporaryFolder();
    await (await openTestStore(folder.path)).close();
    rmSync(path.join(folder.path, 'entries.lance'), { recursive: true });
    await expect(openTestStore(folder.path)).rejects.toMatchObject({ code: 'filesystem' });
    expect(existsSync(path.join(folder.path, 'entries.lance'))).toBe(false);
  });

  it('reports a path that is a file', async () => {
    await using folder = await temporaryFolder();
    const file = path.join(folder.path, 'file');
    writeFileSync(file, '');
    await expect(openTestStore(file)).rejects.toMatchObject({ code: 'filesystem', message: expect.stringContaining(file) });
  });

  it.each(['with blank', 'ünïcode', 'a#b', 'a%20b', "quote'd", 'a?b'])('accepts a folder of any name: %s', async (name) => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(path.join(folder.path, name));
    await store.entries.insert(row('kept'));
    await store.close();
    const again = await openTestStore(path.join(folder.path, name));
    expect(again.catalog.size).toBe(1);
    await again.close();
    expect(readdirSync(folder.path)).toEqual([name]);
  });

  it('makes the folder private', async () => {
    await using folder = await temporaryFolder();
    const place = path.join(folder.path, 'store');
    mkdirSync(place, { mode: 0o755 });
    await (await openTestStore(place)).close();
    expect(statSync(place).mode & 0o777).toBe(0o700);
  });

  it('refuses work after closing, and can be closed twice', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    const saving = store.entries.insert(row('accepted before the end'));
    await Promise.all([store.close(), store.close()]);
    expect((await saving).status).toBe('stored');
    await expect(store.entries.insert(row('too late'))).rejects.toMatchObject({ code: 'unavailable' });
  });
});
