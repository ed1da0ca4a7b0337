import { describe, expect, it } from 'vitest';
import { embedText } from '../../../src/embeddings/builtin.ts';
import { temporaryFolder } from '../../helpers/folder.ts';
import { openTestStore, row, SPACE } from '../../helpers/store.ts';

const { fingerprint } = SPACE;

describe('the cosines of the passages of an entry', () => {
  it.each([
    ['in memory', 64 * 1024 * 1024],
    ['not in memory', 0],
  ])('are equal from memtable and table, with vectors %s', async (_, vectorCacheBytes) => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path, SPACE, undefined, { vectorCacheBytes });
    const [one, two, three] = ['the walrus sleeps', 'the walrus eats', 'a train leaves'].map(embedText) as [
      Float32Array,
      Float32Array,
      Float32Array,
    ];
    const short = (await store.entries.insert(row('short', {}, { embedder: fingerprint, first: one, further: [] }))).entry.id;
    const long = (await store.entries.insert(row('long', {}, { embedder: fingerprint, first: three, further: [two, one] }))).entry.id;
    const other = (await store.entries.insert(row('other', {}, { embedder: 'other/384', first: one, further: [] }))).entry.id;
    const pending = (await store.entries.insert(row('pending', {}, 'pending'))).entry.id;
    const ask = () => store.passageCosines({ ids: [short, long, other, pending, 'nobody'], vector: one, fingerprint });
    const fresh = await ask();
    expect([...fresh.keys()].toSorted()).toEqual([short, long].toSorted());
    expect(fresh.get(short)).toHaveLength(1);
    expect(fresh.get(short)![0]).toBeCloseTo(1, 4);
    expect(fresh.get(long)).toHaveLength(3);
    expect(fresh.get(long)!.indexOf(Math.max(...fresh.get(long)!))).toBe(2);
    await store.optimize();
    const stored = await ask();
    expect([...stored.keys()].toSorted()).toEqual([short, long].toSorted());
    for (const [id, cosines] of fresh) for (const [nth, cosine] of cosines.entries()) expect(stored.get(id)![nth]).toBeCloseTo(cosine, 3);
    await store.close();
  });
});
