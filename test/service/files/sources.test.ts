import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Entry } from '../../../src/memory/entry.ts';
import type { SourceFile, SourcePassage } from '../../../src/memory/operations/source-operations.ts';
import { restrictTo } from '../../../src/service/limits.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';
import { failureOf } from '../../helpers/failure.ts';

let app: TestApp;
let root = '';
let roots = 0;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(() => {
  roots += 1;
  root = `project ${roots}`;
});

const passage = (content: string, line = 1, more: Partial<SourcePassage> = {}): SourcePassage => ({
  content,
  start: line,
  end: line,
  ...more,
});
const file = (path: string, hash: string, contents: readonly (string | SourcePassage)[], from?: string): SourceFile => ({
  path,
  hash,
  ...(from === undefined ? {} : { from }),
  passages: contents.map((content, at) => (typeof content === 'string' ? passage(content, at + 1) : content)),
});
const replace = (...files: SourceFile[]) => app.memories.sources.replace({ kind: 'index', root, files });
const listed = async () =>
  (await app.memories.sources.list({ kind: 'index', root })).sources.map(({ path, hash, entries }) => ({ path, hash, entries }));
/** Every entry of the project, oldest first. */
async function entries(): Promise<Entry[]> {
  const found: Entry[] = [];
  for await (const line of app.memories.export({})) {
    if ('content' in line && JSON.stringify(line).includes(`"root":${JSON.stringify(root)},`)) found.push(await app.memories.get(line.id));
  }
  return found;
}
const texts = async () => (await entries()).map(({ content }) => content).toSorted();
const idOf = async (content: string) => (await entries()).find((entry) => entry.content === content)?.id;

