import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { embedText } from '../../src/embeddings/builtin.ts';
import type { LoreError } from '../../src/memory/errors.ts';
import { silentLog } from '../../src/memory/log.ts';
import type { EntryFilter } from '../../src/memory/entry.ts';
import type { VectorSpace } from '../../src/store/format/vector-space.ts';
import { Store } from '../../src/store/store.ts';
import { SERVICE_KEY, startLanceService, type LanceService } from '../helpers/lancedb-service.ts';
import { failureOf } from '../helpers/failure.ts';
import { allEntries, row, SPACE } from '../helpers/store.ts';

let service: LanceService;
let folder: string;
const opened: Store[] = [];

beforeEach(async () => {
  service = await startLanceService();
  folder = await mkdtemp(join(tmpdir(), 'lore-db-'));
});

afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
  await service[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

interface Differences {
  readonly options?: Readonly<Record<string, string>>;
  /** Name of the folder with the journal. */
  readonly local?: string;
  readonly fromRows?: number;
  readonly space?: VectorSpace;
}

async function open({
  options = {},
  local = 'local',
  fromRows = 10_000,
  space = { ...SPACE, kind: 'semantic' },
}: Differences = {}): Promise<Store> {
  const localPath = join(folder, local);
  await mkdir(localPath, { recursive: true });
  const store = await Store.open(
    {
      path: 'db://team',
      durability: 'full',
      vectorCacheBytes: 64 * 1024 * 1024,
      hnsw: { fromRows, efConstruction: 100, ef: 100 },
      log: silentLog,
      shared: { options: { apiKey: SERVICE_KEY, hostOverride: service.url, ...options }, timeoutMs: 10_000, leaseMs: 15_000, localPath },
    },
    space,
  );
  opened.push(store);
  return store;
}

const idsIn = async (table: string): Promise<string[]> => (await service.rows(table)).map(({ id }) => String(id)).toSorted();

async function byWords(store: Store, word: string, filter: EntryFilter = {}): Promise<string[]> {
  return (await store.searchKeywords({ tokens: [word], filter, limit: 20 })).map(({ id }) => id);
}

async function byMeaning(store: Store, text: string, filter: EntryFilter = {}): Promise<string[]> {
  const search = { vector: embedText(text), fingerprint: SPACE.fingerprint, filter, limit: 5 };
  return (await store.searchVectors(search)).map(({ id }) => id);
}

describe('a store in LanceDB Cloud', () => {
  it('stores entries in the tables of the service, and finds them by words and by meaning', async () => {
    const store = await open();
    const [fox, whale] = [row('the red fox sleeps'), row('a blue whale sings', { namespace: 'sea', tags: ['deep'] })];
    for (const each of [fox, whale]) await store.entries.insert(each);
    await store.optimize();
    expect(await idsIn('entries')).toEqual([fox.entry.id, whale.entry.id].toSorted());
    expect(await byWords(store, 'whale')).toEqual([whale.entry.id]);
    expect(await byMeaning(store, 'red fox')).toEqual([fox.entry.id, whale.entry.id]);
    expect(await byMeaning(store, 'red fox', { namespaces: ['sea'] })).toEqual([whale.entry.id]);
    expect(await byWords(store, 'whale', { tags: ['shallow'] })).toEqual([]);
    expect((await allEntries(store)).map(({ content }) => content)).toEqual(['the red fox sleeps', 'a blue whale sings']);
    expect(store.entries.count({ tags: ['deep'] })).toBe(1);
  });

  it('completes an interrupted creation', async () => {
    service.breakAfter = '/v1/table/entries/create_index/';
    expect(await failureOf(open())).toMatchObject({ code: 'unavailable' });
    service.breakAfter = undefined;
    const store = await open();
    await store.entries.insert(row('all the same'));
    await store.optimize();
    expect(await byWords(store, 'same')).toHaveLength(1);
    expect((await service.rows('meta')).map(({ key }) => key)).toEqual(['format', 'created', 'home']);
  });

  it('shows entries that are not flushed yet together with the others', async () => {
    const store = await open();
    const old = row('a lamp by the door');
    await store.entries.insert(old);
    await store.optimize();
    service.isBusy = true;
    const fresh = row('a lamp in the attic');
    await store.entries.insert(fresh);
    service.isBusy = false;
    expect((await byWords(store, 'lamp')).toSorted()).toEqual([old.entry.id, fresh.entry.id].toSorted());
    expect((await byMeaning(store, 'a lamp')).toSorted()).toEqual([old.entry.id, fresh.entry.id].toSorted());
  });

  it('changes and forgets flushed entries', async () => {
    const store = await open();
    const [kept, gone] = [row('the key is under the pot'), row('the milk is sour')];
    for (const each of [kept, gone]) await store.entries.insert(each);
    await store.optimize();
    await store.entries.update(kept.entry.id, (before) => ({ ...row('the key is with Ana', { id: before.entry.id }) }));
    await store.entries.remove(gone.entry.id);
    expect(await byWords(store, 'pot')).toEqual([]);
    await store.optimize();
    expect(await idsIn('entries')).toEqual([kept.entry.id]);
    expect(await byWords(store, 'pot')).toEqual([]);
    expect(await byWords(store, 'milk')).toEqual([]);
    expect(await byWords(store, 'ana')).toEqual([kept.entry.id]);
    expect((await store.entries.get(kept.entry.id)).content).toBe('the key is with Ana');
  });

  it('flushes its log automatically when idle', async () => {
    const store = await open();
    const { entry } = row('one entry alone');
    await store.entries.insert({ ...row('one entry alone'), entry });
    await expect.poll(() => idsIn('entries'), { timeout: 10_000 }).toEqual([entry.id]);
  });

  it('finds after a restart entries that were only in the log, and flushes them', async () => {
    const first = await open();
    const [written, waiting] = [row('in the tables'), row('in the journal')];
    await first.entries.insert(written);
    await first.optimize();
    service.isBusy = true;
    await first.entries.insert(waiting);
    await first.close();
    expect(await idsIn('entries')).toEqual([written.entry.id]);
    service.isBusy = false;
    const second = await open();
    expect((await allEntries(second)).map(({ content }) => content)).toEqual(['in the tables', 'in the journal']);
    await second.optimize();
    expect(await idsIn('entries')).toEqual([written.entry.id, waiting.entry.id].toSorted());
  });

  it.each([
    ['a write that was done although it failed', { after: 1, done: true }],
    ['a write that was not done', { after: 1, done: false }],
    ['a removal that was done although it failed', { after: 0, done: true }],
    ['a removal that was not done', { after: 0, done: false }],
  ])('has every entry once after %s', async (_, breakWrite) => {
    const store = await open();
    const [changed, removed] = [row('the first version'), row('not for long')];
    for (const each of [changed, removed]) await store.entries.insert(each);
    await store.optimize();
    service.breakWrite = { ...breakWrite };
    const { id } = changed.entry;
    await store.entries.update(id, () => row('the second version', { id }));
    await store.entries.remove(removed.entry.id);
    const added = row('another entry');
    await store.entries.insert(added);
    expect(await failureOf(store.optimize())).toMatchObject({ code: 'unavailable' });
    service.breakWrite = undefined;
    expect((await store.entries.get(id)).content).toBe('the second version');
    await store.optimize();
    expect(await idsIn('entries')).toEqual([id, added.entry.id].toSorted());
    expect(await byWords(store, 'first')).toEqual([]);
    await store.close();
    const again = await open();
    expect((await allEntries(again)).map(({ content }) => content).toSorted()).toEqual(['another entry', 'the second version']);
  });

  it('continues after the service merged the tables, and counts words once', async () => {
    const store = await open();
    const rows = Array.from({ length: 8 }, (_, nth) => row(`walnut number ${nth}`));
    for (const each of rows) {
      await store.entries.insert(each);
      await store.optimize();
    }
    await service.settle();
    const { id } = rows[3]!.entry;
    await store.entries.update(id, () => row('a hazelnut', { id }));
    await store.optimize();
    expect(await byWords(store, 'walnut')).toHaveLength(7);
    await store.whenCounted();
    expect(store.words.documentFrequency('walnut')).toBe(7);
    expect(await store.entries.getMany(rows.map((each) => each.entry.id))).toHaveLength(8);
  });

  it('requests a vector index once there are enough vectors, and keeps searching', async () => {
    const store = await open({ fromRows: 40 });
    const rows = Array.from({ length: 60 }, (_, nth) => row(`topic ${nth} of the meeting about ${nth * 7}`));
    await Promise.all(rows.map((each) => store.entries.insert(each)));
    await store.optimize();
    const { content } = rows[17]!.entry;
    // The index is approximate: among so few texts that are so much alike it may leave out the very one.
    expect(await byMeaning(store, content)).toHaveLength(5);
    await service.settle();
    expect(await byMeaning(store, content)).toHaveLength(5);
    const asked = (): number => service.requests.filter((request) => request.endsWith('/create_index/')).length;
    const before = asked();
    await store.entries.insert(row('one more topic'));
    await store.optimize();
    expect(asked()).toBe(before);
    expect(before).toBe(11);
    await store.close();
    const again = await open({ fromRows: 40 });
    expect(await byMeaning(again, content)).toHaveLength(5);
    expect(asked()).toBe(before);
  });

  it('reads the texts of many entries, and diagnoses its indexes', async () => {
    const store = await open();
    const rows = Array.from({ length: 700 }, (_, nth) => row(`sentence ${nth}`));
    await Promise.all(rows.map((each) => store.entries.insert(each)));
    await store.optimize();
    await store.close();
    const again = await open();
    expect(await again.entries.getMany(rows.map(({ entry }) => entry.id))).toHaveLength(700);
    expect(await again.diagnose({ probes: 5 })).toMatchObject({ recall: { all: 1 } });
    expect(await again.figures.table()).toMatchObject({ unindexedRows: expect.any(Number) as number });
  });
});

describe('a store in LanceDB Cloud lets in', () => {
  it('one process at a time', async () => {
    await open();
    expect(await failureOf(open())).toMatchObject({ code: 'filesystem' });
  });

  it('one folder with a log, and names it', async () => {
    const first = await open();
    await first.entries.insert(row('mine'));
    await first.close();
    const failure = (await failureOf(open({ local: 'other' }))) as LoreError;
    expect(failure).toMatchObject({ code: 'conflict', message: expect.stringContaining('belongs to another folder') as string });
    const name = /write ([0-9a-f-]{36}) to (\S+):/.exec(failure.hint ?? '');
    await writeFile(name![2]!, name![1]!);
    expect((await open({ local: 'other' })).path).toBe('db://team');
  });

  it.each([
    ['a key that it does not know', { apiKey: 'sk_wrong' }, 'unavailable', 'denies access to this key'],
    ['no key at all', { apiKey: '' }, 'config', 'needs a key'],
    ['a host that nobody listens on', { hostOverride: 'http://127.0.0.1:9' }, 'unavailable', 'cannot be reached'],
    ['an option that it does not know', { endpoint: 'x' }, 'config', 'endpoint'],
  ])('nobody with %s, and reports it', async (_, options, code, message) => {
    const failure = (await failureOf(open({ options }))) as LoreError;
    expect(failure).toMatchObject({ code, message: expect.stringContaining(message) as string });
    expect(JSON.stringify([failure.message, failure.hint, String(failure.cause)])).not.toContain('sk_wrong');
  });

  it('accepts option names in any spelling', async () => {
    const store = await open({ options: { host_override: service.url, API_KEY: SERVICE_KEY } });
    expect(store.entries.count({})).toBe(0);
  });
});

describe('a store in LanceDB Cloud refuses', () => {
  it('vectors of another width', async () => {
    await (await open()).close();
    const failure = await failureOf(open({ space: { fingerprint: 'other/512', width: 512, kind: 'semantic' } }));
    expect(failure).toMatchObject({ code: 'config', message: expect.stringContaining('vectors of 384 numbers') as string });
  });

  it('vectors of another model', async () => {
    const store = await open();
    expect(await failureOf(store.spaces.collect({ ...SPACE, fingerprint: 'other' }))).toMatchObject({ code: 'conflict' });
    expect(await store.spaces.begun()).toBeUndefined();
  });
});
