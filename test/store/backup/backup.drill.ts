import { mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../src/memory/entry.ts';
import type { Relation } from '../../../src/memory/relation.ts';
import { BackupFolder, type BackupRequest } from '../../../src/store/backup/backup-folder.ts';
import type { Store } from '../../../src/store/store.ts';
import { temporaryFolder } from '../../helpers/folder.ts';
import { allEntries, openTestStore, row } from '../../helpers/store.ts';

const ORDER: BackupRequest = { kind: 'manual', compress: false, version: '1.2.3' };
const relation = (sourceId: string, targetId: string): Relation => {
  return { sourceId, targetId, type: 'references', strength: 0.5, createdAt: 1_700_000_000_000, origin: 'manual' };
};
const back = (store: Store, folder: BackupFolder, order = ORDER) => store.copies.during((copy) => folder.write(copy, order));

/** The store that a backup makes. */
async function unpacked(folder: BackupFolder, name: string, into: string): Promise<Store> {
  await folder.unpack(await folder.get(name), into);
  return await openTestStore(into);
}

/** Saves, changes, relates, archives and deletes until told to stop; keeps what was acknowledged at each moment. */
class Load {
  /** As last acknowledged; undefined for what was deleted or archived. */
  readonly acknowledged = new Map<string, Entry | undefined>();
  /** What is being changed at this moment. */
  readonly pending = new Set<string>();
  /** What was changed, or begun to be, since someone cleared it. */
  readonly touched = new Set<string>();
  readonly #store: Store;
  #stopped = false;
  #workers: Promise<void>[] = [];

  constructor(store: Store) {
    this.#store = store;
  }

  start(workers: number): void {
    this.#workers = Array.from({ length: workers }, (_, nth) => this.#work(nth));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#workers);
  }

  async #work(worker: number): Promise<void> {
    const { entries } = this.#store;
    const mine: string[] = [];
    for (let nth = 0; !this.#stopped; nth += 1) {
      const { entry } = await entries.insert(row(`crane ${worker} number ${nth}`));
      this.acknowledged.set(entry.id, entry);
      mine.push(entry.id);
      if (nth % 3 === 0) {
        const id = mine[nth % mine.length]!;
        const change = entries.update(id, (now) => ({
          ...now,
          entry: { ...now.entry, priority: 'high', updatedAt: now.entry.updatedAt + 1 },
        }));
        this.acknowledged.set(id, await this.#mark(id, change));
      }
      if (mine.length > 1 && nth % 4 === 0) await entries.changes.relate(relation(mine.at(-1)!, mine.at(-2)!));
      if (nth % 5 === 4) {
        const id = mine.shift()!;
        const isFinal = nth % 2 === 0;
        await this.#mark(id, isFinal ? entries.remove(id) : entries.changes.archive(id, { at: nth, reason: 'forgotten', run: 'r' }));
        this.acknowledged.set(id, undefined);
      }
      if (nth % 20 === 0) await delay(1);
    }
  }

  async #mark<T>(id: string, change: Promise<T>): Promise<T> {
    this.pending.add(id);
    this.touched.add(id);
    const result = await change;
    this.pending.delete(id);
    return result;
  }
}

