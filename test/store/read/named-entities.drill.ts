import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Store } from '../../../src/store/store.ts';
import { temporaryFolder } from '../../helpers/folder.ts';
import { allEntries, openTestStore, row } from '../../helpers/store.ts';

const NAMES = ['src/a.ts', 'src/b.ts', 'it\'s "quoted".ts', "x' OR '1'='1", 'parse()', 'parse', '@ken', 'Ünïcode/世界.md', '%_[]'];

/** What the entries themselves say, read one by one. */
async function truth(store: Store, names: readonly string[], namespace?: string): Promise<string[]> {
  const entries = await allEntries(store);
  return entries
    .filter((entry) => (namespace === undefined || entry.namespace === namespace) && entry.entities?.some((name) => names.includes(name)))
    .map(({ id }) => id)
    .toSorted();
}

async function counted(store: Store, namespace?: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const entry of await allEntries(store)) {
    if (namespace !== undefined && entry.namespace !== namespace) continue;
    for (const name of entry.entities ?? []) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

async function expectAgreement(store: Store): Promise<void> {
  for (const names of [...NAMES.map((name) => [name]), NAMES.slice(0, 3), ['nobody has this']]) {
    expect((await store.named.entries(names)).toSorted()).toEqual(await truth(store, names));
    expect((await store.named.entries(names, { namespaces: ['one'] })).toSorted()).toEqual(await truth(store, names, 'one'));
  }
  for (const names of [NAMES, NAMES.slice(0, 2)]) {
    const holders = await store.named.holders(names, 'one', 3);
    for (const name of names) {
      const all = await truth(store, [name], 'one');
      const found = holders.get(name) ?? [];
      expect(all).toEqual(expect.arrayContaining(found));
      expect(found.length).toBeGreaterThanOrEqual(Math.min(3, all.length));
    }
  }
  expect(await store.named.counts()).toEqual(await counted(store));
  expect(await store.named.counts('one')).toEqual(await counted(store, 'one'));
}

const steps = fc.array(
  fc.record({
    what: fc.constantFrom('insert', 'insert', 'insert', 'update', 'remove', 'optimize'),
    names: fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 4 }),
    namespace: fc.constantFrom('one', 'two'),
    at: fc.nat(),
  }),
  { minLength: 5, maxLength: 30 },
);

describe('entries by entity', () => {
  it('are the same from table, index and memtable, after any changes', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (todo) => {
        await using folder = await temporaryFolder();
        const store = await openTestStore(folder.path);
        const ids: string[] = [];
        for (const [nth, { what, names, namespace, at }] of todo.entries()) {
          const entities = names.length === 0 ? {} : { entities: names };
          const id = ids[at % Math.max(1, ids.length)];
          if (what === 'insert') {
            const { entry } = await store.entries.insert(row(`text ${nth}`, { namespace, container: namespace, ...entities }));
            ids.push(entry.id);
          } else if (what === 'optimize') await store.optimize();
          else if (id !== undefined && what === 'update') {
            await store.entries.update(id, ({ entry: { entities: _old, ...entry }, ...rest }) => ({
              ...rest,
              entry: { ...entry, ...entities },
            }));
          } else if (id !== undefined) {
            await store.entries.remove(id);
            ids.splice(ids.indexOf(id), 1);
          }
        }
        await expectAgreement(store);
        await store.optimize();
        await expectAgreement(store);
        await store.close();
      }),
      { numRuns: 12 },
    );
  }, 120_000);

  it('are as many as requested if there are more, with any number of outdated rows', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    const rows = Array.from({ length: 40 }, (_, nth) => row(`text ${nth}`, { entities: ['src/a.ts'] }));
    await Promise.all(rows.map((one) => store.entries.insert(one)));
    await store.optimize();
    await Promise.all(rows.slice(0, 30).map(({ entry }) => store.entries.remove(entry.id)));
    expect((await store.named.entries(['src/a.ts'], {}, 7)).length).toBeGreaterThanOrEqual(7);
    expect(await store.named.entries(['src/a.ts'], {}, 20)).toHaveLength(10);
    await store.close();
  });
});
