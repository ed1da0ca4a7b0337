import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { DuplicateRequestError, type IdempotentRequest } from '../../../src/memory/idempotency.ts';
import { silentLog } from '../../../src/memory/log.ts';
import { IdempotencyStore } from '../../../src/service/changes/idempotency-store.ts';
import { IdempotencyIndex, type ResponseLimits } from '../../../src/store/catalog/idempotency-index.ts';
import { Store } from '../../../src/store/store.ts';
import { temporaryFolder } from '../../helpers/folder.ts';
import { allEntries, row, SPACE } from '../../helpers/store.ts';

const DAY_MS = 86_400_000;

function openStore(folder: string, answers?: ResponseLimits): Promise<Store> {
  const hnsw = { fromRows: 10_000, efConstruction: 100, ef: 100 };
  return Store.open(
    { path: folder, durability: 'full', vectorCacheBytes: 1024 * 1024, hnsw, log: silentLog, ...(answers && { answers }) },
    SPACE,
  );
}

const request = (id: string, fingerprint = 'f'): IdempotentRequest => ({
  id,
  fingerprint,
  responseTo: (result) => JSON.stringify(result ?? null),
});
const answer = (id: string, at: number, text = 'x') => ({ id, fingerprint: 'f', at, answer: text });

describe('changes of one request', () => {
  it('are applied once, also if both wait for one commit', async () => {
    await using folder = await temporaryFolder();
    const store = await openStore(folder.path);
    const [first, second] = await Promise.allSettled([
      store.entries.insert(row('heron'), request('a')),
      store.entries.insert(row('egret'), request('a')),
    ]);
    expect(first).toMatchObject({ status: 'fulfilled', value: { entry: { content: 'heron' } } });
    expect(second).toMatchObject({ status: 'rejected', reason: expect.any(DuplicateRequestError) as unknown });
    expect((await allEntries(store)).map(({ content }) => content)).toEqual(['heron']);
    await store.close();
  });

  it('are refused if the key belongs to another request', async () => {
    await using folder = await temporaryFolder();
    const store = await openStore(folder.path);
    await store.entries.insert(row('heron'), request('a'));
    await expect(store.entries.insert(row('egret'), request('a', 'g'))).rejects.toMatchObject({ code: 'key_reused' });
    expect(await allEntries(store)).toHaveLength(1);
    await store.close();
  });

  it('store nothing if they fail', async () => {
    await using folder = await temporaryFolder();
    const store = await openStore(folder.path);
    await expect(store.entries.remove('00000000-0000-7000-8000-000000000000', request('a'))).rejects.toMatchObject({ code: 'not_found' });
    expect(store.auxiliary.idempotencyIndex.find('a')).toBeUndefined();
    await store.close();
  });

  it('are recognised from the log and from the table', async () => {
    await using folder = await temporaryFolder();
    let store = await openStore(folder.path);
    const { entry } = await store.entries.insert(row('heron'), request('a'));
    await store.entries.remove(entry.id, request('b'));
    for (const moment of ['in the journal', 'in the table', 'after another start']) {
      if (moment !== 'in the journal') await store.optimize();
      await store.close();
      store = await openStore(folder.path);
      await expect(store.entries.insert(row('heron'), request('a')), moment).rejects.toThrow(DuplicateRequestError);
      await expect(store.entries.remove(entry.id, request('b')), moment).rejects.toThrow(DuplicateRequestError);
      expect(JSON.parse((await store.auxiliary.answers.get('a'))!.answer)).toMatchObject({ status: 'stored', entry: { id: entry.id } });
      expect(await allEntries(store)).toEqual([]);
    }
    await store.close();
  });
});

