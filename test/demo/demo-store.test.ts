import { describe, expect, it } from 'vitest';
import { demoImport, demoLines, demoMemories } from '../../src/demo/demo-store.ts';
import { readDemoLine } from '../../src/demo/demo-line.ts';
import { EARLIER_VERSIONS, ARCHIVED } from '../../src/demo/demo-history.ts';
import { RELATION_TYPES } from '../../src/memory/relation.ts';
import { PRIORITIES } from '../../src/memory/vocabulary.ts';
import { startTestServer } from '../helpers/server.ts';

const NOW = new Date('2026-11-21T18:00:00Z');
const DAY_MS = 86_400_000;

describe('the memories of the demo', () => {
  const all = demoMemories();
  const keys = new Set(all.map(({ key }) => key));

  it('number some hundred in seven namespaces and the global one, all different', () => {
    expect(all.length).toBeGreaterThanOrEqual(300);
    expect(keys.size).toBe(all.length);
    expect(new Set(all.map(({ content }) => content)).size).toBe(all.length);
    expect(new Set(all.map(({ namespace }) => namespace)).size).toBe(8);
  });

  it('have relations of every type, and no dangling ones', () => {
    const relations = all.flatMap(({ key, relations }) => relations.map((relation) => ({ from: key, ...relation })));
    expect(new Set(relations.map(({ type }) => type))).toEqual(new Set(RELATION_TYPES));
    expect(relations.filter(({ from, to, strength }) => !keys.has(to) || from === to || !(strength > 0 && strength <= 1))).toEqual([]);
    expect(
      [...Object.keys(EARLIER_VERSIONS), ...ARCHIVED.flatMap(({ survivor = [] }) => survivor)].filter((key) => !keys.has(key)),
    ).toEqual([]);
  });

  it('correct only older ones', () => {
    const age = new Map(all.map(({ key, daysAgo }) => [key, daysAgo]));
    const wrong = all.flatMap(({ key, daysAgo, relations }) =>
      relations.filter(({ type, to }) => type === 'supersedes' && age.get(to)! < daysAgo).map(({ to }) => `${key} ${to}`),
    );
    expect(wrong).toEqual([]);
  });

  it('cover the last 14 months and every priority, none in the future', () => {
    const times = demoLines(NOW).flatMap((line) => ('content' in line ? [Date.parse((line as unknown as Saved).metadata.timestamp)] : []));
    expect(Math.max(...times)).toBeLessThanOrEqual(NOW.getTime());
    expect(Math.max(...times)).toBeGreaterThan(NOW.getTime() - DAY_MS);
    expect(Math.min(...times)).toBeGreaterThan(NOW.getTime() - 430 * DAY_MS);
    expect(new Set(all.map(({ priority }) => priority))).toEqual(new Set(PRIORITIES));
  });

  it('are identical for the same time', () => {
    expect(demoImport(NOW)).toBe(demoImport(NOW));
  });

  it('are all accepted by the import', async () => {
    await using server = await startTestServer();
    const headers = { 'content-type': 'application/x-ndjson' };
    const { body } = await server.call('POST', '/api/import?form=reference', { body: demoImport(), headers });
    const report = body as unknown as { stored: number; invalid: number; errors: unknown[]; besides: Record<string, number> };
    expect(report).toMatchObject({ stored: all.length, invalid: 0, duplicates: 0, errors: [] });
    const { lines, ...taken } = report.besides;
    expect(Object.values(taken).reduce((sum, part) => sum + part, 0)).toBe(lines);
    expect(taken).toMatchObject({ archived: ARCHIVED.length, versions: Object.values(EARLIER_VERSIONS).flat().length });
  });
});

interface Saved {
  readonly metadata: { readonly timestamp: string };
}

describe('a line of the demo', () => {
  it('is read with all its facts', () => {
    expect(readDemoLine(['=one 3 09:30 high web @box #a #b references:two:0.5 | First', '', 'third'])).toEqual({
      key: 'one',
      content: 'First\n\nthird',
      daysAgo: 3,
      minuteOfDay: 570,
      priority: 'high',
      source: 'web',
      container: 'box',
      tags: ['a', 'b'],
      relations: [{ type: 'references', to: 'two', strength: 0.5 }],
    });
  });

  it.each(['no head at all', '=key 3 09:30 no text', '=key 3 09:30 urgent | A word that is no fact'])('is rejected: %s', (line) => {
    expect(() => readDemoLine(line)).toThrow(TypeError);
  });
});
