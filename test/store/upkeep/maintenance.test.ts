import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as lancedb from '@lancedb/lancedb';
import { describe, expect, it } from 'vitest';
import { embedText } from '../../../src/embeddings/builtin.ts';
import { queryTokens } from '../../../src/memory/words/tokens.ts';
import { manifestsOf } from '../../../src/store/folder/manifests.ts';
import { toArrowTable } from '../../../src/store/tables/rows.ts';
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
  const end = Date.now() + 30_000;
  while (store.maintenance !== 'idle' && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(store.maintenance).toBe('idle');
}

describe('maintenance', () => {
  it('merges the fragments of many small writes and indexes their rows, without being asked', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    for (let nth = 0; nth < 40; nth += 1) await store.entries.insert(row(sentence(nth)));
    await idle(store);
    const stats = await store.figures.table();
    expect(stats.fragments).toBeLessThan(16);
    expect(stats.indexedRows + stats.unindexedRows).toBe(40);
    await store.close();
  });

  it('grows a vector index that finds what an exact search finds, also for rows that came later', async () => {
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

  it('keeps the journal short where one entry changes again and again', async () => {
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

  it('comes to rest: a store that nothing comes to is not written any more', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    await fill(store, 2100);
    await idle(store);
    const versions = (): string[] => manifestsOf(folder.path, 'entries').map(({ name }) => name);
    // Until what the last run replaced is removed.
    await expect.poll(() => versions().length, { timeout: 30_000 }).toBe(1);
    const before = versions();
    await new Promise((resolve) => setTimeout(resolve, 9000));
    expect(versions()).toEqual(before);
    await store.close();
  });

  it('removes the files of earlier versions also where other work was under way when it was to begin', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    await fill(store, 1500);
    await idle(store);
    const versions = async (): Promise<number> => (await readdir(path.join(folder.path, 'entries.lance', '_versions'))).length;
    const before = await versions();
    // Each of these keeps the tables for a moment; together they cover the moment at which the files were to be removed.
    const until = Date.now() + 9000;
    for (let recalls = 1; Date.now() < until; recalls += 1) await store.keepUsage([{ entryId: 'none', recalls, lastRecalledAt: 1 }]);
    await expect.poll(versions, { timeout: 20_000 }).toBeLessThan(before);
    await store.close();
  });

  it('takes a table that a killed process left half changed back to what it was, and loses nothing', async () => {
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

  it('opens a table whose last whole version was removed before the next was named, and loses nothing', async () => {
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

  it('is done by the short command that wrote much, and not left to the next one', async () => {
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

  it('lets many reads and writes go on while it runs: none hangs, none is lost', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    await fill(store, 2100);
    const writing = { done: false };
    const failures: unknown[] = [];
    const readers = Array.from({ length: 32 }, async (_, reader) => {
      for (let nth = reader; !writing.done; nth += 1) {
        const search = { filter: { namespaces: ['ns'] }, limit: 10 };
        await Promise.all([
          store.searchVectors({ ...search, vector: embedText(sentence(nth % 2100)), fingerprint: SPACE.fingerprint }),
          store.searchKeywords({ ...search, tokens: queryTokens(sentence(nth % 2100)) }),
        ]).catch((error: unknown) => failures.push(error));
      }
    });
    for (let round = 0; round < 3; round += 1) {
      await fill(store, 100, 2100 + round * 100);
      await store.optimize();
    }
    writing.done = true;
    await Promise.all(readers);
    expect(failures).toEqual([]);
    expect(store.directory.size).toBe(2400);
    expect(store.entries.count({ namespaces: ['ns'] })).toBe(2400);
    await store.close();
  });
});