describe('the passages of a file', () => {
  it('become entries with their origin', async () => {
    const more = { heading: 'Guide > Start', tags: ['markdown'], details: { page: 3 }, createdAt: '2024-02-03T04:05:06Z' };
    expect(await replace(file('docs/guide.md', 'h1', [passage('Open `src/app.ts` first', 7, more)]))).toEqual([
      { path: 'docs/guide.md', stored: 1, kept: 0, removed: 0 },
    ]);
    const [entry] = await entries();
    expect(entry).toMatchObject({
      namespace: 'test',
      source: 'index',
      tags: ['markdown'],
      createdAt: Date.parse('2024-02-03T04:05:06Z'),
      sourceRef: { root, file: 'docs/guide.md', hash: 'h1', start: 7, end: 7, heading: 'Guide > Start', page: 3, part: 1, of: 1 },
    });
    expect(entry?.entities).toEqual(['docs/guide.md', 'src/app.ts']);
    expect(await listed()).toEqual([{ path: 'docs/guide.md', hash: 'h1', entries: 1 }]);
  });

  it('are found by recall', async () => {
    await replace(file('a.md', 'h1', ['Walruses steer the trombone orchestra']));
    const { results } = await app.memories.recall({ query: 'trombone orchestra walruses', limit: 1 });
    expect(results[0]?.entry.sourceRef).toMatchObject({ root, file: 'a.md' });
  });

  it('are found by the name of their file, also after a rename', async () => {
    await replace(file('src/xylophone-player.ts', 'h1', ['return the sum of both']));
    const found = async (query: string) =>
      (await app.memories.recall({ query, limit: 1, searchMode: 'keyword' })).results[0]?.entry.sourceRef?.['file'];
    expect(await found('what does xylophone-player.ts do')).toBe('src/xylophone-player.ts');
    await replace(file('src/bassoon.ts', 'h1', ['return the sum of both'], 'src/xylophone-player.ts'));
    expect([await found('xylophone'), await found('bassoon')]).toEqual([undefined, 'src/bassoon.ts']);
  });

  it('are replaced when the file changes; unchanged ones keep their entries', async () => {
    await replace(file('a.ts', 'h1', ['first passage', 'second passage', 'third passage']));
    const id = await idOf('second passage');
    expect(await replace(file('a.ts', 'h2', ['a new beginning', 'first passage', 'second passage']))).toEqual([
      { path: 'a.ts', stored: 1, kept: 2, removed: 1 },
    ]);
    expect(await texts()).toEqual(['a new beginning', 'first passage', 'second passage']);
    expect(await idOf('second passage')).toBe(id);
    expect((await app.memories.get(id!)).sourceRef).toMatchObject({ start: 3, hash: 'h2', part: 3, of: 3 });
    expect(await listed()).toEqual([{ path: 'a.ts', hash: 'h2', entries: 3 }]);
  });

  it('are unchanged if the same content is sent again', async () => {
    const same = file('a.ts', 'h1', ['one', 'two']);
    await replace(same);
    const before = await entries();
    expect(await replace(same)).toEqual([{ path: 'a.ts', stored: 0, kept: 2, removed: 0 }]);
    expect(await entries()).toEqual(before);
  });

  it('are removed if the file has none any more', async () => {
    await replace(file('a.ts', 'h1', ['one', 'two']));
    expect(await replace(file('a.ts', 'h2', []))).toEqual([{ path: 'a.ts', stored: 0, kept: 0, removed: 2 }]);
    expect([await texts(), await listed()]).toEqual([[], []]);
  });

  it('with the same text in two files are two entries, removed with their file', async () => {
    const licence = 'Licensed to nobody in particular';
    await replace(file('a.ts', 'h1', [licence]), file('b.ts', 'h1', [licence]));
    expect(await texts()).toEqual([licence, licence]);
    await app.memories.sources.remove({ kind: 'index', root, paths: ['a.ts'] });
    expect((await entries()).map(({ sourceRef }) => sourceRef?.['file'])).toEqual(['b.ts']);
  });

  it('with the same text within one file are one entry', async () => {
    expect(await replace(file('a.ts', 'h1', ['again', 'again', 'other']))).toEqual([{ path: 'a.ts', stored: 2, kept: 0, removed: 0 }]);
    expect(await listed()).toEqual([{ path: 'a.ts', hash: 'h1', entries: 2 }]);
  });

  it('of an overlong path still have a container', async () => {
    const path = `${'deep/'.repeat(100)}a.ts`;
    await replace(file(path, 'h1', ['far down']), file(`${path}x`, 'h1', ['far down']));
    expect((await listed()).map((each) => each.path)).toEqual(expect.arrayContaining([path, `${path}x`]));
  });

  it('are stored together for many files', async () => {
    const many = Array.from({ length: 300 }, (_, at) => file(`src/${at}.ts`, 'h1', [`alpha ${at}`, `beta ${at}`, `gamma ${at}`]));
    const done = await replace(...many);
    expect(done).toHaveLength(300);
    expect(done.every(({ stored }) => stored === 3)).toBe(true);
    const page = await app.memories.sources.list({ kind: 'index', root, limit: 10, offset: 295 });
    expect([page.total, page.sources.length]).toEqual([300, 5]);
  });
});

describe('a moved file', () => {
  it('keeps its entries with the new path', async () => {
    await replace(file('old/a.ts', 'h1', ['one', 'two']));
    const ids = (await entries()).map(({ id }) => id);
    expect(await replace(file('new/a.ts', 'h1', ['one', 'two'], 'old/a.ts'))).toEqual([
      { path: 'new/a.ts', stored: 0, kept: 2, removed: 0 },
    ]);
    const after = await entries();
    expect(after.map(({ id }) => id)).toEqual(ids);
    expect(after.map(({ sourceRef }) => sourceRef?.['file'])).toEqual(['new/a.ts', 'new/a.ts']);
    expect(after[0]?.entities).toEqual(['new/a.ts']);
    expect(await listed()).toEqual([{ path: 'new/a.ts', hash: 'h1', entries: 2 }]);
  });

  it('may have changed as well', async () => {
    await replace(file('old.ts', 'h1', ['one', 'two']));
    const id = await idOf('one');
    expect(await replace(file('new.ts', 'h2', ['one', 'three'], 'old.ts'))).toEqual([{ path: 'new.ts', stored: 1, kept: 1, removed: 1 }]);
    expect([await idOf('one'), await texts()]).toEqual([id, ['one', 'three']]);
  });

  it('may have swapped places with another', async () => {
    await replace(file('a.ts', 'h1', ['of a']), file('b.ts', 'h2', ['of b']));
    const [a, b] = [await idOf('of a'), await idOf('of b')];
    await replace(file('a.ts', 'h2', ['of b'], 'b.ts'), file('b.ts', 'h1', ['of a'], 'a.ts'));
    expect([await idOf('of a'), await idOf('of b')]).toEqual([a, b]);
    expect((await app.memories.get(a!)).sourceRef).toMatchObject({ file: 'b.ts' });
  });
});

