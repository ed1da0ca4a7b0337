import { describe, expect, it } from 'vitest';
import { parseImportLine } from '../../../src/service/transfer/import-line.ts';

const ID = '018f2b6e-7c1d-7a53-9f42-5d1f6f0a1b2c';
const read = (line: unknown): unknown => parseImportLine(JSON.stringify(line));

describe('an import line', () => {
  it('with only a content sets nothing else', () => {
    expect(read({ content: 'tea' })).toEqual({ entry: { content: 'tea' } });
    expect(read({ content: 'tea', namespace: null, tags: null, id: null, metadata: null, timestamp: null, embedding: null })).toEqual({
      entry: { content: 'tea' },
    });
  });

  it('in the reference form has its fields in metadata', () => {
    const sourceRef = { file: 'a.md' };
    const metadata = {
      namespace: 'n',
      container: 'c',
      tags: ['t'],
      priority: 'medium',
      importance: 0.5,
      source: 'mcp',
      sourceRef,
      entities: ['ana'],
    };
    expect(
      read({
        id: ID,
        content: 'tea',
        metadata: { ...metadata, timestamp: '2026-01-02T03:04:05Z', updatedAt: '2026-01-03T00:00:00+01:00' },
      }),
    ).toEqual({
      entry: {
        id: ID,
        content: 'tea',
        ...metadata,
        priority: 'normal',
        createdAt: Date.UTC(2026, 0, 2, 3, 4, 5),
        updatedAt: Date.UTC(2026, 0, 2, 23),
      },
    });
  });

  it('in the guide form has fields next to the content, and a prefixed id', () => {
    expect(read({ id: `mem_${ID}`, content: 'tea', namespace: 'n', createdAt: '2026-01-02T00:00:00Z' })).toEqual({
      entry: { id: ID, content: 'tea', namespace: 'n', createdAt: Date.UTC(2026, 0, 2) },
    });
  });

  it('prefers metadata, and a timestamp over createdAt', () => {
    expect(read({ content: 'tea', namespace: 'outer', container: 'kept', metadata: { namespace: 'inner' } })).toEqual({
      entry: { content: 'tea', namespace: 'inner', container: 'kept' },
    });
    expect(read({ content: 'tea', createdAt: '2020-01-01T00:00:00Z', timestamp: '2021-01-01T00:00:00Z' })).toEqual({
      entry: { content: 'tea', createdAt: Date.UTC(2021, 0, 1) },
    });
  });

  it.each([['note-7'], [7], [0], ['']])('keeps the id %j of another store next to its origin', (id) => {
    expect(read({ id, content: 'tea', sourceRef: { file: 'a.md' } })).toEqual({
      entry: { content: 'tea', sourceRef: { file: 'a.md', importedId: id } },
    });
  });

  it('includes its vector and model', () => {
    expect(read({ content: 'tea', embedding: [0.5, -1], embedder: 'e/1' })).toEqual({
      entry: { content: 'tea', embedding: Float32Array.of(0.5, -1), embedder: 'e/1' },
    });
    expect(read({ content: 'tea', embedder: '' })).toEqual({ entry: { content: 'tea' } });
  });

  it('keeps a source of another store as a tag', () => {
    expect(read({ content: 'tea', source: 'claude-desktop', tags: ['a'] })).toEqual({
      entry: { content: 'tea', tags: ['a', 'source:claude-desktop'] },
      notes: ['source: claude-desktop is not a source of Lore, and became a tag'],
    });
    expect(read({ content: 'tea', metadata: { source: 'mac', tags: ['a'] } })).toMatchObject({ entry: { tags: ['a', 'source:mac'] } });
  });

  it('reports changed names', () => {
    expect(read({ content: 'tea', namespace: 'a\u200bb' })).toEqual({
      entry: { content: 'tea', namespace: 'a\ufffdb' },
      notes: [expect.stringContaining('namespace: ') as string],
    });
  });

  it('drops invalid entities, which are read from the content instead', () => {
    for (const entities of ['ana', [], [''], [7], ['x'.repeat(10_000)], Array.from({ length: 10_000 }, () => 'x')])
      expect(read({ content: 'tea', entities })).toEqual({ entry: { content: 'tea' } });
  });

  it('may be an export header or auxiliary data', () => {
    expect(read({ lore: { format: 1, entries: 3 } })).toEqual({ header: { format: 1, entries: 3 } });
    const relation = { sourceId: ID, targetId: ID, type: 'references', strength: 1, createdAt: 1, origin: 'manual' };
    expect(read({ relation })).toEqual({ auxiliary: { relation } });
    expect(read({ version: { state: { namespace: 'a\u200bb' } } })).toEqual({ error: 'version.entryId is required' });
    const state = { content: 'tea', tags: [], priority: 'low', namespace: 'a\u200bb', container: 'c', importance: 0.5 };
    expect(read({ version: { entryId: ID, writtenAt: 1, replacedAt: 2, replacedBy: 'api', state } })).toMatchObject({
      auxiliary: { version: { state: { namespace: 'a\ufffdb' } } },
      notes: [expect.any(String)],
    });
  });

  it.each<[string, string]>([
    ['{', 'is not valid JSON'],
    ['[]', 'must be a JSON object'],
    ['7', 'must be a JSON object'],
    ['null', 'must be a JSON object'],
    ['{}', 'content is required'],
    ['{"content":" "}', 'content must not be blank'],
    ['{"content":7}', 'content must be a text'],
    ['{"content":"a","importance":1.5}', 'importance must be at most 1'],
    ['{"content":"a","importance":-0.5}', 'importance must be at least 0'],
    ['{"content":"a","priority":"urgent"}', 'priority must be one of low, normal, medium, high'],
    ['{"content":"a","timestamp":"yesterday"}', 'timestamp: not a date'],
    ['{"content":"a","createdAt":"2026-01-01"}', 'createdAt: not a date'],
    ['{"content":"a","metadata":{"updatedAt":5}}', 'metadata.updatedAt: not a date'],
    ['{"content":"a","id":true}', 'id is not valid'],
    [`{"content":"a","id":"${'x'.repeat(201)}"}`, 'id must be at most 200 characters long'],
    ['{"content":"a","tags":[7]}', 'tags.0 must be a text'],
    ['{"content":"a","embedding":["x"]}', 'embedding.0 must be a number'],
    ['{"content":"a","source":7}', 'source must be a text'],
    ['{"relation":{}}', 'relation.sourceId is required'],
  ])('%s is refused: %s', (line, error) => {
    expect(parseImportLine(line)).toEqual({ error });
  });
});