describe('stored responses', () => {
  it('expire, and leave the table with the next maintenance', async () => {
    await using folder = await temporaryFolder();
    let now = 1_000_000;
    const limits = { keptMs: DAY_MS, now: () => now };
    const store = await openStore(folder.path, limits);
    const book = new IdempotencyStore(store);
    const save = (): Promise<string | undefined> => book.once(request('a'), () => store.entries.insert(row('heron'), request('a')));
    expect(await save()).toBeUndefined();
    now += DAY_MS - 1;
    expect(await save()).toContain('heron');
    await store.optimize();
    now += 1;
    await store.entries.insert(row('egret'));
    await store.optimize();
    expect(await store.auxiliary.answers.all()).toEqual([]);
    expect(await save()).toBeUndefined();
    expect((await store.auxiliary.answers.all()).map(({ at }) => at)).toEqual([now]);
    await store.close();
  });

  it('are limited in number to the newest', () => {
    const known = new IdempotencyIndex({ keptMs: DAY_MS, maxCount: 3, now: () => 100 });
    for (const nth of [1, 2, 3, 4, 5]) known.add(answer(`r${nth}`, nth));
    expect(known.dropOutdated()).toEqual(['r1', 'r2']);
    expect(['r2', 'r3', 'r5'].map((id) => known.find(id) !== undefined)).toEqual([false, true, true]);
    expect(known.dropOutdated()).toEqual([]);
  });

  it('are limited in size to the newest', () => {
    const known = new IdempotencyIndex({ keptMs: DAY_MS, maxBytes: 25, now: () => 100 });
    for (const nth of [1, 2, 3]) known.add(answer(`r${nth}`, nth, 'x'.repeat(10)));
    // The same once more, as a journal that is read again says it.
    known.add(answer('r3', 3, 'x'.repeat(10)));
    expect(known.dropOutdated()).toEqual(['r1']);
    known.delete('r2');
    known.add(answer('r4', 4, 'x'.repeat(15)));
    expect(known.dropOutdated()).toEqual([]);
  });
});

describe('the idempotency store', () => {
  it('refuses the same request while it is in progress, and does not store its failure', async () => {
    await using folder = await temporaryFolder();
    const store = await openStore(folder.path);
    const book = new IdempotencyStore(store);
    let fail = (_error: Error): void => undefined;
    const first = book.once(request('a'), () => new Promise((_resolve, reject) => (fail = reject)));
    // One turn for the book to note it.
    await Promise.resolve();
    await expect(book.once(request('a'), () => Promise.resolve('never'))).rejects.toMatchObject({ code: 'conflict', retryAfterSeconds: 1 });
    await expect(book.once(request('a', 'g'), () => Promise.resolve('never'))).rejects.toMatchObject({ code: 'key_reused' });
    fail(new Error('the model is gone'));
    await expect(first).rejects.toThrow('the model is gone');
    expect(await book.once(request('a'), () => Promise.resolve({ done: 1 }))).toBeUndefined();
    expect(await book.once(request('a'), () => Promise.resolve({ done: 2 }))).toBe('{"done":1}');
    await store.close();
  });

  it('returns the first response if another request came in between', async () => {
    await using folder = await temporaryFolder();
    const store = await openStore(folder.path);
    // Two books on one order of changes, as two servers on one journal.
    const books = [new IdempotencyStore(store), new IdempotencyStore(store)];
    const went = await Promise.all(
      books.map((book) => book.once(request('a'), () => store.entries.insert(row('the same stork'), request('a')))),
    );
    expect(went[0]).toBeUndefined();
    expect(went[1]).toContain('the same stork');
    expect(await allEntries(store)).toHaveLength(1);
    await store.close();
  });
});

it('a stored response is visible only to the tables of the store', async () => {
  await using folder = await temporaryFolder();
  const store = await openStore(folder.path);
  await store.entries.insert(row('heron'));
  expect(await readdir(folder.path)).not.toContain('answers.lance');
  await store.entries.insert(row('egret'), request('a'));
  await store.optimize();
  await store.close();
  expect(await readdir(folder.path)).toContain('answers.lance');
  const head = JSON.parse(await readFile(path.join(folder.path, 'head.json'), 'utf8')) as { sides: object };
  expect(head.sides).toHaveProperty('answers');
});
