import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as lancedb from '@lancedb/lancedb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { embedText } from '../../../src/embeddings/builtin.ts';
import { queryTokens } from '../../../src/memory/words/tokens.ts';
import { manifestsOf } from '../../../src/store/format/manifests.ts';
import { toArrowTable } from '../../../src/store/format/rows.ts';
import type { Store } from '../../../src/store/store.ts';
import { temporaryFolder } from '../../helpers/folder.ts';
import { openTestStore, row, SPACE } from '../../helpers/store.ts';

const WORDS =
  'harbour crane yellow walrus dawn cache token deploy train vault secret noon court query index merge branch heron river stone'.split(' ');

/** A sentence that is different for every number and shares words with many others. */
function sentence(nth: number): string {
  const words = Array.from({ length: 8 }, (_, place) => WORDS[(nth * (place + 3) + place * place) % WORDS.length]);
  return `${words.join(' ')} number${nth}`;
}

async function fill(store: Store, count: number, from = 0): Promise<void> {
  for (let start = from; start < from + count; start += 500) {
    await Promise.all(
      Array.from({ length: Math.min(500, from + count - start) }, (_, nth) => store.entries.insert(row(sentence(start + nth)))),
    );
  }
}

async function idle(store: Store): Promise<void> {
  await expect.poll(() => store.maintenance, { timeout: 60_000 }).toBe('idle');
}

/** Longer than anything is put off that looks after a store. */
const PUT_OFF_MS = 60_000;

describe('maintenance', () => {
  it('merges fragments of small writes and indexes their rows automatically', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    for (let nth = 0; nth < 40; nth += 1) await store.entries.insert(row(sentence(nth)));
    await idle(store);
    const stats = await store.figures.table();
    expect(stats.fragments).toBeLessThan(16);
    expect(stats.indexedRows + stats.unindexedRows).toBe(40);
    await store.close();
  });

  it('extends a vector index that finds what an exact search finds, also later rows', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    await fill(store, 2400);
    await idle(store);
    await fill(store, 100, 2400);
    await idle(store);
    let found = 0;
    for (let nth = 0; nth < 2500; nth += 50) {
      const hits = await store.searchVectors({ vector: embedText(sentence(nth)), fingerprint: SPACE.fingerprint, filter: {}, limit: 10 });
      const [best] = await store.entries.getMany(hits.slice(0, 1).map(({ id }) => id));
      if (best?.content === sentence(nth)) found += 1;
    }
    expect(found).toBe(50);
    await store.close();
    const again = await openTestStore(folder.path);
    const hits = await again.searchVectors({
      vector: embedText(sentence(7)),
      fingerprint: SPACE.fingerprint,
      filter: { namespaces: ['ns'] },
      limit: 3,
    });
    expect((await again.entries.getMany([hits[0]!.id]))[0]?.content).toBe(sentence(7));
    await again.close();
  });

  it('keeps the log short if one entry changes repeatedly', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    const { entry } = await store.entries.insert(row('harbour '.repeat(12_000)));
    for (let nth = 0; nth < 200; nth += 1) {
      await store.entries.update(entry.id, (now) => ({ ...now, entry: { ...now.entry, tags: [`t${nth}`] } }));
    }
    await idle(store);
    const journal = path.join(folder.path, 'journal');
    const sizes = await Promise.all((await readdir(journal)).map(async (name) => (await stat(path.join(journal, name))).size));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(16 * 1024 * 1024);
    expect((await store.entries.getMany([entry.id]))[0]?.tags).toEqual(['t199']);
    await store.close();
  });

  it('reverts a half-changed table of a killed process without loss', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    await fill(store, 2100);
    await idle(store);
    await store.entries.insert(row('a heron that only the journal has'));
    await store.close();
    const table = await (await lancedb.connect(folder.path)).openTable('entries');
    const strangers = [{ ...row('half written'), writtenAt: 1 }];
    await table.add(toArrowTable(strangers, await table.schema()));
    await table.delete("content LIKE '%number7'");
    await table.optimize();
    const again = await openTestStore(folder.path);
    expect(again.entries.count({})).toBe(2101);
    const hits = await again.searchVectors({ vector: embedText(sentence(7)), fingerprint: SPACE.fingerprint, filter: {}, limit: 3 });
    expect((await again.entries.get(hits[0]!.id)).content).toBe(sentence(7));
    await again.optimize();
    expect(await again.searchKeywords({ tokens: queryTokens('written'), filter: {}, limit: 3 })).toEqual([]);
    expect(await again.searchKeywords({ tokens: queryTokens('heron journal'), filter: {}, limit: 1 })).toHaveLength(1);
    expect(again.entries.count({})).toBe(2101);
    await again.close();
  });

  it('opens a table whose last complete version was removed before the next was published, without loss', async () => {
    await using folder = await temporaryFolder();
    const head = path.join(folder.path, 'head.json');
    const store = await openTestStore(folder.path);
    await fill(store, 20);
    await store.optimize();
    const named = await readFile(head);
    await fill(store, 20, 20);
    await store.optimize();
    await store.entries.insert(row(sentence(40)));
    await store.close();
    const connection = await lancedb.connect(folder.path);
    const table = await connection.openTable('entries');
    await table.optimize({ cleanupOlderThan: new Date() });
    connection.close();
    await writeFile(head, named);
    const again = await openTestStore(folder.path);
    expect(again.entries.count({})).toBe(41);
    expect(again.damages).toEqual([]);
    const hits = await again.searchKeywords({ tokens: queryTokens('number7 number27 number40'), filter: {}, limit: 5 });
    expect(hits).toHaveLength(3);
    await again.close();
  });

  it('is done by a short command that wrote much', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    await fill(store, 1500);
    await store.leaveTidy();
    await store.entries.insert(row('a few stay in the journal'));
    await store.leaveTidy();
    await store.close();
    const again = await openTestStore(folder.path);
    expect((await again.diagnose({ probes: 1 })).freshRows).toBe(1);
    expect(again.entries.count({})).toBe(1501);
    await again.close();
  });

  it('leaves one version and one data file after a short command that wrote much', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    await fill(store, 1100);
    await store.leaveTidy();
    await fill(store, 1100, 1100);
    await store.leaveTidy();
    await store.close();
    const filesIn = async (name: string): Promise<string[]> => await readdir(path.join(folder.path, 'entries.lance', name));
    expect((await filesIn('_versions')).filter((name) => name.endsWith('.manifest'))).toHaveLength(1);
    expect(await filesIn('data')).toHaveLength(1);
  });

  it('runs during many reads and writes without hanging or loss', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    await fill(store, 2100);
    const search = { filter: { namespaces: ['ns'] }, limit: 10 };
    // So many at once, and so many altogether: a slow machine has no more to do than a quick one.
    const read = async (reader: number): Promise<void> => {
      for (let nth = reader; nth < 64; nth += 32) {
        await Promise.all([
          store.searchVectors({ ...search, vector: embedText(sentence(nth)), fingerprint: SPACE.fingerprint }),
          store.searchKeywords({ ...search, tokens: queryTokens(sentence(nth)) }),
        ]);
      }
    };
    for (let round = 0; round < 3; round += 1) {
      await fill(store, 50, 2100 + round * 100);
      const readers = Array.from({ length: 32 }, (_, reader) => read(reader));
      await Promise.all([store.optimize(), fill(store, 50, 2150 + round * 100), ...readers]);
    }
    expect(store.catalog.size).toBe(2400);
    expect(store.entries.count({ namespaces: ['ns'] })).toBe(2400);
    await store.close();
  });
});

