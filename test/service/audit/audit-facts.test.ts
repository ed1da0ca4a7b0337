import { describe, expect, it } from 'vitest';
import { factsOf } from '../../../src/service/audit/audit-facts.ts';

const [A, B, C] = ['a', 'b', 'c'].map((end) => `0198c6a0-0000-7000-8000-00000000000${end}`) as [string, string, string];
const entry = (id: string) => ({ id, content: 'text' });
const page = { total: 900, offset: 0, limit: 2 };

/** What was answered, and what the record says of it. */
const ANSWERS: Readonly<Record<string, readonly [answer: unknown, count: number | undefined, ids: readonly string[]]>> = {
  save: [{ ids: [A], message: '', outcomes: [], entry: entry(A) }, 1, [A]],
  get: [entry(A), 1, [A]],
  list: [{ entries: [entry(A), entry(B)], ...page }, 2, [A, B]],
  recall: [{ query: '', mode: 'hybrid', results: [{ entry: entry(A), score: 1 }] }, 1, [A]],
  namespaces: [[{ namespace: 'ns', entries: 5, containers: [], newest: 1 }], undefined, []],
  stats: [{ total: 5, namespaces: [], tags: 3, storage: {} }, undefined, []],
  migrate: [{ dryRun: false, status: 'done', target: 'm', total: 90, stale: 7, migrated: 7, from: [] }, 7, []],
  import: [{ lines: 9, stored: 4, duplicates: 3, invalid: 2, errors: [] }, 4, []],
  'relations.list': [{ relations: [{ sourceId: A, targetId: B }], ...page }, undefined, []],
  'relations.related': [[{ entry: entry(A), depth: 1, relation: {} }], 1, [A]],
  'relations.graph': [{ nodes: [{ id: A }, { id: B }], edges: [], truncated: false }, 2, [A, B]],
  'relations.renamePath': [{ dryRun: false, changed: [A, B] }, 2, [A, B]],
  'lifecycle.compact': [{ dryRun: false, run: 'r', looked: 5000, archived: 1200, purged: 30, items: [{ id: A }], byReason: {} }, 1230, [A]],
  'lifecycle.forgetMany': [{ matches: 44, preview: [entry(A), entry(B)], done: true, run: 'r' }, 44, [A, B]],
  'lifecycle.archived': [{ entries: [{ entry: entry(A), relations: [] }], ...page }, 1, [A]],
  'lifecycle.restore': [{ dryRun: false, restored: [A], skipped: [{ id: C, reason: '' }] }, 1, [A]],
  'lifecycle.history': [{ entry: entry(A), versions: [{ entryId: A }, { entryId: A }] }, 1, []],
  'backups.list': [[{ name: 'one', createdAt: 1, entries: 5, bytes: 1 }], undefined, []],
  'capture.sessions': [[{ session: 's', client: 'c', namespace: 'ns', kept: 3, refused: 1 }], undefined, []],
  'capture.undo': [{ session: 's', dryRun: false, permanent: false, entries: 6 }, 6, []],
  'capture.review': [{ verdict: 'keep', entries: 2 }, 2, []],
  'moves.merge': [{ dryRun: false, to: 'ns', matches: 9, moved: 5, merged: 3, duplicates: [], archived: 2, left: 1 }, 8, []],
  'sources.list': [{ sources: [{ path: 'a.ts', entries: 4 }], ...page }, undefined, []],
  'sources.replace': [
    [
      { path: 'a.ts', stored: 3, kept: 10, removed: 1 },
      { path: 'b.ts', stored: 2, kept: 0, removed: 0 },
    ],
    6,
    [],
  ],
  'sources.remove': [
    [
      { path: 'a.ts', removed: 3 },
      { path: 'b.ts', removed: 0 },
    ],
    3,
    [],
  ],
  'bulk.timeline': [{ timeZone: 'UTC', total: 40, days: [{ day: '2026-01-31', entries: 40 }] }, undefined, []],
  'bulk.tag': [{ dryRun: false, matches: 50, changed: [{ id: A, added: ['x'], removed: [] }], left: 49 }, 1, [A]],
  'details.passages': [[{ start: 0, end: 10, chars: 10, preview: 'text' }], undefined, []],
};

describe('the record of an operation', () => {
  it.each(Object.entries(ANSWERS))('counts entries and nothing else, and names them: %s', (operation, [answer, count, ids]) => {
    expect(factsOf(operation, [{}], answer)).toEqual({ ...(ids.length > 0 && { ids }), ...(count !== undefined && { count }) });
  });
});
