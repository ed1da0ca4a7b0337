import { describe, expect, it } from 'vitest';
import { embedText } from '../../../src/embeddings/builtin.ts';
import { catalogEntryOf, type CatalogEntry } from '../../../src/store/catalog/catalog-entry.ts';
import { VectorCache } from '../../../src/store/read/vector-cache.ts';
import { newGroup, VectorBlocks } from '../../../src/store/read/vector-blocks.ts';
import type { EntryRow } from '../../../src/store/format/rows.ts';
import { random } from '../../bench/corpus.mjs';
import { temporaryFolder } from '../../helpers/folder.ts';
import { openTestStore, row, SPACE } from '../../helpers/store.ts';

const next = random(3);
const unit = (width: number): Float32Array => {
  const vector = Float32Array.from({ length: width }, () => next() - 0.5);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
};
const known = (id: string): CatalogEntry => catalogEntryOf({ ...row(id, { id }), writtenAt: 1 });
const cosine = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, at) => sum + value * b[at]!, 0);

describe('vectors in memory', () => {
  it('return the cosine to four digits, of the first passage and the best other one', () => {
    for (const width of [3, 8, 385]) {
      const cache = new VectorCache({ fingerprint: 'x', width, maxBytes: 1e9 });
      const [first, second, third, query] = [unit(width), unit(width), unit(width), unit(width)] as [
        Float32Array,
        Float32Array,
        Float32Array,
        Float32Array,
      ];
      cache.set(known('short'), { first, further: [] });
      cache.set(known('long'), { first, further: [second, third] });
      expect(cache.first('short', query)).toBeCloseTo(cosine(first, query), 4);
      const [long, ...others] = [...cache.long()];
      expect(others).toEqual([]);
      expect(long?.known.id).toBe('long');
      expect(cache.further(long!, query)).toBeCloseTo(Math.max(cosine(second, query), cosine(third, query)), 4);
    }
  });

  it('find the nearest of a namespace like a full comparison, after any changes', () => {
    const words =
      'harbour crane yellow walrus dawn cache token deploy train vault secret noon court query index merge branch heron river stone'.split(
        ' ',
      );
    const text = (nth: number): string =>
      `${Array.from({ length: 9 }, (_, place) => words[(nth * (place + 3) + place * place) % words.length]).join(' ')} number${nth}`;
    const cache = new VectorCache({ fingerprint: 'x', width: 384, maxBytes: 1e9 });
    const there = new Map<string, string>();
    for (let nth = 0; nth < 900; nth += 1) {
      const namespace = nth % 3 === 0 ? 'other' : 'ns';
      const id = `${nth}`;
      cache.set(catalogEntryOf({ ...row(text(nth), { id, namespace }), writtenAt: 1 }), { first: embedText(text(nth)), further: [] });
      if (namespace === 'ns') there.set(id, text(nth));
      const gone = `${nth - 50}`;
      if (nth % 5 === 0) cache.delete(gone);
      if (nth % 5 === 0) there.delete(gone);
    }
    let found = 0;
    for (let nth = 0; nth < 50; nth += 1) {
      const query = embedText(text(nth * 17));
      const nearest = [...there].map(([id, own]) => ({ id, score: cosine(embedText(own), query) })).toSorted((a, b) => b.score - a.score);
      const ids = new Set(cache.nearest(query, { namespace: 'ns', limit: 10 }).map(({ id }) => id));
      expect(ids.size).toBe(10);
      found += nearest.slice(0, 10).filter(({ id }) => ids.has(id)).length;
    }
    expect(found).toBeGreaterThan(480);
    expect(cache.nearest(embedText('harbour'), { namespace: 'none', limit: 10 })).toEqual([]);
  });

  it('are removed with their entry, and their slot is reused', () => {
    const cache = new VectorCache({ fingerprint: 'x', width: 4, maxBytes: 1024 * 4 * 2 });
    for (let nth = 0; nth < 5000; nth += 1) {
      cache.set(known(`entry ${nth}`), { first: unit(4), further: [unit(4)] });
      if (nth >= 100) cache.delete(`entry ${nth - 100}`);
    }
    expect(cache.isFull).toBe(false);
    expect(cache.first('entry 10', unit(4))).toBeUndefined();
    expect(cache.first('entry 4999', unit(4))).toBeTypeOf('number');
  });

  it('free their memory for another namespace when all of one are removed', () => {
    const blocks = new VectorBlocks(200);
    const [left, next] = [newGroup(), newGroup()];
    const vectors = Array.from({ length: 40 }, () => unit(200));
    const places = vectors.map((vector) => blocks.write(vector, left));
    for (const place of places) blocks.release(place);
    const again = vectors.map((vector) => blocks.write(vector, next));
    expect(new Set(again).size).toBe(40);
    expect(Math.max(...again)).toBeLessThan(48);
    expect(again.map((place) => blocks.dot(place, vectors[0]!))).toEqual(
      vectors.map((vector) => expect.closeTo(cosine(vector, vectors[0]!), 4) as number),
    );
  });

  it('are given up above the memory limit', () => {
    const cache = new VectorCache({ fingerprint: 'x', width: 4, maxBytes: 1024 * 4 * 2 });
    for (let nth = 0; nth < 1100; nth += 1) cache.set(known(`entry ${nth}`), { first: unit(4), further: [] });
    cache.finish();
    expect(cache.isFull).toBe(true);
    expect(cache.isReady).toBe(false);
    expect(cache.first('entry 1', unit(4))).toBeUndefined();
  });

  it('return the nearest entries with cosines, while loading and loaded', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    const words = ['walrus', 'heron', 'crane', 'harbour', 'stone', 'river', 'dawn', 'secret'];
    const text = (nth: number): string => [1, 3, 5, 7].map((step) => words[(nth * step + step) % 8]).join(' ') + ` ${nth}`;
    const rows = Array.from({ length: 2300 }, (_, nth) => {
      const further = nth % 20 === 0 ? [embedText(`passage about the lighthouse ${nth}`)] : [];
      return row(
        text(nth),
        { namespace: nth % 3 === 0 ? 'a' : 'b' },
        { embedder: SPACE.fingerprint, first: embedText(text(nth)), further },
      );
    });
    await Promise.all(rows.map((fresh) => store.entries.insert(fresh)));
    await store.optimize();
    await store.entries.remove(rows[0]!.entry.id);
    const left = new Map(rows.slice(1).map((kept) => [kept.entry.id, kept]));
    const expectNearest = async (from: typeof store): Promise<void> => {
      for (const query of ['heron stone 7', 'passage about the lighthouse 40', 'secret dawn', '1200']) {
        const vector = embedText(query);
        const cosineOf = ({ vectors }: EntryRow): number =>
          Math.max(...[vectors!.first, ...vectors!.further].map((each) => cosine(each, vector)));
        for (const filter of [{}, { namespaces: ['a'] }]) {
          const within = [...left.values()].filter(({ entry }) => filter.namespaces?.includes(entry.namespace) ?? true);
          const nearest = within.map(cosineOf).toSorted((one, other) => other - one);
          const hits = await from.searchVectors({ vector, fingerprint: SPACE.fingerprint, filter, limit: 5 });
          expect(hits.map(({ id, score }) => [id, score])).toEqual(
            hits.map(({ id }) => [id, expect.closeTo(cosineOf(left.get(id)!), 4) as number]),
          );
          // The index is approximate: where many entries are about as near, it may leave out some of them.
          expect(hits.map(({ score }) => score)).toEqual(nearest.slice(0, 5).map((score) => expect.closeTo(score, 1) as number));
        }
      }
    };
    await expectNearest(store);
    await store.close();
    const again = await openTestStore(folder.path);
    await expectNearest(again);
    await expect.poll(() => again.spaces.cacheOf(SPACE.fingerprint)?.isReady).toBe(true);
    await expectNearest(again);
    await again.close();
  });
});
