import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { DATA_SETS, readConversations, summary, type Conversation, type DataSet } from './conversations/read.mjs';

const { locomo, longmemeval } = DATA_SETS;
const sample = (name: string): string => fileURLToPath(new URL(`data/${name}-sample.json`, import.meta.url));
const LOCOMO = sample('locomo');
const LONGMEMEVAL = sample('longmemeval');

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lore-conversations-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function all(file: string, dataSet: DataSet, options: { split?: string; limit?: number } = {}): Promise<Conversation[]> {
  const found: Conversation[] = [];
  for await (const conversation of readConversations(file, { ...dataSet, ...options })) found.push(conversation);
  return found;
}

function written(text: string): string {
  const file = join(folder, 'data.json');
  writeFileSync(file, text);
  return file;
}

const turn = (dia_id: string, text: string): object => ({ speaker: 'Ada', dia_id, text });

/** A file of LoCoMo with one conversation of two turns. */
function dialogue({ evidence = ['D1:1'], category = 4, when = '1:56 pm on 8 May, 2023', qa = {} }): string {
  const conversation = {
    speaker_a: 'Ada',
    speaker_b: 'Bo',
    session_1_date_time: when,
    session_1: [turn('D1:1', 'Hi'), turn('D1:2', 'Bye')],
  };
  return JSON.stringify([{ sample_id: 'one', conversation, qa: [{ question: 'What?', answer: 7, evidence, category, ...qa }] }]);
}

describe('a file of LoCoMo', () => {
  test('becomes a namespace per conversation, with a dated memory per turn', async () => {
    const [first] = await all(LOCOMO, locomo);
    expect(first?.name).toBe('made-up-1');
    expect(first?.memories.slice(0, 2)).toEqual([
      {
        id: 'made-up-1/D1:1',
        content: 'Ottilie: I could not sleep, so I painted the kitchen door yellow.',
        namespace: 'made-up-1',
        createdAt: '2026-03-03T00:05:00.000Z',
      },
      {
        id: 'made-up-1/D1:2',
        content: 'Ravi: At midnight? What does your landlord say?',
        namespace: 'made-up-1',
        createdAt: '2026-03-03T00:05:01.000Z',
      },
    ]);
  });

  test('has its questions graded by evidence turns, per category', async () => {
    const [first] = await all(LOCOMO, locomo);
    expect(first?.queries.map(({ group, relevant }) => [group, Object.keys(relevant)])).toEqual([
      ['single-hop', ['made-up-1/D1:1']],
      ['multi-hop', ['made-up-1/D1:4', 'made-up-1/D2:1']],
      ['temporal', ['made-up-1/D2:4']],
      ['multi-hop', ['made-up-1/D1:3', 'made-up-1/D2:4']],
    ]);
  });

  test('reports how many questions and pieces of evidence were left out, and why', async () => {
    expect(await summary(readConversations(LOCOMO, locomo))).toMatchObject({
      conversations: 2,
      memories: 13,
      leftOut: {
        'questions of category 5 (adversarial)': 1,
        'questions without evidence': 2,
        'evidence that names no turn': 1,
        'evidence that names a turn that is not there': 1,
      },
    });
  });

  test('has one memory for turns with the same words', async () => {
    const conversation = {
      session_1_date_time: '1:56 pm on 8 May, 2023',
      session_1: [turn('D1:1', 'Thanks!'), turn('D1:2', 'Bye'), turn('D1:3', 'Thanks!')],
    };
    const qa = [{ question: 'What?', answer: '', evidence: ['D1:3'], category: 4 }];
    const [only] = await all(written(JSON.stringify([{ sample_id: 'one', conversation, qa }])), locomo);
    expect(only?.memories.map(({ id }) => id)).toEqual(['one/D1:1', 'one/D1:2']);
    expect(only?.queries[0]?.relevant).toEqual({ 'one/D1:1': 3 });
  });

  test.each([
    ['D1:1', ['one/D1:1']],
    ['D1:1; D1:2', ['one/D1:1', 'one/D1:2']],
    ['D1:1 D1:2', ['one/D1:1', 'one/D1:2']],
    ['D:1:2', ['one/D1:2']],
    ['D1:02', ['one/D1:2']],
  ])('may name its evidence as %s', async (evidence, wanted) => {
    const [only] = await all(written(dialogue({ evidence: [evidence] })), locomo);
    expect(Object.keys(only?.queries[0]?.relevant ?? {})).toEqual(wanted);
  });

  test.each([
    ['12:09 am on 13 September, 2023', '2023-09-13T00:09:00.000Z'],
    ['12:09 pm on 13 September, 2023', '2023-09-13T12:09:00.000Z'],
    ['1:56 pm on 8 May, 2023', '2023-05-08T13:56:00.000Z'],
  ])('dates its turns by %s', async (when, wanted) => {
    const [only] = await all(written(dialogue({ when })), locomo);
    expect(only?.memories[0]?.createdAt).toBe(wanted);
  });

  test('in another format is rejected with the position', async () => {
    await expect(all(written(dialogue({ when: 'yesterday' })), locomo)).rejects.toThrow(
      'data.json, element 1: "yesterday" is no time such as "1:56 pm on 8 May, 2023".',
    );
    await expect(all(written('[{"qa": []}]'), locomo)).rejects.toThrow('data.json, element 1: ');
  });
});