describe('a manual change', () => {
  it('is never touched: an entry with the same text, tags and relations', async () => {
    const { entry } = await app.memories.save({ content: 'the very same text', tags: ['mine'] });
    await replace(file('a.ts', 'h1', [passage('the very same text', 1, { tags: ['typescript'] })]));
    await replace(file('a.ts', 'h2', []));
    expect(await app.memories.get(entry.id)).toEqual(entry);
  });

  it('of a passage stays as a separate entry', async () => {
    await replace(file('a.ts', 'h1', ['as in the file', 'another']));
    const id = (await idOf('as in the file'))!;
    await app.memories.update(id, { content: 'as I want it' });
    await replace(file('a.ts', 'h2', ['as in the file now']));
    expect(await app.memories.get(id)).toMatchObject({ content: 'as I want it', container: 'test' });
    expect(await listed()).toEqual([{ path: 'a.ts', hash: 'h2', entries: 1 }]);
  });

  it('of tags or priority stays on an unchanged passage', async () => {
    await replace(file('a.ts', 'h1', ['kept']));
    const id = (await idOf('kept'))!;
    await app.memories.update(id, { tags: ['mine'], priority: 'high' });
    await replace(file('a.ts', 'h2', ['before', passage('kept', 2, { tags: ['typescript'] })]));
    expect(await app.memories.get(id)).toMatchObject({ tags: ['mine', 'typescript'], priority: 'high' });
  });

  it('marks an incomplete file: its hash is not returned, so it is read again', async () => {
    const same = file('a.ts', 'h1', ['one', 'two']);
    await replace(same);
    await app.memories.forget((await idOf('two'))!);
    expect(await listed()).toEqual([{ path: 'a.ts', hash: undefined, entries: 1 }]);
    await replace(same);
    expect(await listed()).toEqual([{ path: 'a.ts', hash: 'h1', entries: 2 }]);
  });
});

describe('ownership of passages', () => {
  it('depends on root, kind and namespace', async () => {
    const files = [file('a.ts', 'h1', ['shared text'])];
    const places = [
      { kind: 'index', root },
      { kind: 'index', root: `${root} too` },
      { kind: 'ingest', root },
      { kind: 'index', root, namespace: 'elsewhere' },
    ] as const;
    for (const place of places) expect((await app.memories.sources.replace({ ...place, files }))[0]?.stored).toBe(1);
    await app.memories.sources.remove({ ...places[0], paths: ['a.ts'] });
    const left = await Promise.all(places.map(async (place) => (await app.memories.sources.list(place)).total));
    expect(left).toEqual([0, 1, 1, 1]);
  });

  it('is not offered as a container', async () => {
    await replace(file('a.ts', 'h1', ['text']));
    const summary = (await app.memories.namespaces()).find(({ namespace }) => namespace === 'test');
    expect(summary?.containers.some((container) => container.startsWith('index:'))).toBe(false);
  });

  it('excludes them from compaction: the next run would restore them', async () => {
    await using small = await openTestApp({ 'compaction.maxEntries': 1 });
    await small.memories.save({ content: 'mine' });
    await small.memories.sources.replace({ kind: 'index', root, files: [file('a.ts', 'h1', ['one', 'two', 'three'])] });
    expect(await small.memories.lifecycle.compact({})).toMatchObject({ looked: 1, archived: 0 });
  });

  it('is enforced for keys', async () => {
    const reader = restrictTo(app.memories, { name: 'reader', access: 'read' }).sources;
    const bound = restrictTo(app.memories, { name: 'bound', access: 'full', namespace: 'mine' }).sources;
    const files = [file('a.ts', 'h1', ['bound text'])];
    expect(await failureOf(reader.replace({ kind: 'index', root, files }))).toMatchObject({ code: 'forbidden' });
    expect(await failureOf(reader.remove({ kind: 'index', root, paths: ['a.ts'] }))).toMatchObject({ code: 'forbidden' });
    expect(await failureOf(bound.replace({ kind: 'index', root, namespace: 'test', files }))).toMatchObject({ code: 'forbidden' });
    await bound.replace({ kind: 'index', root, files });
    expect((await bound.list({ root })).total).toBe(1);
    expect((await reader.list({ root })).total).toBe(0);
    expect((await app.memories.sources.list({ root, namespace: 'mine' })).total).toBe(1);
  });
});

