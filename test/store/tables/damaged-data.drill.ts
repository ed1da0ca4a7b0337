import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as lancedb from '@lancedb/lancedb';
import { describe, expect, it } from 'vitest';
import { queryTokens } from '../../../src/memory/words/tokens.ts';
import { readFormat } from '../../../src/store/backends/folder/creation.ts';
import { CHECKPOINT_FILE } from '../../../src/store/format/checkpoint.ts';
import { manifestsOf, VERSIONS } from '../../../src/store/format/manifests.ts';
import { salvageStore, type StoreDamage } from '../../../src/store/recovery/repair.ts';
import { temporaryFolder } from '../../helpers/folder.ts';
import { allEntries, openTestStore, row } from '../../helpers/store.ts';

type Harm = (file: string) => Promise<void>;

const HARMS: readonly (readonly [string, Harm])[] = [
  ['is empty', (file) => truncate(file, 0)],
  ['is cut', async (file) => truncate(file, Math.floor((await readFile(file)).length / 2))],
  ['is gone', (file) => rm(file)],
];

/** Two fragments of 40 and 20 entries, two of the first removed; a relation, an archived entry, and an entry in the journal alone. */
async function makeStore(folder: string): Promise<void> {
  const store = await openTestStore(folder);
  const first = Array.from({ length: 40 }, (_, nth) => row(`heron ${nth}`));
  await Promise.all(first.map((fresh) => store.entries.insert(fresh)));
  await store.optimize();
  const facts = { type: 'references', strength: 1, createdAt: 1, origin: 'manual' } as const;
  await store.entries.changes.relate({ ...facts, sourceId: first[2]!.entry.id, targetId: first[3]!.entry.id });
  await store.entries.remove(first[0]!.entry.id);
  await store.entries.changes.archive(first[1]!.entry.id, { at: Date.now(), reason: 'forgotten', run: 'r' });
  await Promise.all(Array.from({ length: 20 }, (_, nth) => store.entries.insert(row(`crane ${nth}`))));
  await store.optimize();
  await store.entries.insert(row('late walrus'));
  await store.close();
}

/** The files of a kind, the largest first. */
/** As it is written. */
async function headFile(store: string): Promise<{ version: number; rows: number; format: number }> {
  return JSON.parse(await readFile(path.join(store, CHECKPOINT_FILE), 'utf8')) as Awaited<ReturnType<typeof headFile>>;
}

async function filesOf(folder: string, kind: string, table = 'entries'): Promise<string[]> {
  const root = path.join(folder, `${table}.lance`, kind);
  const files = await Promise.all(
    (await readdir(root)).map(async (name) => ({ name, bytes: (await readFile(path.join(root, name))).length })),
  );
  return files.toSorted((a, b) => b.bytes - a.bytes).map(({ name }) => path.join(root, name));
}

/** Makes a store of what can be read, and says what it holds. */
async function salvage(
  folder: string,
): Promise<StoreDamage & { readonly contents: string[]; readonly found: number; readonly relations: number }> {
  const [work, target] = [`${folder}-work`, `${folder}-target`];
  const before = await treeOf(folder);
  const damage = await salvageStore({ storePath: folder, work, target });
  expect(await treeOf(folder)).toEqual(before);
  expect(existsSync(work)).toBe(false);
  const store = await openTestStore(target);
  await store.optimize();
  const contents = (await allEntries(store)).map(({ content }) => content);
  const found = await store.searchKeywords({ tokens: queryTokens('heron crane walrus'), filter: {}, limit: 100 });
  const relations = [...store.auxiliary.graph.all()].length;
  expect(store.damages).toEqual([]);
  await store.close();
  return { ...damage, contents, found: found.length, relations };
}

async function withConnection<T>(folder: string, use: (connection: lancedb.Connection) => Promise<T>): Promise<T> {
  const connection = await lancedb.connect(folder);
  return await use(connection).finally(() => connection.close());
}

const formatOf = (folder: string): Promise<number | undefined> => withConnection(folder, (connection) => readFormat(connection, folder));
const setFormat = (folder: string, format: number): Promise<void> =>
  withConnection(folder, async (connection) => {
    await (await connection.openTable('meta')).update({ where: "key = 'format'", values: { value: String(format) } });
  });

