import { readdir, readFile, rm, truncate } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { queryTokens } from '../../../src/memory/tokens.ts';
import { embedText } from '../../../src/embeddings/builtin.ts';
import type { Store } from '../../../src/store/store.ts';
import { temporaryFolder } from '../../helpers/folder.ts';
import { allEntries, openTestStore, row, SPACE } from '../../helpers/store.ts';

const ROWS = 2100;

async function indexFiles(folder: string): Promise<string[]> {
  const root = path.join(folder, 'entries.lance', '_indices');
  const found = await readdir(root, { recursive: true, withFileTypes: true });
  return found.flatMap((entry) => (entry.isFile() ? [path.join(entry.parentPath, entry.name)] : []));
}

async function makeStore(folder: string, rows: number): Promise<void> {
  const store = await openTestStore(folder);
  const names = ['walrus', 'heron', 'crane', 'harbour', 'stone', 'river', 'dawn'];
  const all = Array.from({ length: rows }, (_, nth) =>
    row(`${names[nth % 7]} number ${nth} by the ${names[(nth * 5) % 6]}`, {
      namespace: nth % 3 === 0 ? 'third' : 'rest',
      tags: [`t${nth % 5}`],
    }),
  );
  await Promise.all(all.map((fresh) => store.entries.insert(fresh)));
  await store.optimize();
  await store.close();
}

/** What every kind of index is asked for, all of it by the rows alone in the answer. */
async function expectFinds(store: Store, rows: number): Promise<void> {
  const words = await store.searchKeywords({ tokens: queryTokens('number'), filter: {}, limit: rows + 1 });
  expect(words).toHaveLength(rows);
  const within = await store.searchKeywords({
    tokens: queryTokens('number'),
    filter: { namespaces: ['third'], tags: ['t1'] },
    limit: rows,
  });
  expect(within).toHaveLength(store.entries.count({ namespaces: ['third'], tags: ['t1'] }));
  const [entry] = await allEntries(store);
  const near = await store.searchVectors({ vector: embedText(entry!.content), fingerprint: SPACE.fingerprint, filter: {}, limit: 3 });
  expect(near[0]!.id).toBe(entry!.id);
  const some = await store.searchVectors({
    vector: embedText(entry!.content),
    fingerprint: SPACE.fingerprint,
    filter: { namespaces: ['third'] },
    limit: 3,
  });
  expect(some).toHaveLength(3);
}

async function indexed(store: Store): Promise<number> {
  return (await store.figures.table()).indexedRows;
}

describe('the indexes of a store', () => {
  it.each<[string, (file: string) => Promise<void>]>([
    ['are gone', (file) => rm(file)],
    ['are cut', async (file) => truncate(file, Math.floor((await readFile(file)).length / 2))],
  ])('that %s are built again, and searches find everything before that', async (_, harm) => {
    await using folder = await temporaryFolder();
    await makeStore(folder.path, ROWS);
    for (const file of await indexFiles(folder.path)) await harm(file);
    const store = await openTestStore(folder.path);
    expect(store.damages).toMatchObject([
      { mayLose: false, message: expect.stringMatching(/search_text.*embedding|embedding.*search_text/) as string },
    ]);
    await expectFinds(store, ROWS);
    await store.optimize();
    expect(await indexed(store)).toBe(ROWS);
    await expectFinds(store, ROWS);
    await store.close();
    const again = await openTestStore(folder.path);
    expect(again.damages).toEqual([]);
    await again.close();
  });

  it('may break while they are used: the search that finds out answers, and says so', async () => {
    await using folder = await temporaryFolder();
    await makeStore(folder.path, 60);
    const store = await openTestStore(folder.path);
    for (const file of await indexFiles(folder.path)) await truncate(file, 0);
    await expectFinds(store, 60);
    expect(store.damages).toMatchObject([{ mayLose: false, message: expect.stringContaining('search_text') as string }]);
    await store.optimize();
    expect(await indexed(store)).toBe(60);
    await expectFinds(store, 60);
    await store.close();
  });

  it('are built again where broken ones keep new rows out of the table', async () => {
    await using folder = await temporaryFolder();
    await makeStore(folder.path, 60);
    const store = await openTestStore(folder.path);
    for (const file of await indexFiles(folder.path)) await truncate(file, 0);
    for (let nth = 0; nth < 5; nth += 1) await store.entries.insert(row(`walrus number ${60 + nth}`));
    const failures: unknown[] = [];
    for (let run = 0; run < 3; run += 1) await store.optimize().catch((error: unknown) => failures.push(error));
    expect(failures.length).toBeGreaterThan(0);
    expect(failures.length).toBeLessThan(3);
    expect(await indexed(store)).toBe(65);
    await expectFinds(store, 65);
    await store.close();
  });
});
