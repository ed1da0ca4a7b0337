import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ConfigSchema } from '../../src/config/schema.ts';
import { embedText } from '../../src/embeddings/builtin.ts';
import { dotProduct } from '../../src/memory/dot-product.ts';
import { cueOf } from '../../src/memory/relation-cues/relation-cues.ts';
import { likenessOf } from '../../src/memory/same-fact/likeness.ts';
import { differenceOf } from '../../src/memory/same-fact/same-fact.ts';

const GROUPS = [
  'digits',
  'negation',
  'template',
  'version',
  'identifier',
  'path',
  'name',
  'date',
  'unit',
  'language',
  'paraphrase',
  'formatting',
  'superset',
  'order',
  'typo',
] as const;

const Pair = z.strictObject({
  id: z.string().regex(/^p\d{3}$/),
  group: z.enum(GROUPS),
  label: z.enum(['same', 'different']),
  a: z.string().min(1),
  b: z.string().min(1),
  note: z.string().min(1).optional(),
});

const Related = z.strictObject({
  id: z.string().regex(/^r\d{2}$/),
  type: z.enum(['supersedes', 'contradicts', 'elaborates', 'none']),
  newer: z.string().min(1),
  older: z.string().min(1),
  note: z.string().min(1).optional(),
});

function linesOf<T>(file: string, shape: z.ZodType<T>): T[] {
  const text = readFileSync(new URL(`data/${file}`, import.meta.url), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => shape.parse(JSON.parse(line)));
}

const Corrected = z.strictObject({
  id: z.string().regex(/^c\d{3}$/),
  held: z.boolean(),
  lang: z.enum(['en', 'de', 'fr', 'es', 'zh', 'ja']),
  type: z.enum(['supersedes', 'none']),
  older: z.string().min(1),
  newer: z.string().min(1),
  note: z.string().min(1).optional(),
});

const pairs = linesOf('pairs.jsonl', Pair);
const corrected = linesOf('corrections.jsonl', Corrected);
const related = linesOf('relations.jsonl', Related);
const isHeldOut = (_: unknown, nth: number): boolean => nth % 3 === 2;
const shareOf = (label: string, of: readonly { label: string }[]): number => of.filter((pair) => pair.label === label).length / of.length;

describe('the labelled pairs of memories', () => {
  test('number at least 150, each with a unique id, and two different texts', () => {
    expect(pairs.length).toBeGreaterThanOrEqual(150);
    expect(new Set(pairs.map(({ id }) => id)).size).toBe(pairs.length);
    expect(new Set(pairs.map(({ a, b }) => [a, b].toSorted().join('\n'))).size).toBe(pairs.length);
    expect(pairs.filter(({ a, b }) => a === b)).toEqual([]);
  });

  test.each(GROUPS)('of group %s are at least five, of both labels', (group) => {
    const own = pairs.filter((pair) => pair.group === group);
    expect(own.length).toBeGreaterThanOrEqual(5);
    expect(new Set(own.map(({ label }) => label)).size).toBe(2);
  });

  test('are mostly different, also in the held-out third', () => {
    expect(shareOf('different', pairs)).toBeGreaterThan(0.55);
    expect(shareOf('different', pairs)).toBeLessThan(0.7);
    expect(shareOf('different', pairs.filter(isHeldOut))).toBeGreaterThan(0.5);
  });
});

describe('the default rule for duplicates', () => {
  const { memory, compaction } = ConfigSchema.parse({});
  const different = pairs.filter(({ label }) => label === 'different');
  const same = pairs.filter(({ label }) => label === 'same');

  test('merges no two facts: not on save, not in compaction, at no similarity', () => {
    expect(different.filter(({ a, b }) => a.normalize('NFC') === b.normalize('NFC'))).toEqual([]);
    expect(different.filter(({ a, b }) => differenceOf(a, b) === undefined)).toEqual([]);
  });

  test('finds four of five duplicates at either threshold, without the false ones of a cosine', () => {
    const found = (threshold: number): number => {
      const taken = same
        .map(({ a, b }) => likenessOf(a, b))
        .filter((like) => like.difference === undefined && like.similarity >= threshold);
      return taken.length / same.length;
    };
    expect(found(compaction.deduplicationSimilarityThreshold)).toBeGreaterThan(0.8);
    expect(found(memory.deduplicationThreshold)).toBeGreaterThan(0.8);
    const alike = different.filter(({ a, b }) => dotProduct(embedText(a), embedText(b)) >= compaction.deduplicationSimilarityThreshold);
    expect(alike.length).toBeGreaterThan(different.length / 4);
  });
});

describe('the labelled pairs of a newer and an older memory', () => {
  test('number at least 60, each with a unique id, a third without a relation', () => {
    expect(related.length).toBeGreaterThanOrEqual(60);
    expect(new Set(related.map(({ id }) => id)).size).toBe(related.length);
    expect(related.filter(({ type }) => type === 'none').length).toBeGreaterThanOrEqual(related.length / 3);
    expect(related.filter(({ type }) => type === 'supersedes').length).toBeGreaterThanOrEqual(20);
  });

  test('are never falsely superseded', () => {
    expect(related.filter(({ type, newer, older }) => type !== 'supersedes' && cueOf(newer, older)?.type === 'supersedes')).toEqual([]);
  });

  test('and neither is an older text by the newer one of another pair', () => {
    const strangers = related.flatMap((one) =>
      related
        .filter(({ type, older }) => type !== 'supersedes' && one.type !== 'supersedes' && older !== one.older)
        .filter(({ older }) => cueOf(one.newer, older)?.type === 'supersedes')
        .map(({ older }) => [one.newer, older]),
    );
    expect(strangers).toEqual([]);
  });

  test('are recognised in nine of ten cases', () => {
    const asked = related.filter(({ type }) => type !== 'none');
    expect(asked.filter(({ type, newer, older }) => cueOf(newer, older)?.type === type).length).toBeGreaterThanOrEqual(asked.length * 0.9);
  });
});

describe('the labelled corrections', () => {
  test('number at least 90, each with a unique id, about half of them true, a third held out', () => {
    expect(corrected.length).toBeGreaterThanOrEqual(90);
    expect(new Set(corrected.map(({ id }) => id)).size).toBe(corrected.length);
    const share = (is: (one: (typeof corrected)[number]) => boolean): number => corrected.filter(is).length / corrected.length;
    expect(share(({ type }) => type === 'supersedes')).toBeCloseTo(0.5, 1);
    expect(share(({ held }) => held)).toBeCloseTo(0.33, 1);
  });

  test.each([
    ['tuned on', false, 0.9],
    ['held out', true, 0.5],
  ])('%s supersede the older fact and no other', (_name, isHeld, least) => {
    const own = corrected.filter(({ held }) => held === isHeld);
    const found = own.filter(({ newer, older }) => cueOf(newer, older)?.type === 'supersedes');
    expect(found.filter(({ type }) => type === 'none')).toEqual([]);
    expect(found.length).toBeGreaterThanOrEqual(least * own.filter(({ type }) => type === 'supersedes').length);
  });
});