async function treeOf(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = found.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  return await Promise.all(files.toSorted().map(async (file) => `${file} ${(await readFile(file)).toString('base64')}`));
}

describe('a store with a data file that', () => {
  it.each(HARMS)('%s is refused with a remedy, and left alone', async (_, harm) => {
    await using folder = await temporaryFolder();
    const store = path.join(folder.path, 'store');
    await makeStore(store);
    const [file] = await filesOf(store, 'data');
    await harm(file!);
    const before = await treeOf(store);
    await expect(openTestStore(store)).rejects.toMatchObject({
      code: 'filesystem',
      message: expect.stringContaining(path.basename(file!)) as string,
      hint: expect.stringContaining('lore doctor --repair') as string,
    });
    expect(await treeOf(store)).toEqual(before);
  });

  it.each(HARMS)('%s yields the contents of the others', async (_, harm) => {
    await using folder = await temporaryFolder();
    const store = path.join(folder.path, 'store');
    await makeStore(store);
    const files = await filesOf(store, 'data');
    const whole = await salvage(await copied(store, 'whole'));
    expect(whole).toMatchObject({ tables: [], altered: [], relations: 1, found: 59 });
    expect(whole.contents).toHaveLength(59);
    await harm(files[0]!);
    const { tables, contents, found } = await salvage(store);
    expect(tables).toMatchObject([{ table: 'entries', rows: 58, deletedAmong: 0, versions: 0 }]);
    expect(contents).toHaveLength(59 - tables[0]!.unreadableRows);
    expect(found).toBe(contents.length);
    expect(contents).toContain('late walrus');
    expect(whole.contents).toEqual(expect.arrayContaining(contents));
  });
});

