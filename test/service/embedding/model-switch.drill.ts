import { cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as lancedb from '@lancedb/lancedb';
import { describe, expect, it, vi } from 'vitest';
import { openApp, type App } from '../../../src/app.ts';
import type { LoadedConfig } from '../../../src/config/load.ts';
import { silentLog } from '../../../src/memory/log.ts';
import type { MemoryOperations } from '../../../src/memory/operations/operations.ts';
import { testConfig } from '../../helpers/app.ts';
import { startEmbeddingApi, type EmbeddingApi } from '../../helpers/embedding-api.ts';
import { temporaryFolder } from '../../helpers/folder.ts';

const PATIENCE = { timeout: 20_000, interval: 20 };
const WORDS = 'harbour crane walrus cache deploy train vault noon court query merge branch heron river stone lamp'.split(' ');
const text = (nth: number): string =>
  `note ${nth}: ${[nth, nth * 7 + 1, nth * 3 + 5].map((at) => WORDS[at % WORDS.length]).join(' ')} ${nth}`;

async function* lines(count: number): AsyncGenerator<Uint8Array> {
  for (let nth = 0; nth < count; nth += 1) yield Buffer.from(`${JSON.stringify({ content: text(nth) })}\n`);
  await Promise.resolve();
}

const open = (config: LoadedConfig): Promise<App> => openApp(config, { log: silentLog });

/** A store that the builtin embedder has filled, closed. */
async function filled(folder: string, count: number): Promise<void> {
  const app = await open(testConfig(folder));
  await app.memories.import(lines(count), {});
  await app.close();
}

const hosted = (folder: string, api: EmbeddingApi, flags: Record<string, unknown> = {}): LoadedConfig =>
  testConfig(folder, {
    'embeddings.provider': 'openai',
    'embeddings.baseUrl': api.url,
    'embeddings.dimensions': api.width,
    'embeddings.model': 'model-a',
    ...flags,
  });

const models = async (memories: MemoryOperations): Promise<string[]> =>
  (await memories.stats()).vectors.map(({ embedder, entries }) => `${embedder.split('/', 2).join('/')}:${entries}`).toSorted();

async function nearest(memories: MemoryOperations, query: string): Promise<string | undefined> {
  return (await memories.recall({ query, searchMode: 'vector', limit: 1 })).results[0]?.entry.content;
}

/** Texts that the API was asked for. */
const textsAsked = (api: EmbeddingApi): number => api.requests.reduce((sum, { body }) => sum + (body['input'] as string[]).length, 0);

describe('a switch of the model', () => {
  it('uses the old one for every search and save until all entries have new vectors', async () => {
    await using api = await startEmbeddingApi();
    await using folder = await temporaryFolder();
    await filled(folder.path, 250);
    await using app = await open(hosted(folder.path, api));
    const { memories } = app;
    let release = (): void => undefined;
    api.hold = new Promise((resolve) => (release = resolve));
    const migrating = memories.migrate({});
    await vi.waitFor(async () => expect((await memories.health()).maintenance).toBe('re-embedding 0 of 250'), PATIENCE);
    expect(await nearest(memories, text(17))).toBe(text(17));
    const saved = await memories.save({ content: 'a lighthouse keeper saved this meanwhile' });
    expect(saved.outcomes[0]?.vector).toBe('stored');
    const [first] = (await memories.list({ sort: 'createdAt', limit: 1 })).entries;
    await memories.update(first!.id, { content: 'edited while the vectors were made' });
    expect(await models(memories)).toEqual(['builtin/hashed-words:251']);
    expect((await memories.health()).embedder).toMatchObject({ provider: 'builtin', next: `openai/model-a/384/2` });
    release();
    expect(await migrating).toMatchObject({ status: 'done', stale: 250 });
    expect(await models(memories)).toEqual(['openai/model-a:251']);
    expect((await memories.health()).degraded).toEqual([]);
    expect((await memories.health()).embedder).not.toHaveProperty('next');
    for (const content of [text(17), text(249), 'a lighthouse keeper saved this meanwhile', 'edited while the vectors were made']) {
      expect(await nearest(memories, content)).toBe(content);
    }
    expect((await memories.list({})).total).toBe(251);
  });

  it('continues after a killed process, in the background of the next', async () => {
    await using api = await startEmbeddingApi();
    await using folder = await temporaryFolder();
    await filled(folder.path, 450);
    const config = hosted(folder.path, api);
    const app = await open(config);
    const running = app.memories.migrate({});
    await vi.waitFor(async () => expect((await app.memories.health()).maintenance).toMatch(/re-embedding [1-3]00 of 450/), PATIENCE);
    let goOn = (): void => undefined;
    api.hold = new Promise((resolve) => (goOn = resolve));
    const sofar = api.requests.length;
    // One batch is stored before the next is asked for.
    await expect.poll(() => api.requests.length).toBeGreaterThan(sofar);
    const copy = join(folder.path, 'copy');
    // What a process that is killed here leaves behind.
    await cp(config.config.storage.path, copy, { recursive: true });
    goOn();
    await app.close();
    await running;
    await rm(join(copy, 'lore.lock'), { force: true, recursive: true });
    const asked = textsAsked(api);
    await using again = await open(hosted(folder.path, api, { 'storage.path': copy }));
    await vi.waitFor(async () => expect(await models(again.memories)).toEqual(['openai/model-a:450']), PATIENCE);
    // The rest, and what is asked to check them.
    expect(textsAsked(api) - asked).toBeLessThanOrEqual(350 + 112);
    expect(await nearest(again.memories, text(3))).toBe(text(3));
  });

  it('is refused if the new vectors find nothing', async () => {
    await using api = await startEmbeddingApi();
    api.embed = () => new Float32Array(384).fill(1);
    await using folder = await temporaryFolder();
    await filled(folder.path, 250);
    await using app = await open(hosted(folder.path, api));
    await expect(app.memories.migrate({})).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/Lore keeps the old model/),
    });
    expect((await app.memories.health()).degraded.join()).toMatch(
      /find \d+ % of \d+ entries by their own text, the vectors of hashed-words 100 %/,
    );
    expect(await models(app.memories)).toEqual(['builtin/hashed-words:250']);
    expect(await nearest(app.memories, text(17))).toBe(text(17));
  });

  it('leaves no vectors of another width', async () => {
    await using api = await startEmbeddingApi();
    api.width = 300;
    await using folder = await temporaryFolder();
    await filled(folder.path, 120);
    const config = hosted(folder.path, api);
    const app = await open(config);
    expect(await app.memories.migrate({})).toMatchObject({ status: 'done' });
    expect(await nearest(app.memories, text(17))).toBe(text(17));
    await app.close();
    await (await open(config)).close();
    const connection = await lancedb.connect(config.config.storage.path);
    const names = (await (await connection.openTable('entries')).schema()).fields.map(({ name }) => name);
    expect(names).toContain('embedding_300');
    expect(names).not.toContain('embedding');
    expect(await connection.tableNames()).not.toContain('next_vectors');
    connection.close();
    await using again = await open(config);
    await again.memories.save({ content: 'written after the columns went' });
    expect(await nearest(again.memories, text(17))).toBe(text(17));
    expect(await nearest(again.memories, 'written after the columns went')).toBe('written after the columns went');
  });

  it('of one hosted provider uses the former model while its vectors are active', async () => {
    await using api = await startEmbeddingApi();
    await using folder = await temporaryFolder();
    const before = await open(hosted(folder.path, api));
    await before.memories.save({ content: 'the walrus sleeps on the pier' });
    await before.close();
    await using app = await open(hosted(folder.path, api, { 'embeddings.model': 'model-b' }));
    await app.memories.save({ content: 'lunch is at noon' });
    expect(await nearest(app.memories, 'the walrus sleeps on the pier')).toBe('the walrus sleeps on the pier');
    expect(api.requests.every(({ body }) => body['model'] === 'model-a')).toBe(true);
    expect((await app.memories.health()).degraded.join()).toMatch(/vectors of model-a stay active until `lore migrate`/);
    await app.memories.migrate({});
    expect(await models(app.memories)).toEqual(['openai/model-b:2']);
    api.requests.length = 0;
    expect(await nearest(app.memories, 'what is there for lunch')).toBe('lunch is at noon');
    expect(api.requests.every(({ body }) => body['model'] === 'model-b')).toBe(true);
  });

  it('is not done because the former model fails for a moment', async () => {
    await using api = await startEmbeddingApi();
    await using folder = await temporaryFolder();
    const before = await open(hosted(folder.path, api));
    await before.memories.save({ content: 'the walrus sleeps on the pier' });
    await before.close();
    api.faults.push(...Array.from({ length: 3 }, () => 'drop' as const));
    await using app = await open(hosted(folder.path, api, { 'embeddings.model': 'model-b', 'embeddings.timeoutMs': 1000 }));
    await vi.waitFor(() => expect(api.faults).toEqual([]), PATIENCE);
    await vi.waitFor(async () => expect(await nearest(app.memories, 'walrus pier')).toBe('the walrus sleeps on the pier'), PATIENCE);
    expect((await app.memories.health()).embedder).toMatchObject({ model: 'model-a', next: 'openai/model-b/384/2' });
  });

  it('restarts if a killed process had only begun to collect', async () => {
    await using api = await startEmbeddingApi();
    await using folder = await temporaryFolder();
    await filled(folder.path, 20);
    const config = hosted(folder.path, api);
    await mkdir(join(config.config.storage.path, 'next_vectors.lance', '_transactions'), { recursive: true });
    await using app = await open(config);
    expect(await app.memories.migrate({})).toMatchObject({ status: 'done' });
    expect(await models(app.memories)).toEqual(['openai/model-a:20']);
  });

  it('is immediate if the former model is gone', async () => {
    await using api = await startEmbeddingApi();
    await using folder = await temporaryFolder();
    const before = await open(hosted(folder.path, api));
    await before.memories.save({ content: 'the walrus sleeps on the pier' });
    await before.close();
    api.faults.push({ status: 404, text: '{"error":{"message":"no such model"}}' });
    await using app = await open(hosted(folder.path, api, { 'embeddings.model': 'model-b' }));
    await vi.waitFor(async () => expect((await app.memories.health()).embedder).toMatchObject({ model: 'model-b' }), PATIENCE);
    await app.memories.save({ content: 'lunch is at noon' });
    expect(await models(app.memories)).toEqual(['openai/model-a:1', 'openai/model-b:1']);
    await app.memories.migrate({});
    expect(await models(app.memories)).toEqual(['openai/model-b:2']);
  });
});
