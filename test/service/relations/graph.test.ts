import { describe, expect, it } from 'vitest';
import type { RelationType } from '../../../src/memory/relation.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';

const WORDS = ['walrus', 'trombone', 'gravel', 'umbrella', 'satellite', 'marmalade', 'hydrant', 'parsnip'];

/** Entries a, b, c … in the namespace `test` and relations such as `a>b 0.5`. */
async function openGraph(...relations: readonly string[]): Promise<{ app: TestApp; ids: string[] } & AsyncDisposable> {
  const app = await openTestApp();
  const ids: string[] = [];
  for (const content of WORDS) ids.push((await app.memories.save({ content })).ids[0]!);
  const idOf = (letter = ''): string => ids[letter.charCodeAt(0) - 97] ?? '';
  for (const relation of relations) {
    const [ends = '', strength = '1', type = 'references'] = relation.split(' ');
    const [from, to] = ends.split('>');
    await app.memories.relations.relate({
      sourceId: idOf(from),
      targetId: idOf(to),
      strength: Number(strength),
      type: type as RelationType,
    });
  }
  return { app, ids, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
}
const letters = (ids: readonly string[], found: readonly string[]): string => found.map((id) => 'abcdefgh'[ids.indexOf(id)]).join('');

describe('what is related to an entry', () => {
  it('are found in both directions, nearest and strongest first, each once', async () => {
    await using graph = await openGraph('a>b 0.5', 'c>a 0.9', 'b>c 1', 'b>d 0.7', 'd>e 1', 'e>f 1', 'f>g 1');
    const { app, ids } = graph;
    const related = async (request: object): Promise<string> =>
      letters(
        ids,
        (await app.memories.relations.related(ids[0]!, request)).map(({ entry }) => entry.id),
      );
    expect(await related({})).toBe('cb');
    expect(await related({ depth: 2 })).toBe('cbd');
    expect(await related({ depth: 4 })).toBe('cbdef');
    expect(await related({ depth: 4, limit: 3 })).toBe('cbd');
    expect(await related({ type: 'similar' })).toBe('');
    const [, , third] = await app.memories.relations.related(ids[0]!, { depth: 2 });
    expect(third).toMatchObject({ depth: 2, entry: { content: 'umbrella' }, relation: { sourceId: ids[1], targetId: ids[3] } });
  });
});

describe('the graph', () => {
  it('has the best connected entries first, and the relations between shown ones', async () => {
    await using graph = await openGraph('a>b', 'a>c', 'a>d', 'b>c 0.5', 'e>f');
    const { app, ids } = graph;
    const whole = await app.memories.relations.graph({});
    expect(
      letters(
        ids,
        whole.nodes.map(({ id }) => id),
      )
        .slice(0, 3)
        .split('')
        .toSorted()
        .join(''),
    ).toBe('abc');
    expect(whole.nodes).toHaveLength(6);
    expect(whole.edges).toHaveLength(5);
    expect(whole.truncated).toBe(false);
    expect(whole.nodes[0]).toEqual({
      id: ids[0],
      label: 'walrus',
      namespace: 'test',
      tags: [],
      priority: 'normal',
      importance: expect.any(Number) as unknown,
      superseded: false,
      degree: 3,
    });
    const small = await app.memories.relations.graph({ limit: 2 });
    expect(small).toMatchObject({ truncated: true });
    expect(small.nodes).toHaveLength(2);
    expect(small.edges).toHaveLength(1);
    expect((await app.memories.relations.graph({ minStrength: 0.8 })).edges).toHaveLength(4);
    expect(await app.memories.relations.graph({ namespace: 'elsewhere' })).toEqual({ nodes: [], edges: [], truncated: false });
  });

  it('around a seed has the requested depth, and always the seed', async () => {
    await using graph = await openGraph('a>b', 'b>c', 'c>d', 'd>e', 'a>h 0.2 similar');
    const { app, ids } = graph;
    const shown = async (request: object): Promise<string> => {
      const { nodes } = await app.memories.relations.graph({ seed: ids[0]!, ...request });
      return letters(
        ids,
        nodes.map(({ id }) => id),
      );
    };
    expect(await shown({})).toBe('abhc');
    expect(await shown({ depth: 1, minStrength: 0.5 })).toBe('ab');
    expect(await shown({ depth: 4, type: 'references' })).toBe('abcde');
    expect(await shown({ type: 'contradicts' })).toBe('a');
    expect(await shown({ limit: 2 })).toBe('ab');
    expect((await app.memories.relations.graph({ seed: ids[0]!, limit: 2 })).truncated).toBe(true);
    expect((await app.memories.relations.graph({ seed: ids[0]!, limit: 4 })).truncated).toBe(false);
  });

  it('shortens long and hostile texts to one line', async () => {
    await using graph = await openGraph();
    const { app, ids } = graph;
    const {
      ids: [long = ''],
    } = await app.memories.save({ content: `first\n\n\tsecond ${'🎉'.repeat(200)}` });
    await app.memories.relations.relate({ sourceId: long, targetId: ids[0]!, type: 'similar' });
    const { nodes } = await app.memories.relations.graph({ seed: long });
    const { label = '' } = nodes.find(({ id }) => id === long) ?? {};
    expect(label).toMatch(/^first second 🎉+…$/u);
    expect(label.length).toBeLessThanOrEqual(80);
    expect(label.isWellFormed()).toBe(true);
  });
});