describe('an unreadable row', () => {
  it('fails the change that needs it, and no concurrent one', async () => {
    await using folder = await temporaryFolder();
    await makeStore(folder.path);
    const store = await openTestStore(folder.path);
    const known = await allEntries(store);
    const [first, second] = [known[0]!, known[1]!];
    await store.entries.insert(row('egret'));
    for (const file of await filesOf(folder.path, 'data')) await truncate(file, 100);
    const tagged = (id: string) => store.entries.update(id, (now) => ({ ...now, entry: { ...now.entry, tags: ['x'] } }));
    const went = await Promise.allSettled([
      store.entries.insert(row('stork')),
      tagged(first.id),
      store.entries.remove(second.id),
      store.entries.insert(row('ibis')),
      tagged(known.at(-1)!.id),
    ]);
    expect(went.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled']);
    expect(went[1]).toMatchObject({ reason: { code: 'internal', message: 'Could not read entries.' } });
    const there = new Set(store.catalog.ids());
    expect([there.size, there.has(first.id), there.has(second.id)]).toEqual([known.length + 2, true, false]);
    await store.close();
  });
});

async function copied(store: string, name: string): Promise<string> {
  const target = `${store}-${name}`;
  await cp(store, target, { recursive: true });
  return target;
}

describe('a data file with wrong bytes', () => {
  it('is replaced by copies, and derived data is recomputed', async () => {
    await using folder = await temporaryFolder();
    const store = path.join(folder.path, 'store');
    await makeStore(store);
    const [file] = await filesOf(store, 'data');
    const bytes = await readFile(file!);
    // The vectors: by far the largest part of the file.
    bytes.fill(0xff, Math.floor(bytes.length / 2), Math.floor(bytes.length / 2) + 600);
    await writeFile(file!, bytes);
    const { contents, altered, remade } = await salvage(store);
    expect(contents).toHaveLength(59);
    expect(altered).toEqual([]);
    expect(remade).toBeGreaterThan(0);
  });

  it('that altered a text is reported by the id', async () => {
    await using folder = await temporaryFolder();
    const store = path.join(folder.path, 'store');
    await makeStore(store);
    for (const file of await filesOf(store, 'data')) {
      const bytes = await readFile(file);
      for (let at = bytes.indexOf('heron 7'); at !== -1; at = bytes.indexOf('heron 7', at + 1)) bytes.write('heroN', at);
      await writeFile(file, bytes);
    }
    const { altered, contents } = await salvage(store);
    expect(contents).toContain('heroN 7');
    expect(altered).toHaveLength(1);
  });
});

describe('a fragment', () => {
  it('with damaged deletions, and without one of its data files, yields the other one', async () => {
    await using folder = await temporaryFolder();
    const store = path.join(folder.path, 'store');
    await makeStore(store);
    const before = await filesOf(store, 'data');
    const version = await withConnection(store, async (connection) => {
      const table = await connection.openTable('entries');
      await table.addColumns([{ name: 'embedding_9', valueSql: '1.0' }]);
      return await table.version();
    });
    await writeFile(path.join(store, CHECKPOINT_FILE), JSON.stringify({ ...(await headFile(store)), version }));
    for (const file of await filesOf(store, 'data')) if (!before.includes(file)) await rm(file);
    for (const file of await filesOf(store, '_deletions')) await writeFile(file, 'this says nothing');
    const { tables, entries } = await salvageStore({ storePath: store, work: path.join(folder.path, 'work'), target: undefined });
    expect(tables).toMatchObject([{ table: 'entries', rows: 58, unreadableRows: 0, deletedAmong: 2 }]);
    // With the one that is in the journal alone.
    expect(entries).toBe(61);
  });
});

describe('a version that the disk cannot read', () => {
  it('is replaced by the one before it', async () => {
    await using folder = await temporaryFolder();
    const store = path.join(folder.path, 'store');
    await makeStore(store);
    const [safe] = manifestsOf(store, 'entries');
    const file = path.join(store, 'entries.lance', VERSIONS, safe!.name);
    await rm(file);
    await mkdir(file);
    const damage = await salvageStore({ storePath: store, work: path.join(folder.path, 'work'), target: undefined });
    expect(damage.tables).toMatchObject([{ table: 'entries', versions: 1 }]);
    expect(damage.entries).toBeGreaterThan(0);
  });
});

describe('a damaged store of a newer format', () => {
  it.each(['its head', 'its own table'])('by %s is refused and unchanged', async (where) => {
    await using folder = await temporaryFolder();
    const store = path.join(folder.path, 'store');
    await makeStore(store);
    const { format, ...head } = await headFile(store);
    const newer = format + 1;
    if (where === 'its own table') await setFormat(store, newer);
    await writeFile(path.join(store, CHECKPOINT_FILE), JSON.stringify(where === 'its head' ? { ...head, format: newer } : head));
    const [work, target] = [path.join(folder.path, 'work'), path.join(folder.path, 'target')];
    await expect(salvageStore({ storePath: store, work, target })).rejects.toMatchObject({
      code: 'filesystem',
      message: expect.stringContaining(`has format ${newer}`) as string,
    });
    expect(existsSync(target)).toBe(false);
  });
});

describe('a damaged store of an older format', () => {
  it('becomes one of that format, which is upgraded when it is opened, without another backup', async () => {
    await using folder = await temporaryFolder();
    const store = path.join(folder.path, 'store');
    await makeStore(store);
    const { version, rows, format } = await headFile(store);
    await setFormat(store, format - 1);
    await writeFile(path.join(store, CHECKPOINT_FILE), JSON.stringify({ version, rows }));
    const [work, target] = [path.join(folder.path, 'work'), path.join(folder.path, 'target')];
    await salvageStore({ storePath: store, work, target });
    expect(await formatOf(target)).toBe(format - 1);
    const made = await openTestStore(target);
    expect(await allEntries(made)).toHaveLength(59);
    await made.close();
    expect(await formatOf(target)).toBe(format);
    expect((await readdir(folder.path)).toSorted()).toEqual(['store', 'target']);
  });
});

describe('a file of deleted rows', () => {
  it.each(HARMS)('and %s restores rows that may be deleted, and never two of one entry', async (_, harm) => {
    await using folder = await temporaryFolder();
    const store = path.join(folder.path, 'store');
    await makeStore(store);
    for (const file of await filesOf(store, '_deletions')) await harm(file);
    const { tables, contents } = await salvage(store);
    expect(tables).toMatchObject([{ table: 'entries', unreadableRows: 0, deletedAmong: 2 }]);
    expect(contents.toSorted()).toEqual([...new Set(contents)].toSorted());
    expect(contents.length).toBeGreaterThanOrEqual(59);
  });
});