describe('secrets in files', () => {
  const key = ['AKIA', 'Z7QX3MNB5VCW2LKJ'].join('');

  it('are reported, and stored if redaction is off', async () => {
    await using open = await openTestApp({ 'memory.redactSecrets': 'never' });
    const files = [file('a.ts', 'h1', [`const id = '${key}';`])];
    const [done] = await open.memories.sources.replace({ kind: 'index', root, files });
    expect(done?.secrets?.length).toBeGreaterThan(0);
    expect((await open.memories.list({})).entries[0]?.content).toContain(key);
  });

  it('are redacted and reported', async () => {
    const files = [file('a.ts', 'h1', [passage(`const id = '${key}';`, 1, { heading: key })])];
    const [done] = await app.memories.sources.replace({ kind: 'index', root, files });
    expect(done?.secrets?.length).toBeGreaterThan(0);
    expect(JSON.stringify(await app.memories.list({}))).not.toContain(key);
    expect(await app.memories.sources.replace({ kind: 'index', root, files })).toMatchObject([{ stored: 0, kept: 1 }]);
  });

  it('are redacted if a private key spans two passages', async () => {
    const lines = Array.from({ length: 30 }, (_, nth) => `${'k7Qx9'.repeat(12)}${nth}zzz`.slice(0, 64));
    const parts = [
      ['# Key', '-----BEGIN RSA PRIVATE KEY-----', ...lines.slice(0, 10)],
      lines.slice(10, 20),
      [...lines.slice(20), '-----END RSA PRIVATE KEY-----', 'It opens the gateway.'],
      ['Nothing here.'],
    ];
    await replace(
      file(
        'a.md',
        'h1',
        parts.map((part) => part.join('\n')),
      ),
    );
    expect((await texts()).toSorted()).toEqual([
      '# Key\n[redacted: private-key]',
      'Nothing here.',
      '[redacted: private-key]',
      '[redacted: private-key]\nIt opens the gateway.',
    ]);
  });
});

it('of two concurrent changes of one file, the later one is complete', async () => {
  await replace(file('a.ts', 'h0', ['zero']));
  const versions = Array.from({ length: 8 }, (_, at) => file('a.ts', `h${at + 1}`, [`version ${at + 1}`, `shared`]));
  await Promise.all(versions.map((version) => replace(version)));
  expect(await listed()).toEqual([{ path: 'a.ts', hash: 'h8', entries: 2 }]);
  expect(await texts()).toEqual(['shared', 'version 8']);
});

it('a cancelled request changes nothing', async () => {
  const given = app.memories.sources.replace(
    { kind: 'index', root, files: [file('a.ts', 'h1', ['text'])] },
    { signal: AbortSignal.abort() },
  );
  await expect(given).rejects.toThrow(/abort/i);
  expect(await listed()).toEqual([]);
});