describe('postponed maintenance', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  it('ends: an idle store has nothing left to do', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    await fill(store, 2100);
    const look = async (): Promise<unknown[]> => {
      await vi.advanceTimersByTimeAsync(PUT_OFF_MS);
      // Waits for the run that is under way.
      await store.keepUsage([]);
      return [store.maintenance, vi.getTimerCount(), manifestsOf(folder.path, 'entries').length];
    };
    // What the runs replaced is removed.
    await expect.poll(look, { timeout: 60_000 }).toEqual(['idle', 0, 1]);
    await store.close();
  });

  it('leaves a few new rows in the log instead of rebuilding the indexes', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    await fill(store, 2100);
    await store.optimize();
    await fill(store, 20, 2100);
    const look = async (): Promise<unknown[]> => {
      await vi.advanceTimersByTimeAsync(PUT_OFF_MS);
      await store.keepUsage([]);
      return [store.maintenance, vi.getTimerCount(), manifestsOf(folder.path, 'entries').length];
    };
    await expect.poll(look, { timeout: 60_000 }).toEqual(['idle', 0, 1]);
    expect((await store.diagnose({ probes: 1 })).freshRows).toBe(20);
    expect(store.catalog.size).toBe(2120);
    await store.close();
  });

  it('runs later if other work was in progress: files of earlier versions are removed', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    await fill(store, 1500);
    await store.optimize();
    expect(manifestsOf(folder.path, 'entries').length).toBeGreaterThan(1);
    // It keeps the tables at the moment at which the files were to be removed.
    const usage = store.keepUsage([{ entryId: 'none', recalls: 1, lastRecalledAt: 1 }]);
    vi.advanceTimersByTime(PUT_OFF_MS);
    await usage;
    await expect.poll(() => manifestsOf(folder.path, 'entries').length).toBe(1);
    await store.close();
  });
});
