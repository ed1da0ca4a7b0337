import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../helpers/folder.ts';
import { startTestServer, type TestServer } from '../helpers/server.ts';
import { answerFault } from './answer-check.ts';
import { replay, SEED, seedOf, share } from './budget.ts';
import { KnownNames } from './known-names.ts';
import { OPERATIONS, type Operation } from '../helpers/operations.ts';
import { requestsFor, type FuzzRequest } from './requests.ts';
import { Client, type Received } from './sending.ts';

/** Of all cases those that are spread over the operations. */
const SHARE = 0.6;
/** Each of these copies, or looks at, the whole store. */
const COSTLY = new Set(['backup', 'diagnose', 'backupCheck', 'verify', 'compact']);
const FILE = 'test/fuzz/routes.drill.ts';

let server: TestServer;
let client: Client;
let page: Awaited<ReturnType<typeof temporaryFolder>>;
const names = new KnownNames();
const rejections: unknown[] = [];
const noteRejection = (reason: unknown): void => void rejections.push(reason);

beforeAll(async () => {
  process.on('unhandledRejection', noteRejection);
  page = await temporaryFolder();
  await writeFile(join(page.path, 'index.html'), '<!doctype html><title>Lore</title>');
  server = await startTestServer({
    webRoot: page.path,
    server: { bodyLimitBytes: 256 * 1024 },
    keys: [
      { name: 'full', access: 'full' },
      { name: 'bound', access: 'full', namespace: 'test' },
      { name: 'reading', access: 'read', namespace: 'owner/repo' },
    ],
  });
  client = new Client(server.port);
  // eslint-disable-next-line no-console
  console.info(`fuzz: seed ${SEED}`);
});
afterAll(async () => {
  process.off('unhandledRejection', noteRejection);
  client.close();
  await server.close();
  await page[Symbol.asyncDispose]();
});

function keyOf({ key }: FuzzRequest): readonly [string, string][] {
  if (key === 'none') return [];
  return [['x-api-key', key === 'wrong' ? 'no-such-key' : server.keys.get(key)!]];
}

async function ask(request: FuzzRequest): Promise<Received> {
  const { body } = request;
  const answer = await client.send({
    ...request,
    target: names.fill(request.target),
    headers: [...keyOf(request), ...request.headers],
    ...(body !== undefined && { body: typeof body === 'string' ? names.fill(body) : body }),
  });
  names.learn(answer.text, { isGone: request.method === 'DELETE' });
  return answer;
}

const post = (target: string, body: unknown): Promise<Received> =>
  ask({
    method: 'POST',
    target,
    body: JSON.stringify(body),
    headers: [['content-type', 'application/json']],
    isAsDescribed: true,
    key: 'full',
  });

/** Something to work on: what is asked may have emptied the store. */
async function stock(): Promise<void> {
  const held = (await server.app.memories.namespaces()).reduce((sum, { entries }) => sum + entries, 0);
  for (let nth = held; nth < 6; nth += 1) {
    const namespace = ['test', 'owner/repo'][nth % 2];
    await post('/api/save', {
      content: `Ana deploys src/app.ts on port ${nth} ${'at noon. '.repeat(nth * 60)}`,
      namespace,
      tags: ['deploy'],
    });
  }
  if (held < 6) await post('/api/relations', { sourceId: '~id0~', targetId: '~id2~', type: 'references' });
}

function casesOf({ id }: Operation): number {
  const even = share(SHARE / OPERATIONS.length);
  return COSTLY.has(id) ? Math.max(1, Math.round(even / 5)) : even;
}

describe('every operation of the OpenAPI document with random requests', () => {
  it.each(OPERATIONS.map((operation) => [operation.method, operation.path, operation] as const))(
    'responds as documented: %s %s',
    async (method, path, operation) => {
      const places = [server.app.storePath, process.cwd()];
      const property = fc.asyncProperty(requestsFor(operation), async (request) => {
        await stock();
        const answer = await ask(request);
        const fault = answerFault({ operation, request, answer }, places);
        if (fault !== undefined) throw new Error(`${fault}\n${answer.status} ${answer.text.slice(0, 600)}\n${replay(FILE)}`);
      });
      await fc.assert(property, { seed: seedOf(`${method} ${path}`), numRuns: casesOf(operation) });
      expect((await server.call('GET', '/healthz')).status).toBe(200);
      expect(rejections).toEqual([]);
    },
    600_000,
  );
});

describe('afterwards', () => {
  it('no fault was logged', () => {
    expect(server.logged.filter(({ level }) => (level as number) >= 50)).toEqual([]);
  });
});
