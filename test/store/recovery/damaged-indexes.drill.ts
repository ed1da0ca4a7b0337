import { readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { silentLog } from '../../../src/memory/log.ts';
import { queryTokens } from '../../../src/memory/words/tokens.ts';
import { embedText } from '../../../src/embeddings/builtin.ts';
import { CrashMarker } from '../../../src/store/files/crash-marker.ts';
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

/** The start of a list of rows in an index that has one for each value: what it is, that it has one part, and for which rows at most. */
const ROWS_OF_VALUE = Buffer.from([0x3a, 0x30, 0, 0, 1, 0, 0, 0, 0, 0]);
/** From there to the number of the first row. */
const TO_FIRST_ROW = 16;

/** Puts the rows of each value out of their order, where the index lists them. */
async function disorder(file: string): Promise<void> {
  const bytes = await readFile(file);
  for (let at = bytes.indexOf(ROWS_OF_VALUE); at !== -1; at = bytes.indexOf(ROWS_OF_VALUE, at + 1)) {
    bytes.writeUInt16LE(0xffff, at + TO_FIRST_ROW);
  }
  await writeFile(file, bytes);
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

/** The search that finds out answers, and says so; the next cycle builds them. */
async function expectRenewed(store: Store, rows: number): Promise<void> {
  await expectFinds(store, rows);
  expect(store.damages).toMatchObject([{ mayLose: false, message: expect.stringContaining('search_text') as string }]);
  await store.optimize();
  expect(await indexed(store)).toBe(rows);
  await expectFinds(store, rows);
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

  it('may break during use: the search that notices it answers, and it is reported', async () => {
    await using folder = await temporaryFolder();
    await makeStore(folder.path, 60);
    const store = await openTestStore(folder.path);
    for (const file of await indexFiles(folder.path)) await truncate(file, 0);
    await expectRenewed(store, 60);
    await store.close();
  });

  it('may make the engine hang: the search finds everything without them', async () => {
    await using folder = await temporaryFolder();
    await makeStore(folder.path, 60);
    for (const file of await indexFiles(folder.path)) await disorder(file);
    const store = await openTestStore(folder.path, SPACE, silentLog, { patienceMs: 2000 });
    expect(store.damages).toEqual([]);
    await expectRenewed(store, 60);
    await store.close();
  });

  it('are rebuilt after two processes in a row crashed while merging them', async () => {
    await using folder = await temporaryFolder();
    await makeStore(folder.path, 60);
    const told: unknown[] = [];
    for (let lost = 0; lost < 3; lost += 1) {
      const lines: unknown[] = [];
      const info = (_: unknown, message: string): unknown => lines.push(message);
      const store = await openTestStore(folder.path, SPACE, { ...silentLog, info });
      await store.entries.insert(row(`walrus number ${60 + lost}`));
      await store.optimize();
      told.push(lines);
      expect(store.damages).toEqual([]);
      await expectFinds(store, 61 + lost);
      await store.close();
      // What processes leave that end in the middle of it.
      for (let nth = 0; nth <= lost; nth += 1) new CrashMarker(folder.path).begin();
    }
    expect(told).toEqual([[], [], [expect.stringContaining('indexes are rebuilt')]]);
  });

  it('are rebuilt if they keep new rows out of the table', async () => {
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