describe('a copy of a store during writes', () => {
  it('has everything acknowledged before it, and nothing partial', async () => {
    await using place = await temporaryFolder();
    const store = await openTestStore(join(place.path, 'store'));
    const folder = new BackupFolder(join(place.path, 'backups'));
    const load = new Load(store);
    load.start(8);
    const taken: { name: string; before: ReadonlyMap<string, Entry | undefined>; entries: number }[] = [];
    for (let nth = 0; nth < 5; nth += 1) {
      const sofar = load.acknowledged.size;
      await expect.poll(() => load.acknowledged.size).toBeGreaterThan(sofar + 40);
      // Some in the middle of a cycle, some with all in the table.
      if (nth % 2 === 1) void store.optimize().catch(() => undefined);
      const before = new Map(load.acknowledged);
      load.touched.clear();
      for (const id of load.pending) load.touched.add(id);
      const stored = await back(store, folder, { ...ORDER, previous: (await folder.list())[0] });
      taken.push({
        name: stored.name,
        before: new Map([...before].filter(([id]) => !load.touched.has(id))),
        entries: stored.manifest.entries,
      });
    }
    await load.stop();
    await store.close();
    expect(taken.at(-1)!.before.size).toBeGreaterThan(50);
    for (const [nth, { name, before, entries }] of taken.entries()) {
      expect(await folder.problems(await folder.get(name))).toEqual([]);
      const restored = await unpacked(folder, name, join(place.path, `restored-${nth}`));
      const found = new Map<string, Entry>();
      for await (const rows of restored.entries.scan(() => true)) for (const { entry } of rows) found.set(entry.id, entry);
      expect(found.size).toBe(entries);
      // What was touched while the copy was taken may be as it was before or after.
      for (const [id, entry] of before) expect(found.get(id)).toEqual(entry);
      for (const { sourceId, targetId } of restored.auxiliary.graph.all())
        expect([found.has(sourceId), found.has(targetId)]).toEqual([true, true]);
      for (const { entry } of await restored.auxiliary.archive.all()) expect(found.has(entry.id)).toBe(false);
      await restored.optimize();
      expect((await restored.searchKeywords({ tokens: ['crane'], filter: {}, limit: 5 })).length).toBe(5);
      await restored.close();
    }
  });

  it('is unaffected by later changes of the store, and does not block them', async () => {
    await using place = await temporaryFolder();
    const store = await openTestStore(join(place.path, 'store'));
    const folder = new BackupFolder(join(place.path, 'backups'));
    for (let nth = 0; nth < 50; nth += 1) await store.entries.insert(row(`crane ${nth}`));
    const { name } = await store.copies.during(async (copy) => {
      for (const { id } of await allEntries(store)) await store.entries.remove(id);
      await store.entries.insert(row('later'));
      await store.optimize();
      await store.optimize();
      return await folder.write(copy, ORDER);
    });
    expect((await readdir(store.path)).includes('staging')).toBe(false);
    await store.close();
    const restored = await unpacked(folder, name, join(place.path, 'restored'));
    expect((await allEntries(restored)).map(({ content }) => content)).toEqual(Array.from({ length: 50 }, (_, nth) => `crane ${nth}`));
    await restored.close();
  });

  it('excludes files that the version does not need', async () => {
    await using place = await temporaryFolder();
    const store = await openTestStore(join(place.path, 'store'));
    for (let round = 0; round < 4; round += 1) {
      for (let nth = 0; nth < 20; nth += 1) await store.entries.insert(row(`crane ${round} ${nth}`));
      await store.optimize();
    }
    const there = (await readdir(join(store.path, 'entries.lance'), { recursive: true, withFileTypes: true })).filter((file) =>
      file.isFile(),
    );
    const { fragments } = await store.figures.table();
    await store.copies.during((copy) => {
      const copied = copy.files.filter(({ path }) => path.startsWith('entries.lance/'));
      expect(copied.length).toBeLessThan(there.length);
      expect(copied.filter(({ path }) => path.endsWith('.manifest'))).toHaveLength(1);
      expect(copied.filter(({ path }) => path.startsWith('entries.lance/data/'))).toHaveLength(fragments);
      return Promise.resolve();
    });
    await store.close();
  });
});

