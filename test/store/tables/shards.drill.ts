import { existsSync } from 'node:fs';
import { cp, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { embedText } from '../../../src/embeddings/builtin.ts';
import { silentLog } from '../../../src/memory/log.ts';
import { queryTokens } from '../../../src/memory/words/tokens.ts';
import { BackupFolder } from '../../../src/store/backup/backup-folder.ts';
import { salvageStore } from '../../../src/store/recovery/repair.ts';
import { entriesTables, shardOf } from '../../../src/store/format/shards.ts';
import { Store } from '../../../src/store/store.ts';
import { temporaryFolder } from '../../helpers/folder.ts';
import { allEntries, row, SPACE } from '../../helpers/store.ts';

/** A store whose entries are, or come to be, spread over so many tables. The caller closes it. */
function openSpread(folder: string, shards?: number): Promise<Store> {
  const settings = {
    path: folder,
    durability: 'full',
    vectorCacheBytes: 0,
    hnsw: { fromRows: 10_000, efConstruction: 100, ef: 100 },
    log: silentLog,
  } as const;
  return Store.open({ ...settings, ...(shards !== undefined && { shards }) }, SPACE);
}

const WORDS = ['harbour', 'crane', 'walrus', 'vault', 'train', 'token', 'dawn', 'buoy'];
const NAMESPACES = Array.from({ length: 12 }, (_, nth) => `team ${nth}`);

/** The same texts a second time would be the same entries: `round` tells them apart. */
async function fill(store: Store, count: number, round?: number): Promise<string[]> {
  const rows = Array.from({ length: count }, (_, nth) =>
    row(`${WORDS[nth % WORDS.length]} note ${nth}${round === undefined ? '' : ` of round ${round}`}`, {
      namespace: NAMESPACES[nth % NAMESPACES.length]!,
    }),
  );
  await Promise.all(rows.map((fresh) => store.entries.insert(fresh)));
  return rows.map(({ entry }) => entry.id);
}

async function tablesOf(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.startsWith('entries')).toSorted();
}

const settled = (store: Store): Promise<void> =>
  vi.waitUntil(() => store.maintenance === 'idle', { timeout: 60_000, interval: 50 }).then(() => undefined);

/** More than there are: how rows that hold a word are scored depends on what else is in their table, and whether they are there yet. */
const ALL = 10_000;

/** What searches of all, and of one namespace, find. */
async function found(store: Store): Promise<Record<string, string[]>> {
  const ids = (hits: readonly { id: string }[]): string[] => hits.map(({ id }) => id).toSorted();
  const vector = embedText('crane note 41');
  const tokens = queryTokens('crane');
  const one = { namespaces: ['team 1'] };
  return {
    entries: (await allEntries(store)).map(({ id, content, namespace }) => `${id} ${content} ${namespace}`),
    near: ids(await store.searchVectors({ vector, fingerprint: SPACE.fingerprint, filter: {}, limit: 10 })),
    nearInOne: ids(await store.searchVectors({ vector, fingerprint: SPACE.fingerprint, filter: one, limit: 10 })),
    words: ids(await store.searchKeywords({ tokens, filter: {}, limit: ALL })),
    wordsInOne: ids(await store.searchKeywords({ tokens, filter: one, limit: ALL })),
  };
}

it('a namespace is always in the same shard, and many are spread evenly', () => {
  expect(shardOf('team 1', 8)).toBe(shardOf('team 1', 8));
  expect(shardOf('anything', 1)).toBe(0);
  const counts = Array.from({ length: 8 }, () => 0);
  for (let nth = 0; nth < 8000; nth += 1) counts[shardOf(`namespace ${nth}`, 8)]! += 1;
  for (const count of counts) expect(count).toBeGreaterThan(800);
});

describe('a store created with several shards', () => {
  it('has each entry in the shard of its namespace, also after a move', async () => {
    await using folder = await temporaryFolder();
    const store = await openSpread(folder.path, 4);
    const [id] = await fill(store, 60);
    await store.optimize();
    await store.entries.update(id!, (old) => ({ ...old, entry: { ...old.entry, namespace: 'team 7' } }));
    await store.optimize();
    const before = await found(store);
    await store.close();
    expect(await tablesOf(folder.path)).toEqual(entriesTables(4).map((name) => `${name}.lance`));
    const again = await openSpread(folder.path);
    expect(await found(again)).toEqual(before);
    expect((await again.entries.get(id!)).namespace).toBe('team 7');
    expect(again.entries.count({})).toBe(60);
    await again.close();
  });

  it('writes only to the shards of changed namespaces', async () => {
    await using folder = await temporaryFolder();
    const store = await openSpread(folder.path, 4);
    await fill(store, 60);
    await store.optimize();
    await store.optimize();
    const versions = async (): Promise<string[]> =>
      (await Promise.all(entriesTables(4).map((name) => readdir(path.join(folder.path, `${name}.lance`, '_versions'))))).map((names) =>
        names.toSorted().join(),
      );
    const before = await versions();
    await store.entries.insert(row('a late one', { namespace: 'team 3' }));
    await store.optimize();
    const after = await versions();
    const changed = after.flatMap((names, shard) => (names === before[shard] ? [] : [shard]));
    expect(changed).toEqual([shardOf('team 3', 4)]);
    await store.close();
  });
});

