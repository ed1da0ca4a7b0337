import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerSchema } from '../../src/operations/operation.ts';
import { operationOf } from '../../src/operations/table.ts';
import { writtenSchema } from '../../src/operations/wire.ts';
import { LOCAL_TOKEN, startTestServer, type Answer, type TestServer } from '../helpers/server.ts';

const UNKNOWN = '00000000-0000-7000-8000-000000000000';
const LONG = Array.from({ length: 60 }, (_, at) => `Gulls circle over the harbour all day, says page ${at}.`).join(' ');
let server: TestServer;
let [own, near, global, theirs, long] = ['', '', '', '', ''];

const as = (name: string, method: string, path: string): Promise<Answer> => {
  const key = name === 'local' ? LOCAL_TOKEN : server.keys.get(name)!;
  return server.call(method, path, { headers: { 'x-api-key': key } });
};
const get = (path: string): Promise<Answer> => as('local', 'GET', path);
const save = async (content: string, fields: Record<string, unknown>): Promise<string> => {
  const answer = await server.call('POST', '/api/save', { headers: { 'x-api-key': LOCAL_TOKEN }, body: { content, ...fields } });
  return answer.body.ids[0]!;
};

beforeAll(async () => {
  server = await startTestServer({
    keys: [
      { name: 'bound', access: 'full', namespace: 'test' },
      { name: 'reader', access: 'read' },
    ],
  });
  own = await save('The webhook retry schedule backs off with jitter', { namespace: 'test' });
  near = await save('The webhook retry schedule backs off', { namespace: 'test' });
  global = await save('Every retry schedule backs off with jitter', { global: true });
  theirs = await save('The webhook retry schedule backs off with much jitter', { namespace: 'elsewhere' });
  await save('Marmalade sandwiches', { namespace: 'test' });
  long = await save(LONG, { namespace: 'long' });
});
afterAll(() => server.close());

/** The answer, which is the same whatever form is asked for, and has exactly what its schema says. */
async function inOneForm(name: string, path: string): Promise<Answer['body']> {
  const [{ status, body }, guide] = [await get(path), await get(`${path}?form=guide`)];
  expect([status, body.error]).toEqual([200, undefined]);
  expect(guide.body).toEqual(body);
  expect(writtenSchema(answerSchema(operationOf('details', name)!)).parse(body)).toEqual(body);
  return body;
}
const idsOf = ({ body }: Answer): string[] => body.results.map((result) => (result as unknown as { entry: { id: string } }).entry.id);

describe('entries similar to an entry', () => {
  it('are the nearest of its namespace and the global one, by falling score', async () => {
    const answer = await inOneForm('similar', `/api/mem_${own}/similar`);
    expect(answer).toMatchObject({ success: true, count: 2, vector: 'stored' });
    const results = answer.results as unknown as { entry: { id: string }; score: number; scores: { vector: number } }[];
    expect(results.map(({ entry }) => entry.id).toSorted()).toEqual([near, global].toSorted());
    expect(results.map(({ score }) => score)).toEqual(results.map(({ score }) => score).toSorted((a, b) => b - a));
    expect(results[0]).toMatchObject({ score: results[0]?.scores.vector });
  });

  it('have a score of 1 for the same text', async () => {
    const text = 'Pelicans carry the post on Sundays';
    const [one, other] = [await save(text, { namespace: 'birds' }), await save(text, { namespace: 'mail' })];
    const { body } = await get(`/api/${one}/similar?namespace=mail`);
    expect(body.results).toMatchObject([{ entry: { id: other }, scores: { vector: body.results[0]?.score } }]);
    expect(body.results[0]?.score).toBeCloseTo(1, 4);
  });

  it('are from all namespaces or from one, up to the limit', async () => {
    expect(idsOf(await get(`/api/${own}/similar?allNamespaces=true`))).toContain(theirs);
    expect(idsOf(await get(`/api/${own}/similar?namespace=elsewhere`))).toEqual([theirs]);
    expect(idsOf(await get(`/api/${own}/similar?allNamespaces=true&limit=1`))).toHaveLength(1);
    expect((await get(`/api/${own}/similar?allNamespaces=true&namespace=test`)).status).toBe(400);
  });

  it('exclude superseded entries', async () => {
    const old = await save('The kettle whistles at four', { namespace: 'kettles' });
    const now = await save('The kettle whistles at five', { namespace: 'kettles' });
    const third = await save('The kettle whistles', { namespace: 'kettles' });
    const headers = { 'x-api-key': LOCAL_TOKEN };
    await server.call('POST', '/api/relations', { headers, body: { sourceId: now, type: 'supersedes', targetId: old } });
    expect(idsOf(await get(`/api/${third}/similar?namespace=kettles`))).toEqual([now]);
  });
});

describe('the passages of an entry', () => {
  it('are one for a short text, and cover a long one', async () => {
    expect((await inOneForm('passages', `/api/${own}/passages`)).passages).toEqual([
      { start: 0, end: 48, chars: 48, preview: 'The webhook retry schedule backs off with jitter' },
    ]);
    const { body } = await get(`/api/${long}/passages`);
    const passages = body.passages as unknown as { start: number; end: number; chars: number; preview: string }[];
    expect(body.count).toBe(passages.length);
    expect(passages.length).toBeGreaterThan(1);
    expect(passages[0]?.start).toBe(0);
    expect(passages.at(-1)?.end).toBe(LONG.length);
    for (const { start, end, chars, preview } of passages) {
      expect(chars).toBe(end - start);
      expect(LONG.slice(start, end).startsWith(preview.replace(/…$/, ''))).toBe(true);
    }
  });
});

describe('an id or a key that does not reach it', () => {
  it.each(['similar', 'passages'])('gets not_found for %s', async (word) => {
    for (const id of [UNKNOWN, 'nothing']) expect((await get(`/api/${id}/${word}`)).status).toBe(404);
    expect((await as('bound', 'GET', `/api/${theirs}/${word}`)).status).toBe(404);
    expect((await as('reader', 'GET', `/api/${theirs}/${word}`)).status).toBe(200);
    const wrong = await as('local', 'POST', `/api/${own}/${word}`);
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });

  it('gets neighbours of its own namespace only', async () => {
    expect(idsOf(await as('bound', 'GET', `/api/${own}/similar`))).toEqual([near]);
    expect((await as('bound', 'GET', `/api/${own}/similar?allNamespaces=true`)).status).toBe(403);
    expect((await as('bound', 'GET', `/api/${own}/similar?namespace=elsewhere`)).status).toBe(403);
  });
});
