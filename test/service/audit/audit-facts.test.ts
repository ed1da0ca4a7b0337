import { describe, expect, it } from 'vitest';
import { callOf } from '../../../src/operations/operation.ts';
import { operationOf } from '../../../src/operations/table.ts';
import { factsOf } from '../../../src/service/audit/audit-facts.ts';

const [A, B, C] = ['a', 'b', 'c'].map((end) => `0198c6a0-0000-7000-8000-00000000000${end}`) as [string, string, string];
const entry = (id: string) => ({ id, content: 'text' });
const page = { total: 900, offset: 0, limit: 2 };

type Given = readonly unknown[];
/** What operations were given, what they answered, and what the record says. */
const ANSWERED: Readonly<Record<string, readonly [given: Given, answer: unknown, facts: object]>> = {
  'memories.save': [
    [{ content: 'text', namespace: 'ns', supersedes: [B] }, { source: 'cli' }],
    { ids: [A], message: '', outcomes: [], entry: entry(A) },
    { namespaces: ['ns'], ids: [B, A], count: 1 },
  ],
  'memories.get': [[A], entry(A), { ids: [A], count: 1 }],
  'memories.update': [[A, { namespace: 'ns' }], entry(A), { namespaces: ['ns'], ids: [A], count: 1 }],
  'memories.forget': [[A, {}], undefined, { ids: [A] }],
  'memories.markUsed': [[A], entry(A), { ids: [A], count: 1 }],
  'memories.list': [[{}], { entries: [entry(A), entry(B)], ...page }, { ids: [A, B], count: 2 }],
  'memories.recall': [[{ query: 'text' }], { query: '', mode: 'hybrid', results: [{ entry: entry(A), score: 1 }] }, { ids: [A], count: 1 }],
  'memories.search': [[{ query: 'text', namespace: 'ns' }], undefined, { namespaces: ['ns'] }],
  'memories.explain': [
    [{ query: 'text', id: A, namespace: 'ns' }, {}],
    { id: A, reason: 'text' },
    { namespaces: ['ns'], ids: [A], count: 1 },
  ],
  'memories.namespaces': [[], [{ namespace: 'ns', entries: 5 }], {}],
  'memories.stats': [[{ namespace: 'ns' }], { total: 5 }, { namespaces: ['ns'] }],
  'memories.migrate': [[{ dryRun: true }], { stale: 7, migrated: 7 }, { count: 7, dryRun: true }],
  'relations.relate': [[{ sourceId: A, targetId: B, type: 'similar' }], { sourceId: A }, { ids: [A, B] }],
  'relations.list': [
    [{ id: A, namespace: 'ns' }],
    { relations: [{ sourceId: A, targetId: B }], ...page },
    { ids: [A], namespaces: ['ns'] },
  ],
  'relations.related': [[A, {}], [{ entry: entry(B), depth: 1, relation: {} }], { ids: [A, B], count: 1 }],
  'relations.graph': [[{}], { nodes: [{ id: A }, { id: B }], edges: [], truncated: false }, { ids: [A, B], count: 2 }],
  'relations.entities': [[{ name: 'x' }], { entities: [], entries: [entry(A)] }, { ids: [A], count: 1 }],
  'relations.changeNames': [
    [{ name: 'a.ts', remove: ['a.ts'], namespace: 'ns' }],
    { dryRun: false, matches: 1, changed: [{ id: B, added: [], removed: ['a.ts'] }], left: 0 },
    { ids: [B], namespaces: ['ns'], count: 1 },
  ],
  'relations.renamePath': [
    [{ from: 'a', to: 'b', dryRun: true }],
    { dryRun: true, changed: [A, B] },
    { ids: [A, B], count: 2, dryRun: true },
  ],
  'lifecycle.compact': [[{}], { archived: 1200, purged: 30, items: [{ id: A }] }, { ids: [A], count: 1230 }],
  'lifecycle.forgetMany': [
    [{ namespace: 'ns' }],
    { matches: 44, preview: [entry(A), entry(B)], done: false },
    { namespaces: ['ns'], ids: [A, B], count: 44, dryRun: true },
  ],
  'lifecycle.archived': [[{}], { entries: [{ entry: entry(A), relations: [] }], ...page }, { ids: [A], count: 1 }],
  'lifecycle.restore': [[{ run: 'r' }], { restored: [A], skipped: [{ id: C, reason: '' }] }, { ids: [A], count: 1 }],
  'lifecycle.history': [[A], { entry: entry(A), versions: [{}, {}] }, { ids: [A], count: 1 }],
  'lifecycle.undo': [[A], undefined, { ids: [A] }],
  'backups.list': [[], [{ name: 'one', createdAt: 1, entries: 5, bytes: 1 }], {}],
  'backups.verify': [[{ name: 'one' }], { name: 'one', whole: true, problems: [], entries: 5 }, { count: 5 }],
  'bulk.timeline': [
    [{ namespace: 'ns' }],
    { timeZone: 'UTC', total: 40, days: [{ day: '2026-01-31', entries: 40 }] },
    { namespaces: ['ns'] },
  ],
  'bulk.values': [[{ field: 'tags', namespace: 'ns' }], { values: [], total: 0, offset: 0, limit: 100 }, { namespaces: ['ns'] }],
  'bulk.tag': [
    [{ ids: [A] }],
    { dryRun: false, matches: 50, changed: [{ id: B, added: ['x'], removed: [] }], left: 49 },
    { ids: [A, B], count: 1 },
  ],
  'details.similar': [[A, {}, {}], { vector: 'stored', results: [{ entry: entry(B), score: 1 }] }, { ids: [A, B], count: 1 }],
  'details.passages': [[A, { source: 'cli' }], [{ start: 0, end: 10, chars: 10, preview: 'text' }], { ids: [A] }],
  'sync.entries': [
    [{ namespace: 'ns', ids: [A, B] }],
    { entries: [entry(A)], relations: [], rest: [] },
    { namespaces: ['ns'], ids: [A, B], count: 1 },
  ],
  'sync.apply': [
    [{ namespace: 'ns' }],
    { stored: 1, changed: 2, restored: 3, forgotten: 4, removed: 5, kept: 9 },
    { namespaces: ['ns'], count: 15 },
  ],
  'moves.rename': [[{ from: 'one', to: 'two' }], { moved: 5, merged: 0 }, { namespaces: ['one', 'two'], count: 5 }],
  'moves.merge': [[{ from: ['one', 'two'], into: 'ns' }], { moved: 5, merged: 3 }, { namespaces: ['one', 'two', 'ns'], count: 8 }],
  'capture.accept': [[{ namespace: 'ns', text: 'text' }], { accepted: true }, { namespaces: ['ns'] }],
  'capture.sessions': [[{}], [{ session: 's', client: 'c', namespace: 'ns', kept: 3, refused: 1 }], {}],
  'capture.undo': [
    [{ session: 's', dryRun: true }],
    { session: 's', dryRun: true, permanent: false, entries: 6 },
    { count: 6, dryRun: true },
  ],
  'capture.review': [[{ ids: [A, B], verdict: 'keep' }], { verdict: 'keep', entries: 2 }, { ids: [A, B], count: 2 }],
  'capture.context': [[{ prompt: 'text' }], { namespace: 'ns', text: '', tokens: 0, items: [{ id: A }] }, { ids: [A] }],
  'sources.list': [[{ namespace: 'ns' }], { sources: [{ path: 'a.ts', entries: 4 }], ...page }, { namespaces: ['ns'] }],
  'sources.replace': [
    [{ root: 'r', files: [] }],
    [
      { path: 'a.ts', stored: 3, kept: 10, removed: 1 },
      { path: 'b.ts', stored: 2, kept: 0, removed: 0 },
    ],
    { count: 6 },
  ],
  'sources.remove': [[{ namespace: 'ns', paths: ['a.ts'] }], [{ path: 'a.ts', removed: 3 }], { namespaces: ['ns'], count: 3 }],
  'memories.export': [[{ namespace: 'ns' }], { count: 7 }, { namespaces: ['ns'], count: 7 }],
  'memories.import': [
    [[], { namespace: 'ns', dryRun: true }, { source: 'cli' }],
    { lines: 9, stored: 4, duplicates: 3, invalid: 2, errors: [] },
    { namespaces: ['ns'], count: 4, dryRun: true },
  ],
  'changes.follow': [[{ namespace: 'ns', after: '5' }, {}], undefined, { namespaces: ['ns'] }],
  'moves.move': [[{ ids: [A], to: 'ns' }], undefined, { ids: [A], namespaces: ['ns'] }],
};

describe('the audit record of an operation', () => {
  it.each(Object.entries(ANSWERED))('has the fields of its definition: %s', (operation, [given, answer, facts]) => {
    const [group = '', name = ''] = operation.split('.');
    const definition = operationOf(group, name)!;
    expect(factsOf(definition, callOf(definition, given), answer)).toEqual(facts);
  });
});
