import { expect, it, vi } from 'vitest';
import { openApp, type App } from '../../src/app.ts';
import { silentLog } from '../../src/memory/log.ts';
import type { MemoryOperations } from '../../src/memory/operations/operations.ts';
import { testConfig } from '../helpers/app.ts';
import { startEmbeddingApi, type EmbeddingApi } from '../helpers/embedding-api.ts';
import { failureOf } from '../helpers/failure.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { SERVICE_KEY, startLanceService, type LanceService } from '../helpers/lancedb-service.ts';

const COUNT = 250;
const PATIENCE = { timeout: 20_000, interval: 20 };
const text = (nth: number): string => `beacon ${nth} over harbour ${nth * 7}`;

async function* lines(): AsyncGenerator<Uint8Array> {
  for (let nth = 0; nth < COUNT; nth += 1) yield Buffer.from(`${JSON.stringify({ content: text(nth) })}\n`);
  await Promise.resolve();
}

function open(folder: string, service: LanceService, api?: EmbeddingApi): Promise<App> {
  const hosted = api && {
    'embeddings.provider': 'openai',
    'embeddings.baseUrl': api.url,
    'embeddings.dimensions': api.width,
    'embeddings.model': 'model-a',
  };
  const storage = {
    'storage.path': 'db://team',
    'storage.options': { apiKey: SERVICE_KEY, hostOverride: service.url },
    'storage.localPath': `${folder}/local`,
  };
  return openApp(testConfig(folder, { ...storage, ...hosted }), { log: silentLog });
}

async function filled(folder: string, service: LanceService): Promise<void> {
  const app = await open(folder, service);
  await app.memories.import(lines(), {});
  await app.close();
}

const models = async (memories: MemoryOperations): Promise<string[]> =>
  (await memories.stats()).vectors.map(({ embedder, entries }) => `${embedder.split('/', 2).join('/')}:${entries}`).toSorted();

async function nearest(memories: MemoryOperations, query: string): Promise<string | undefined> {
  return (await memories.recall({ query, searchMode: 'vector', limit: 1 })).results[0]?.entry.content;
}

it('a store in LanceDB Cloud switches to a model of the same width entry by entry, keeps answering, and resumes after a stop', async () => {
  await using service = await startLanceService();
  await using api = await startEmbeddingApi();
  await using folder = await temporaryFolder();
  await filled(folder.path, service);
  const app = await open(folder.path, service, api);
  expect(await nearest(app.memories, text(17))).toBe(text(17));
  expect(await models(app.memories)).toEqual([`builtin/hashed-words:${COUNT}`]);
  let release = (): void => undefined;
  const migrating = app.memories.migrate({}).catch(() => undefined);
  await vi.waitFor(async () => expect((await app.memories.health()).maintenance).toMatch(/re-embedding [12]00 of 250/), PATIENCE);
  api.hold = new Promise((resolve) => (release = resolve));
  const closing = app.close();
  release();
  await Promise.all([closing, migrating]);
  await using again = await open(folder.path, service, api);
  expect(await models(again.memories)).toHaveLength(2);
  for (const nth of [3, 17, 249]) expect(await nearest(again.memories, text(nth))).toBe(text(nth));
  expect(await again.memories.migrate({})).toMatchObject({ status: 'done' });
  expect(await models(again.memories)).toEqual([`openai/model-a:${COUNT}`]);
  for (const nth of [3, 17, 249]) expect(await nearest(again.memories, text(nth))).toBe(text(nth));
  expect((await again.memories.health()).degraded).toEqual([]);
});

it('a store in LanceDB Cloud refuses a model of another width', async () => {
  await using service = await startLanceService();
  await using api = await startEmbeddingApi();
  api.width = 300;
  await using folder = await temporaryFolder();
  await filled(folder.path, service);
  expect(await failureOf(open(folder.path, service, api))).toMatchObject({ code: 'config' });
});