describe('resharding a store', () => {
  it.each([
    [1, 4],
    [4, 1],
    [3, 5],
  ])('from %i to %i keeps every result', async (from, to) => {
    await using folder = await temporaryFolder();
    const store = await openSpread(folder.path, from);
    const ids = await fill(store, 120);
    await store.optimize();
    await store.entries.remove(ids[5]!);
    const before = await found(store);
    await store.close();
    const other = await openSpread(folder.path, to);
    await settled(other);
    expect(await found(other)).toEqual(before);
    await vi.waitUntil(async () => (await tablesOf(folder.path)).length === to, { timeout: 20_000 });
    expect(existsSync(path.join(folder.path, 'layout.json'))).toBe(false);
    await other.close();
    const again = await openSpread(folder.path);
    expect(await found(again)).toEqual(before);
    await again.close();
  });

  it('keeps concurrent saves, changes and deletions', async () => {
    await using folder = await temporaryFolder();
    const store = await openSpread(folder.path, 1);
    const ids = await fill(store, 800);
    await store.optimize();
    await store.close();
    const other = await openSpread(folder.path, 4);
    expect(other.maintenance).toBe('spreading entries over tables');
    // So many that a slow machine comes to an end, too.
    for (let nth = 0; nth < 12 && other.maintenance !== 'idle'; nth += 1) {
      await fill(other, 20, nth);
      await other.entries.remove(ids[nth]!);
      await other.entries.update(ids[400 + nth]!, (old) => ({
        ...old,
        entry: { ...old.entry, namespace: `moved ${nth}`, content: `moved ${nth}` },
      }));
      if (nth % 5 === 0) await other.optimize();
    }
    await settled(other);
    const before = await found(other);
    const count = other.entries.count({});
    await other.close();
    const again = await openSpread(folder.path);
    expect(again.entries.count({})).toBe(count);
    expect(await found(again)).toEqual(before);
    expect(await tablesOf(folder.path)).toHaveLength(4);
    expect((await again.diagnose({ probes: 10 })).disagreements).toBe(0);
    await again.close();
  });

  it('interrupted in the middle changes nothing, and completes at the next start', async () => {
    await using folder = await temporaryFolder();
    const store = await openSpread(folder.path, 1);
    await fill(store, 1500);
    await store.optimize();
    const before = await found(store);
    await store.close();
    const interrupted = await openSpread(folder.path, 4);
    expect(interrupted.maintenance).toBe('spreading entries over tables');
    await interrupted.close();
    expect(await tablesOf(folder.path)).toEqual(['entries.lance']);
    const other = await openSpread(folder.path, 4);
    await settled(other);
    expect(await found(other)).toEqual(before);
    await other.close();
  });
});

describe('a damaged store of several shards', () => {
  it('opens completely if its checkpoint is unreadable', async () => {
    await using folder = await temporaryFolder();
    const store = await openSpread(folder.path, 4);
    await fill(store, 60);
    await store.optimize();
    const before = await found(store);
    await store.close();
    await writeFile(path.join(folder.path, 'head.json'), 'this says nothing');
    const again = await openSpread(folder.path);
    expect(await found(again)).toEqual(before);
    await again.close();
  });

  it('is refused if one of them is gone, and a repair recovers the others', async () => {
    await using folder = await temporaryFolder();
    const storePath = path.join(folder.path, 'store');
    const store = await openSpread(storePath, 4);
    await fill(store, 60);
    await store.optimize();
    const lost = entriesTables(4)[shardOf('team 3', 4)]!;
    const left = (await allEntries(store)).filter(({ namespace }) => shardOf(namespace, 4) !== shardOf('team 3', 4));
    await store.close();
    await rm(path.join(storePath, `${lost}.lance`), { recursive: true });
    await expect(openSpread(storePath)).rejects.toMatchObject({
      code: 'filesystem',
      message: expect.stringContaining('damaged') as string,
    });
    const [work, target] = [path.join(folder.path, 'work'), path.join(folder.path, 'target')];
    const { tables } = await salvageStore({ storePath, work, target });
    expect(tables).toMatchObject([{ table: lost, unreadableRows: 60 - left.length, files: [`${lost}.lance`] }]);
    const repaired = await openSpread(target, 4);
    await settled(repaired);
    expect((await allEntries(repaired)).map(({ id }) => id).toSorted()).toEqual(left.map(({ id }) => id).toSorted());
    await repaired.close();
  });

  it('starts with the complete shards, whatever is left of unfinished ones', async () => {
    await using folder = await temporaryFolder();
    const store = await openSpread(folder.path, 1);
    await fill(store, 30);
    await store.optimize();
    const before = await found(store);
    await store.close();
    await using other = await temporaryFolder();
    const begun = await openSpread(other.path, 2);
    await begun.close();
    for (const name of entriesTables(2))
      await cp(path.join(other.path, `${name}.lance`), path.join(folder.path, `${name}.lance`), { recursive: true });
    await writeFile(path.join(folder.path, 'layout.json'), JSON.stringify({ outdated: 2 }));
    await rm(path.join(folder.path, 'head.json'));
    const again = await openSpread(folder.path);
    expect(await found(again)).toEqual(before);
    await again.close();
    await (await openSpread(folder.path)).close();
    expect(await tablesOf(folder.path)).toEqual(['entries.lance']);
  });
});

it('a backup of a store with several shards restores the same store', async () => {
  await using folder = await temporaryFolder();
  const [storePath, into] = [path.join(folder.path, 'store'), path.join(folder.path, 'into')];
  const store = await openSpread(storePath, 3);
  await fill(store, 60);
  await store.optimize();
  await fill(store, 5);
  const backups = new BackupFolder(path.join(folder.path, 'backups'));
  const { name } = await store.copies.during((copy) => backups.write(copy, { kind: 'manual', compress: false, version: '1.2.3' }));
  const before = await found(store);
  await store.close();
  await backups.unpack(await backups.get(name), into);
  const restored = await openSpread(into);
  expect(await found(restored)).toEqual(before);
  expect(await tablesOf(into)).toHaveLength(3);
  await restored.close();
});
