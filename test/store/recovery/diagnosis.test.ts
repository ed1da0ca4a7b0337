import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../helpers/folder.ts';
import { openTestStore, row } from '../../helpers/store.ts';

describe('a diagnosis', () => {
  it('of a new store finds nothing wrong', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    expect(await store.diagnose({})).toEqual({
      rows: 0,
      freshRows: 0,
      unindexedRows: { keyword: 0, vector: 0 },
      vectorIndex: { kind: 'none' },
      recall: { probes: 0, all: 1, oneNamespace: 1, worst: 1 },
      drift: 0,
      disagreements: 0,
      findings: [],
    });
    await store.close();
  });

  it('compares the vector index with an exact search, of all rows and of one namespace', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    const names = ['walrus', 'heron', 'crane', 'harbour', 'stone', 'river', 'dawn'];
    const rows = Array.from({ length: 2200 }, (_, nth) =>
      row(`${names[nth % 7]} ${names[(nth * 3) % 5]} ${nth} by the ${names[(nth * 5) % 6]}`, {
        namespace: nth % 10 === 0 ? 'few' : 'many',
      }),
    );
    await Promise.all(rows.map((fresh) => store.entries.insert(fresh)));
    await store.optimize();
    await store.entries.insert(row('one more that is fresh'));
    const found = await store.diagnose({ probes: 20 });
    expect(found).toMatchObject({ rows: 2201, freshRows: 1, unindexedRows: { keyword: 0, vector: 0 }, disagreements: 0, findings: [] });
    expect(found.vectorIndex.kind).toBe('ivf_rq');
    expect(found.vectorIndex.builtAt).toBeGreaterThan(Date.now() - 60_000);
    expect(found.recall.probes).toBe(20);
    expect(Math.min(found.recall.all, found.recall.oneNamespace)).toBeGreaterThan(0.95);
    expect(found.drift).toBeCloseTo(1 / 2201, 4);
    await store.close();
  });

  it('counts rows that the table lost outside of the store', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    const rows = ['heron', 'crane', 'walrus'].map((content) => row(content));
    for (const fresh of rows) await store.entries.insert(fresh);
    await store.optimize();
    store.catalog.set({ ...store.catalog.entries()[0]!, id: '018f0000-0000-7000-8000-000000000000' });
    const found = await store.diagnose({ probes: 3 });
    expect(found.disagreements).toBe(1);
    expect(found.findings).toHaveLength(1);
    await store.close();
  });
});
