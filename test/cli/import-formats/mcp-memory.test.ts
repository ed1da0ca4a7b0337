import { describe, expect, it } from 'vitest';
import { readText } from './read-text.ts';

const LINES = [
  { type: 'entity', name: 'John_Smith', entityType: 'person', observations: ['Speaks fluent Spanish', 'John Smith likes tea'] },
  { type: 'entity', name: 'Anthropic', entityType: 'organization', observations: [] },
  { type: 'relation', from: 'John_Smith', to: 'Anthropic', relationType: 'works_at' },
];
const jsonl = (lines: readonly unknown[]): string => lines.map((line) => JSON.stringify(line)).join('\n');

describe('the memory file of the reference MCP server', () => {
  const expected = [
    {
      content: 'John_Smith: Speaks fluent Spanish',
      tags: ['person'],
      sourceRef: { store: 'mcp-memory', entity: 'John_Smith', entityType: 'person' },
    },
    { content: 'John Smith likes tea', tags: ['person'], sourceRef: { store: 'mcp-memory', entity: 'John_Smith', entityType: 'person' } },
    {
      content: 'John_Smith works at Anthropic',
      tags: ['works_at'],
      sourceRef: { store: 'mcp-memory', from: 'John_Smith', relationType: 'works_at', to: 'Anthropic' },
    },
  ];

  it('gives an entry for each observation, with its entity, and for each relation', async () => {
    const read = await readText(`${jsonl(LINES)}\n\n`, { name: 'memory.json' });
    expect(read.entries).toEqual(expected);
    expect(read.places).toEqual(['memory.json:1', 'memory.json:1', 'memory.json:3']);
    expect(read.found).toEqual({ entities: 2, observations: 2, relations: 1 });
    expect(read.leftOut).toEqual([{ what: 'entities without observations', count: 1, names: ['Anthropic'] }]);
  });

  it('may be the graph as one object', async () => {
    const [first, second, relation] = LINES.map(({ type: _type, ...node }) => node);
    const read = await readText(JSON.stringify({ entities: [first, second], relations: [relation] }, undefined, 2), { name: 'g.json' });
    expect(read).toMatchObject({
      format: 'mcp-memory',
      entries: expected,
      places: ['g.json entity 1', 'g.json entity 1', 'g.json relation 1'],
    });
  });

  it('is recognised from a later line if the first is damaged, and the damage is reported', async () => {
    const read = await readText(`{"type":"entity","name":"cut\n${jsonl(LINES)}\n`, { name: 'm' });
    expect(read).toMatchObject({ format: 'mcp-memory', problems: ['m:1: is not valid JSON'], found: { observations: 2 } });
  });

  it('with nodes of another shape reports each', async () => {
    const odd = [
      { type: 'entity', name: 'a', entityType: 't', observations: 'not a list' },
      { type: 'entity', name: '', entityType: 't', observations: [] },
      { type: 'entity', name: 'b', observations: [5, '', null, { content: 'with a time', timestamp: 1 }] },
      { type: 'relation', from: 'a', to: 'b' },
      { type: 'other' },
      [],
    ];
    const { entries, problems } = await readText(jsonl(odd), { name: 'm' });
    expect(entries.map(({ content }) => content)).toEqual(['b: 5', 'b: with a time']);
    expect(problems).toEqual([
      'm:1: an entity must have a name and a list of observations',
      'm:2: an entity must have a name and a list of observations',
      'm:3: observation 2 of b is not a text',
      'm:3: observation 3 of b is not a text',
      'm:4: a relation must have from, to and relationType',
      'm:5: is neither an entity nor a relation',
      'm:6: must be a JSON object',
    ]);
  });
});
