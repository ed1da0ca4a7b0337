import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createHttpClient } from '../../src/client/http-client.ts';
import { ROUTES } from '../../src/client/routes.ts';
import { definedPaths } from '../../src/http/openapi/operation-paths.ts';
import { EntryId, Namespace } from '../../src/memory/entry.ts';
import { namespaceAudit } from '../../src/operations/operation.ts';
import { OPERATIONS } from '../../src/operations/table.ts';
import { Time } from '../../src/operations/wire.ts';
import { routeOf } from '../helpers/client-route.ts';
import { LOCAL_TOKEN, startTestServer, type Answer, type TestServer } from '../helpers/server.ts';

const COUNTED_AT = Date.UTC(2026, 0, 2);

/** An operation as its author writes it: its definition, */
const countWords = {
  route: 'POST /api/words',
  id: 'countWords',
  summary: 'Count the words of an entry',
  answer: 'How many there are.',
  request: z.strictObject({ id: EntryId, namespace: Namespace.optional() }),
  result: z.object({ words: z.int(), countedAt: Time }),
  access: 'read',
  reaches: { namespace: true, entries: ({ id }: { id: string }) => [id] },
  audited: 'read',
  notes: (request: { id: string; namespace?: string | undefined }, result: { words: number } | undefined) => ({
    ...namespaceAudit(request),
    ids: [request.id],
    count: result?.words,
  }),
};
/** and its method. */
const method = () => Promise.resolve({ words: 3, countedAt: COUNTED_AT });

let server: TestServer;
let [mine, theirs] = ['', ''];
const as = (key: string, httpMethod: string, path: string, body?: unknown): Promise<Answer> =>
  server.call(httpMethod, path, { headers: { 'x-api-key': key }, ...(body !== undefined && { body }) });

beforeAll(async () => {
  Object.assign(OPERATIONS.details, { countWords });
  Object.assign(ROUTES.details, { countWords: routeOf(countWords as never) });
  server = await startTestServer({
    audit: { enabled: true },
    keys: [{ name: 'bound', access: 'read', namespace: 'mine' }],
    memories: (real) => {
      Object.assign(real.details, { countWords: method });
      return real;
    },
  });
  [mine, theirs] = (await Promise.all(
    ['mine', 'theirs'].map(async (namespace) => {
      const saved = await as(LOCAL_TOKEN, 'POST', '/api/save', { content: `The walrus of ${namespace}`, namespace });
      return saved.body.ids[0]!;
    }),
  )) as [string, string];
});
afterAll(async () => {
  await server.close();
  for (const table of [OPERATIONS.details, ROUTES.details]) Reflect.deleteProperty(table, 'countWords');
});

describe('an operation with one definition', () => {
  it('gets a route that validates its request and serializes its response', async () => {
    const answer = await as(LOCAL_TOKEN, 'POST', '/api/words', { id: mine });
    expect([answer.status, answer.body]).toEqual([200, { success: true, words: 3, countedAt: '2026-01-02T00:00:00.000Z' }]);
    expect((await as(LOCAL_TOKEN, 'POST', '/api/words', { id: mine, colour: 'red' })).status).toBe(400);
    expect((await as(LOCAL_TOKEN, 'GET', '/api/words')).status).toBe(405);
  });

  it('is in the OpenAPI document', () => {
    const { operationId, summary } = { operationId: 'countWords', ...countWords };
    expect(definedPaths('details')).toMatchObject({ '/api/words': { post: { operationId, summary } } });
  });

  it('is a method of the client', async () => {
    const client = createHttpClient({ baseUrl: server.url, key: LOCAL_TOKEN });
    const details = client.details as unknown as { countWords: (request: object) => Promise<unknown> };
    expect(await details.countWords({ id: mine })).toEqual({ words: 3, countedAt: COUNTED_AT });
    await client.close();
  });

  it('respects the limits of a key', async () => {
    const key = server.keys.get('bound')!;
    expect((await as(key, 'POST', '/api/words', { id: mine })).status).toBe(200);
    expect((await as(key, 'POST', '/api/words', { id: theirs })).status).toBe(404);
    expect((await as(key, 'POST', '/api/words', { id: mine, namespace: 'theirs' })).status).toBe(403);
  });

  it('writes its audit record', async () => {
    const folder = join(server.folder, 'audit');
    const records = async () => {
      const files = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')));
      return files.flatMap((text) => text.trim().split('\n')).map((line) => JSON.parse(line) as Record<string, unknown>);
    };
    await as(LOCAL_TOKEN, 'POST', '/api/words', { id: theirs, namespace: 'theirs' });
    const record = { operation: 'details.countWords', action: 'read', namespaces: ['theirs'], ids: [theirs], count: 3, result: 'ok' };
    await expect.poll(records).toContainEqual(expect.objectContaining(record));
  });
});
