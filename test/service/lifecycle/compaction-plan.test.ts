import { describe, expect, it } from 'vitest';
import { relationKey } from '../../../src/memory/relation.ts';
import { expired, type CompactionRules } from '../../../src/service/lifecycle/compaction-plan.ts';
import { Catalog } from '../../../src/store/catalog/catalog.ts';
import { catalogEntryOf } from '../../../src/store/catalog/catalog-entry.ts';
import { RelationGraph } from '../../../src/store/catalog/relation-graph.ts';
import { row } from '../../helpers/store.ts';

const COUNT = 20_000;
const RULES: CompactionRules = {
  enabled: true,
  schedule: '0 3 * * *',
  ttlDays: 30,
  maxEntries: 100_000,
  removeLowImportance: true,
  lowImportanceThreshold: 0.2,
  deduplicationSimilarityThreshold: 1,
  archiveDays: 30,
};

describe('age-based compaction', () => {
  it('archives none of twenty thousand entries that each supersede the one before, if the first stays', () => {
    const graph = new RelationGraph();
    const catalog = new Catalog();
    for (let nth = 0; nth < COUNT; nth += 1) {
      catalog.set(catalogEntryOf({ ...row(`note ${nth}`, { id: `id-${nth}`, priority: nth === 0 ? 'high' : 'low' }), writtenAt: 0 }));
      if (nth === 0) continue;
      graph.set({ sourceId: `id-${nth}`, targetId: `id-${nth - 1}`, type: 'supersedes', strength: 1, createdAt: nth, origin: 'auto' });
    }
    const weighed = catalog.entries().map((known) => ({ known, worth: 0, idleDays: 1000 }));
    expect(expired(weighed, RULES, graph)).toEqual([]);
    graph.delete(relationKey({ sourceId: 'id-9', type: 'supersedes', targetId: 'id-8' }));
    expect(expired(weighed, RULES, graph)).toHaveLength(COUNT - 9);
  });
});