describe.each([{ compress: false }, { compress: true }])('a backup, compressed: $compress', ({ compress }) => {
  const order = { ...ORDER, compress };

  it('restores a store that can be changed without touching the backup', async () => {
    await using place = await temporaryFolder();
    const store = await openTestStore(join(place.path, 'store'));
    const folder = new BackupFolder(join(place.path, 'backups'));
    const { entry: a } = (await store.entries.insert(row('crane one'))) as { entry: Entry };
    const { entry: b } = await store.entries.insert(row('crane two'));
    await store.entries.changes.relate(relation(a.id, b.id));
    await store.optimize();
    await store.entries.insert(row('crane three'));
    const { name, manifest } = await back(store, folder, order);
    expect(manifest).toMatchObject({ entries: 3, compressed: compress, kind: 'manual', lore: '1.2.3' });
    await store.close();
    const restored = await unpacked(folder, name, join(place.path, 'restored'));
    expect((await allEntries(restored)).map(({ content }) => content)).toEqual(['crane one', 'crane two', 'crane three']);
    expect([...restored.auxiliary.graph.all()]).toEqual([relation(a.id, b.id)]);
    await restored.entries.remove(a.id);
    await restored.optimize();
    await restored.close();
    expect(await folder.problems(await folder.get(name))).toEqual([]);
  });

  it('shares files with the previous one, and outlives it', async () => {
    await using place = await temporaryFolder();
    const store = await openTestStore(join(place.path, 'store'));
    const folder = new BackupFolder(join(place.path, 'backups'));
    for (let nth = 0; nth < 30; nth += 1) await store.entries.insert(row(`crane ${nth}`));
    await store.optimize();
    const first = await back(store, folder, order);
    await store.entries.insert(row('later'));
    const second = await back(store, folder, { ...order, previous: first });
    const data = second.manifest.files.find(({ path }) => path.startsWith('entries.lance/data/'))!;
    const inode = async (name: string) => (await stat(join(folder.path, name, `${data.path}${compress ? '.gz' : ''}`))).ino;
    expect(await inode(second.name)).toBe(await inode(first.name));
    await folder.remove(first.name);
    expect((await folder.list()).map(({ name }) => name)).toEqual([second.name]);
    expect(await folder.problems(second)).toEqual([]);
    await store.close();
  });

  it('shows what is missing or damaged', async () => {
    await using place = await temporaryFolder();
    const store = await openTestStore(join(place.path, 'store'));
    const folder = new BackupFolder(join(place.path, 'backups'));
    await store.entries.insert(row('crane'));
    await store.optimize();
    await store.entries.insert(row('crane two'));
    const stored = await back(store, folder, order);
    await store.close();
    const end = compress ? '.gz' : '';
    const at = (path: string) => join(folder.path, stored.name, path + end);
    const [data, journal] = ['entries.lance/data/', 'journal/'].map((start) =>
      stored.manifest.files.find(({ path }) => path.startsWith(start))!,
    );
    // The file of the store is the same one: a copy is damaged here.
    const bytes = await readFile(at(data!.path));
    bytes[Math.floor(bytes.length / 2)]! ^= 0xff;
    await rm(at(data!.path));
    await writeFile(at(data!.path), bytes);
    await truncate(at(journal!.path), 10);
    await rm(at('head.json'));
    expect((await folder.problems(stored)).toSorted()).toEqual(
      [`${data!.path} is damaged`, `${journal!.path} is damaged`, 'head.json is missing'].toSorted(),
    );
    await expect(folder.unpack(stored, join(place.path, 'restored'))).rejects.toMatchObject({ name: 'LoreError' });
  });
});

describe('a folder of backups', () => {
  it('ignores incomplete backups, and removes unfinished ones', async () => {
    await using place = await temporaryFolder();
    const store = await openTestStore(join(place.path, 'store'));
    const folder = new BackupFolder(join(place.path, 'backups'));
    const half = join(folder.path, '2026-01-01T00-00-00.000Z.partial');
    await mkdir(half, { recursive: true });
    await mkdir(join(folder.path, '2026-01-01T00-00-00.000Z'));
    await writeFile(join(half, 'backup.json'), '{}');
    await writeFile(join(folder.path, 'notes.txt'), 'mine');
    expect(await folder.list()).toEqual([]);
    const { name } = await back(store, folder);
    await store.close();
    expect((await readdir(folder.path)).toSorted()).toEqual(['2026-01-01T00-00-00.000Z', name, 'notes.txt'].toSorted());
  });

  it('knows no other names', async () => {
    await using place = await temporaryFolder();
    const folder = new BackupFolder(join(place.path, 'backups'));
    for (const name of ['', '.', '..', '../store', '/etc', '2026-01-01T00-00-00.000Z/../x', '2026-01-01T00-00-00.000Z\0']) {
      await expect(folder.get(name)).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  it('rejects a manifest with paths outside', async () => {
    await using place = await temporaryFolder();
    const folder = new BackupFolder(place.path);
    const name = '2026-01-01T00-00-00.000Z';
    await mkdir(join(place.path, name));
    const file = { path: '../../outside', bytes: 1, sha256: 'x' };
    const manifest = { format: 1, createdAt: '2026-01-01T00:00:00.000Z', entries: 0, storedBytes: 1, files: [file] };
    await writeFile(join(place.path, name, 'backup.json'), JSON.stringify(manifest));
    await expect(folder.get(name)).rejects.toMatchObject({ code: 'filesystem' });
    expect(await folder.list()).toEqual([]);
  });

  it('leaves nothing if a copy cannot be written', async () => {
    await using place = await temporaryFolder();
    const store = await openTestStore(join(place.path, 'store'));
    await writeFile(join(place.path, 'file'), '');
    await expect(back(store, new BackupFolder(join(place.path, 'file', 'backups')))).rejects.toMatchObject({ code: 'unavailable' });
    const folder = new BackupFolder(join(place.path, 'backups'));
    const broken = store.copies.during((copy) =>
      folder.write(
        { ...copy, files: [...copy.files, { path: 'entries.lance/gone', at: '/nowhere/gone', bytes: 1, isFinal: true }] },
        ORDER,
      ),
    );
    await expect(broken).rejects.toMatchObject({ name: 'LoreError' });
    expect(await readdir(folder.path)).toEqual([]);
    await store.entries.insert(row('goes on'));
    await store.close();
  });
});
