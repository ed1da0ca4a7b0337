import { describe, expect, it } from 'vitest';
import { readText } from './read-text.ts';

const MEMORY = {
  id: '3c90c3cc-0d44-4b50-8888-8dd25736052a',
  memory: 'Prefers window seats',
  user_id: 'alex',
  agent_id: null,
  app_id: null,
  run_id: 'r1',
  hash: 'abc',
  metadata: { type: 'preference', tags: ['seat'] },
  categories: ['travel', 'preferences'],
  created_at: '2024-07-26T10:29:36.630547-07:00',
  updated_at: null,
  score: 0.4,
};
const EXPECTED = {
  id: MEMORY.id,
  content: 'Prefers window seats',
  container: 'alex',
  tags: ['travel', 'preferences', 'seat'],
  createdAt: '2024-07-26T17:29:36.630Z',
  sourceRef: { store: 'mem0', user: 'alex', run: 'r1', metadata: MEMORY.metadata },
};

describe('an export of mem0', () => {
  it.each([
    ['results', { results: [MEMORY] }],
    ['memories', { count: 1, memories: [MEMORY] }],
    ['a plain list', [MEMORY]],
  ])('with %s gives an entry for each memory', async (_, document) => {
    expect(await readText(JSON.stringify(document))).toMatchObject({
      format: 'mem0',
      entries: [EXPECTED],
      found: { memories: 1 },
      leftOut: [],
    });
  });

  it('uses the namespace of its app or project unless one is given', async () => {
    const lines = [{ memory: 'a', app_id: 'app' }, { memory: 'b', metadata: { project: 'p' } }, { memory: 'c' }];
    const namespaces = async (options = {}) => (await readText(JSON.stringify(lines), options)).entries.map(({ namespace }) => namespace);
    expect(await namespaces()).toEqual(['app', 'p', undefined]);
    expect(await namespaces({ namespace: 'mine' })).toEqual([undefined, undefined, undefined]);
  });

  it('reports unknown fields, other lists, and records without text', async () => {
    const document = { results: [{ memory: 'a', mood: 'good' }, { memory: null }, { text: 'x' }, 7], relations: [{ source: 'a' }] };
    const read = await readText(JSON.stringify(document), { name: 'm.json' });
    expect(read.leftOut).toEqual([
      { what: 'relations', count: 1, names: [] },
      { what: 'fields', count: 1, names: ['mood'] },
    ]);
    expect(read.problems).toEqual([
      'm.json entry 2: memory is required',
      'm.json entry 3: memory is required',
      'm.json entry 4: must be a JSON object',
    ]);
  });

  it('drops fields of the wrong types, not the memory', async () => {
    const odd = { memory: 'a', id: {}, user_id: 5, metadata: 'x', categories: 'a,b', created_at: 'soon' };
    const { entries, leftOut } = await readText(JSON.stringify([odd]));
    expect(entries).toEqual([{ content: 'a', container: '5', tags: ['a', 'b'], sourceRef: { store: 'mem0', user: 5 } }]);
    expect(leftOut).toEqual([{ what: 'dates that cannot be read', count: 1, names: ['soon'] }]);
  });
});
