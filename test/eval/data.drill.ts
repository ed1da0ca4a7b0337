import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';

const Memory = z.strictObject({
  id: z.string().regex(/^m\d{3}$/),
  content: z.string().min(1),
  tags: z.array(z.string().min(1)),
  namespace: z.string().min(1),
  container: z.string().min(1).optional(),
  priority: z.enum(['low', 'normal', 'high']).optional(),
  createdAt: z.iso.datetime(),
});

const GROUPS = [
  'exact-identifier',
  'path',
  'paraphrase',
  'question',
  'typo',
  'compound-part',
  'multi-memory',
  'negation',
  'correction',
  'other-language',
  'exact-text',
  'phrase',
  'word-order',
  'tag',
  'no-answer',
  'everyday',
  'paraphrase-more',
  'word-forms',
  'number-words',
  'verbatim',
  'conversation',
] as const;

const Query = z.strictObject({
  id: z.string().regex(/^q\d{3}$/),
  group: z.enum(GROUPS),
  query: z.string().min(1),
  namespace: z.string().min(1).optional(),
  relevant: z.record(z.string(), z.union([z.literal(1), z.literal(2), z.literal(3)])),
  superseded: z.array(z.string()).optional(),
  split: z.enum(['tune', 'held-out']),
  note: z.string().min(1).optional(),
});
type Query = z.output<typeof Query>;

function linesOf<T>(file: string, shape: z.ZodType<T>): T[] {
  const text = readFileSync(new URL(`data/${file}`, import.meta.url), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => shape.parse(JSON.parse(line)));
}

const memories = linesOf('memories.jsonl', Memory);
const queries = linesOf('queries.jsonl', Query);
const byId = new Map(memories.map((memory) => [memory.id, memory]));

const countOf = (pattern: RegExp): number => memories.filter(({ content }) => pattern.test(content)).length;
const hitsOf = (content: string, words: RegExp): number => content.match(words)?.length ?? 0;
const isIn = (memoryId: string, namespace: string | undefined): boolean => {
  const memory = byId.get(memoryId);
  return memory !== undefined && (namespace === undefined || memory.namespace === namespace);
};
const answersOf = ({ relevant }: Query): string[] => Object.keys(relevant).filter((id) => relevant[id] === 3);

describe('the memories of the evaluation set', () => {
  test('number at least 300 in ten namespaces, each with a unique id and text', () => {
    expect(memories.length).toBeGreaterThanOrEqual(300);
    expect(byId.size).toBe(memories.length);
    expect(new Set(memories.map(({ content }) => content)).size).toBe(memories.length);
    expect(new Set(memories.map(({ namespace }) => namespace)).size).toBe(10);
  });

  test('include a dozen long texts of 2,000 to 6,000 characters and nothing longer', () => {
    const lengths = memories.map(({ content }) => content.length);
    expect(lengths.filter((length) => length >= 2_000).length).toBeGreaterThanOrEqual(12);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(6_000);
  });

  test.each([
    ['Chinese', (content: string) => /\p{Script=Han}/u.test(content) && !/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(content)],
    ['Japanese', (content: string) => /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(content)],
    ['Korean', (content: string) => /\p{Script=Hangul}/u.test(content)],
    ['Russian', (content: string) => /\p{Script=Cyrillic}/u.test(content)],
    ['German', (content: string) => hitsOf(content, /\b(?:der|die|das|und|ist|nicht|für|wird|immer|danach|ohne)\b/giu) >= 2],
    ['French', (content: string) => hitsOf(content, /\b(?:le|la|les|des|du|est|une|et|sont|avec|que)\b/giu) >= 3],
  ])('include at least twelve in %s', (_language, isWrittenIn) => {
    expect(memories.filter(({ content }) => isWrittenIn(content)).length).toBeGreaterThanOrEqual(12);
  });

  test('include Spanish, Polish and Turkish letters and emoji', () => {
    expect(countOf(/[ñ¿]|\b(?:envíos|página|oficina)\b/u)).toBeGreaterThanOrEqual(3);
    expect(countOf(/[łżśęą]/u)).toBeGreaterThanOrEqual(3);
    expect(countOf(/[ğış]/u)).toBeGreaterThanOrEqual(3);
    expect(countOf(/\p{Emoji_Presentation}/u)).toBeGreaterThanOrEqual(4);
  });
});

describe('the queries of the evaluation set', () => {
  test('number at least 240, each with a unique id and text', () => {
    expect(queries.length).toBeGreaterThanOrEqual(240);
    expect(new Set(queries.map(({ id }) => id)).size).toBe(queries.length);
    expect(new Set(queries.map(({ query, namespace }) => `${namespace ?? ''}\n${query}`)).size).toBe(queries.length);
  });

  test.each(GROUPS)('of group %s number at least 18, every third held out', (group) => {
    const members = queries.filter((query) => query.group === group);
    expect(members.length).toBeGreaterThanOrEqual(18);
    expect(members.length % 3).toBe(0);
    expect(members.map(({ split }) => split)).toEqual(members.map((_, index) => (index % 3 === 2 ? 'held-out' : 'tune')));
  });

  test('name only existing memories in the searched namespace', () => {
    const misplaced = queries.flatMap(({ id, namespace, relevant, superseded = [] }) =>
      [...Object.keys(relevant), ...superseded]
        .filter((memoryId) => !isIn(memoryId, namespace))
        .map((memoryId) => `${id} names ${memoryId}`),
    );
    expect(misplaced).toEqual([]);
  });

  test('have an answer of grade 3, except group no-answer, which has none', () => {
    const unanswered = queries.filter((query) => answersOf(query).length === 0);
    expect(unanswered).toEqual(queries.filter(({ group }) => group === 'no-answer'));
    for (const { id, relevant } of unanswered) expect(relevant, id).toEqual({});
  });

  test('of group multi-memory need two to five memories, each of grade 2 or 3', () => {
    for (const { id, relevant } of queries.filter(({ group }) => group === 'multi-memory')) {
      expect(Object.keys(relevant).length, id).toBeGreaterThanOrEqual(2);
      expect(Object.keys(relevant).length, id).toBeLessThanOrEqual(5);
      expect(Math.min(...Object.values(relevant)), id).toBeGreaterThanOrEqual(2);
    }
  });

  test('of group verbatim are copied from one memory of the searched namespace', () => {
    for (const { id, query, namespace, relevant } of queries.filter(({ group }) => group === 'verbatim')) {
      const holders = memories.filter((memory) => isIn(memory.id, namespace) && memory.content.includes(query));
      expect(
        holders.map((memory) => memory.id),
        id,
      ).toEqual(Object.keys(relevant));
    }
  });

  test('of group correction name a superseded memory, older than the answer and without a grade', () => {
    for (const query of queries.filter(({ group }) => group === 'correction')) {
      expect(query.superseded ?? [], query.id).not.toEqual([]);
      const answers = answersOf(query).map((id) => byId.get(id)?.createdAt ?? '');
      for (const old of query.superseded ?? []) {
        expect(query.relevant[old], query.id).toBeUndefined();
        for (const answer of answers) expect(Date.parse(byId.get(old)?.createdAt ?? ''), query.id).toBeLessThan(Date.parse(answer));
      }
    }
  });
});