describe('a file of LongMemEval', () => {
  test('becomes a namespace per history, with a dated memory per session', async () => {
    const [first] = await all(LONGMEMEVAL, longmemeval);
    expect(first?.memories.map(({ id, createdAt }) => [id, createdAt])).toEqual([
      ['made_1/s_plant', '2026-03-01T09:30:00.000Z'],
      ['made_1/answer_1', '2026-03-14T17:50:00.000Z'],
      ['made_1/s_trip', '2026-04-02T23:07:00.000Z'],
    ]);
    expect(first?.memories[0]?.content).toBe('user: My fern has brown tips.\n\nassistant: It may want more humid air, and no sun at noon.');
  });

  test('has its questions graded by answer sessions, per type', async () => {
    const { queries } = await summary(readConversations(LONGMEMEVAL, longmemeval));
    expect(queries.map(({ group, namespace, relevant }) => [group, namespace, relevant])).toEqual([
      ['single-session-user', 'made_1', { 'made_1/answer_1': 3 }],
      ['knowledge-update', 'made_2', { 'made_2/answer_2a': 3, 'made_2/answer_2b': 3 }],
    ]);
  });

  test('has its abstention questions left out and counted', async () => {
    expect(await summary(readConversations(LONGMEMEVAL, longmemeval))).toMatchObject({
      conversations: 3,
      memories: 7,
      leftOut: { 'questions of abstention (_abs)': 1 },
    });
  });

  test('is rejected if sessions, ids and dates differ in number', async () => {
    const [first] = z.array(z.looseObject({})).parse(JSON.parse(readFileSync(LONGMEMEVAL, 'utf8')));
    const text = JSON.stringify([{ ...first, haystack_dates: [] }]);
    await expect(all(written(text), longmemeval)).rejects.toThrow('made_1 has 3 sessions, 3 ids and 0 dates.');
  });
});

describe('conversations of a file', () => {
  test('are split into tuned (even) and held out (odd) ones', async () => {
    const names = async (split: string): Promise<string[]> => (await all(LOCOMO, locomo, { split })).map(({ name }) => name);
    expect(await names('tune')).toEqual(['made-up-1']);
    expect(await names('held-out')).toEqual(['made-up-2']);
    expect(await names('all')).toEqual(['made-up-1', 'made-up-2']);
  });

  test('are limited in number', async () => {
    expect(await all(LONGMEMEVAL, longmemeval, { limit: 2 })).toHaveLength(2);
  });

  test('are parsed with brackets, quotes and backslashes in their strings', async () => {
    const nasty = '],[{"} \\" \\\\';
    const [only] = await all(
      written(` [ ${JSON.stringify({ ...JSON.parse(dialogue({}).slice(1, -1)), nasty, sample_id: nasty })} ] `),
      locomo,
    );
    expect(only?.name).toBe(nasty);
    expect(await all(written('\uFEFF[]'), locomo)).toEqual([]);
  });

  test('are parsed across chunk boundaries', async () => {
    const [element] = z.array(z.looseObject({})).parse(JSON.parse(dialogue({})));
    const padded = Array.from({ length: 5 }, (_, nth) => ({ ...element, sample_id: `c${nth}`, padding: 'ü"\\'.repeat(150_000 + nth) }));
    const found = await all(written(JSON.stringify(padded, undefined, 1)), locomo);
    expect(found.map(({ name }) => name)).toEqual(['c0', 'c1', 'c2', 'c3', 'c4']);
  });

  test.each([
    ['{}', 'data.json, element 1: It is not one JSON array.'],
    ['', 'data.json, element 1: The array does not end.'],
    ['[{}', 'data.json, element 1: The array does not end.'],
    ['[] []', 'data.json, element 1: It is not one JSON array.'],
    ['[nonsense]', 'data.json, element 1: '],
  ])('are rejected in a file with %j', async (text, message) => {
    await expect(all(written(text), locomo)).rejects.toThrow(message);
  });
});

describe('an evaluation of conversations', () => {
  const Recorded = z.object({
    memories: z.number(),
    queries: z.number(),
    conversations: z.number(),
    results: z.array(
      z.object({
        name: z.string(),
        queries: z.array(z.object({ id: z.string(), 'recall@10': z.number(), ranked: z.array(z.object({ id: z.string() })) })),
      }),
    ),
  });
  const run = promisify(execFile);
  const script = fileURLToPath(new URL('conversations.mjs', import.meta.url));

  test.each([
    ['--locomo', LOCOMO, { conversations: 2, memories: 13, queries: 7 }],
    ['--longmemeval', LONGMEMEVAL, { conversations: 3, memories: 7, queries: 2 }],
  ])('of %s asks each question in its own conversation, in every mode and with both baselines', async (option, file, counts) => {
    const json = join(folder, 'answers.json');
    const { stdout } = await run(process.execPath, [script, option, file, '--embedder', 'builtin', '--json', json]);
    const recorded = Recorded.parse(JSON.parse(readFileSync(json, 'utf8')));
    expect(recorded).toMatchObject(counts);
    expect(recorded.results.map(({ name }) => name)).toEqual(['BM25', 'grep', 'vector', 'keyword', 'hybrid']);
    for (const { queries } of recorded.results) {
      for (const { id, ranked } of queries) {
        const [conversation] = id.split('/');
        expect(ranked.map((result) => result.id.split('/')[0])).toEqual(ranked.map(() => conversation));
      }
    }
    const hybrid = recorded.results.find(({ name }) => name === 'hybrid');
    expect(hybrid?.queries.map((query) => query['recall@10'])).toEqual(Array.from({ length: counts.queries }, () => 1));
    expect(stdout).toContain('| builtin, hybrid  | ');
    expect(stdout).toContain('Left out: questions of ');
  });

  test('accepts one file of one format', async () => {
    await expect(run(process.execPath, [script, '--locomo', LOCOMO, '--longmemeval', LONGMEMEVAL])).rejects.toThrow(
      'name one file, with --locomo or with --longmemeval',
    );
  });
});
