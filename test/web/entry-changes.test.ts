import { describe, expect, it } from 'vitest';
import type { EntryVersion } from '../../web/src/api/entries.ts';
import type { Memory } from '../../web/src/api/responses.ts';
import { changesOf } from '../../web/src/entry/changes.ts';
import { draftOf, patchOf } from '../../web/src/entry/draft.ts';

const memory: Memory = {
  id: 'a',
  content: 'one\ntwo\nthree',
  metadata: {
    namespace: 'house',
    container: 'house',
    tags: ['keys', 'new'],
    timestamp: '2026-01-01T10:00:00.000Z',
    updatedAt: '2026-01-03T10:00:00.000Z',
    priority: 'high',
    importance: 0.9,
    source: 'mcp',
  },
};
const version = (replacedAt: string, state: Partial<EntryVersion['state']>): EntryVersion => ({
  writtenAt: '2026-01-01T10:00:00.000Z',
  replacedAt,
  replacedBy: 'web',
  state: { ...memory.metadata, content: memory.content, ...state },
});
const none = { id: 'a', relations: [], others: undefined };

describe('the history of a memory', () => {
  it('describes each change by its differences to the next version, latest first', () => {
    const versions = [
      version('2026-01-03T10:00:00.000Z', { tags: ['keys', 'old'], priority: 'normal', importance: 0.5 }),
      version('2026-01-02T10:00:00.000Z', { content: 'one\nzwei', tags: ['keys', 'old'], priority: 'normal', importance: 0.5 }),
    ];
    const changes = changesOf(memory, versions, none);
    expect(changes.map(({ what }) => what)).toEqual([
      ['Tag new added', 'Tag old removed', 'Priority: Normal → High'],
      ['Text edited, +2 −1 lines'],
      ['Saved'],
    ]);
    expect(changes.map(({ by, before }) => [by, before])).toEqual([
      ['this page', undefined],
      ['this page', 'one\nzwei'],
      ['agent (MCP)', undefined],
    ]);
  });

  it('describes moves and a changed importance, but not derived values', () => {
    const versions = [
      version('2026-01-03T10:00:00.000Z', { importance: 0.25 }),
      version('2026-01-02T10:00:00.000Z', { namespace: 'flat', container: 'flat', importance: 0.25 }),
      version('2026-01-01T12:00:00.000Z', { namespace: 'flat', container: 'flat', importance: 0.25 }),
    ];
    expect(changesOf(memory, versions, none).map(({ what }) => what)).toEqual([
      ['Importance: 0.25 → 0.90'],
      ['Namespace: flat → house'],
      ['Saved'],
    ]);
  });

  it('includes found relations if the other memory is known', () => {
    const others = new Map([['b', { ...memory, id: 'b', content: '# The **older** one' }]]);
    const relation = { type: 'supersedes', strength: 1, createdAt: '2026-01-02T00:00:00.000Z' } as const;
    const relations = [
      { ...relation, sourceId: 'a', targetId: 'b', origin: 'auto' as const },
      { ...relation, sourceId: 'c', targetId: 'a', origin: 'manual' as const },
    ];
    expect(changesOf(memory, [], { id: 'a', relations, others })).toMatchObject([
      { what: ['Linked: supersedes “The older one”'], by: 'found by Lore' },
      { what: ['Saved'] },
    ]);
  });
});

describe('a draft', () => {
  it('contains only changed fields', () => {
    expect(patchOf(memory, draftOf(memory))).toBeUndefined();
    expect(patchOf(memory, { ...draftOf(memory), tags: ['keys'], container: ' shelf ' })).toEqual({ tags: ['keys'], container: 'shelf' });
    expect(patchOf(memory, { ...draftOf(memory), namespace: '  ' })).toBeUndefined();
  });
});
