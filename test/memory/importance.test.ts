import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PRIORITIES, SOURCES } from '../../src/memory/entry.ts';
import { importance, updatedImportance } from '../../src/memory/importance.ts';

describe('importance', () => {
  it.each([
    ['high', 0.8],
    ['normal', 0.5],
    ['low', 0.2],
  ] as const)('of %s priority is %d', (priority, value) => {
    expect(importance({ priority, source: 'api', tags: [] })).toBe(value);
  });

  it('rises for lasting statements, once for any number of tags', () => {
    expect(importance({ priority: 'normal', source: 'api', tags: ['Decision'] })).toBe(0.6);
    expect(importance({ priority: 'normal', source: 'api', tags: ['decision', 'preferences', 'security'] })).toBe(0.6);
  });

  it('falls for automatic captures and drafts', () => {
    expect(importance({ priority: 'normal', source: 'auto-capture', tags: [] })).toBe(0.4);
    expect(importance({ priority: 'low', source: 'auto-capture', tags: ['tmp'] })).toBe(0);
  });

  it('does not change for other tags', () => {
    expect(importance({ priority: 'normal', source: 'api', tags: ['decisive', 'tea', 'temperature'] })).toBe(0.5);
  });

  it('reaches the threshold of low importance exactly', () => {
    expect(importance({ priority: 'low', source: 'api', tags: ['decision'] })).toBe(0.3);
  });

  it('is always between 0 and 1, and priority decides', () => {
    const tags = fc.array(fc.constantFrom('decision', 'draft', 'other'));
    const rest = fc.record({ source: fc.constantFrom(...SOURCES), tags });
    fc.assert(
      fc.property(rest, rest, (one, other) => {
        const values = PRIORITIES.map((priority) => importance({ ...one, priority }));
        expect(values.every((value) => value >= 0 && value <= 1)).toBe(true);
        expect(values).toEqual(values.toSorted((a, b) => a - b));
        expect(importance({ ...one, tags: [], priority: 'high' })).toBeGreaterThan(importance({ ...other, priority: 'normal' }));
      }),
    );
  });
});

describe('importance after a change of tags or priority', () => {
  const entry = { importance: 0.5, priority: 'normal', source: 'api', tags: [] } as const;

  it('is computed from the new values', () => {
    expect(updatedImportance(entry, { priority: 'high', tags: ['decision'] })).toBe(0.9);
  });

  it('keeps a manually set value', () => {
    expect(updatedImportance({ ...entry, importance: 0.35 }, { priority: 'high', tags: [] })).toBe(0.35);
    expect(updatedImportance({ ...entry, importance: Math.fround(0.8), priority: 'high' }, { priority: 'low', tags: [] })).toBe(0.2);
  });
});
