import { describe, expect, it, vi } from 'vitest';
import { startEmbeddingApi } from '../../helpers/embedding-api.ts';
import { openApp } from '../../../src/app.ts';
import { silentLog } from '../../../src/memory/log.ts';
import type { MemoryOperations } from '../../../src/memory/operations/operations.ts';
import { restrictTo } from '../../../src/service/limits.ts';
import { openTestApp, testConfig } from '../../helpers/app.ts';
import { temporaryFolder } from '../../helpers/folder.ts';
import { startModelHost } from '../../helpers/model-host.ts';
import { TINY_MODEL } from '../../helpers/tiny-model.ts';

const PATIENCE = { timeout: 20_000, interval: 50 };
const TEXTS = ['the walrus sleeps on the pier', 'lunch is at noon in the courtyard', 'deploys run on tuesdays'];

async function firstHit(
  memories: MemoryOperations,
  query: string,
  searchMode: 'vector' | 'hybrid' = 'vector',
): Promise<string | undefined> {
  return (await memories.recall({ query, searchMode })).results[0]?.entry.content;
}

const models = async (memories: MemoryOperations): Promise<string[]> =>
  (await memories.stats()).vectors.map(({ embedder, entries }) => `${embedder.split('/')[0]}:${entries}`).toSorted();

const migrations = async (memories: MemoryOperations): Promise<(number | undefined)[]> =>
  ((await memories.stats()).runs ?? []).flatMap(({ kind, result }) => (kind === 'migration' ? [result.entries] : []));

describe('a model that becomes available after the start', () => {
  it('takes over from the builtin embedder and re-embeds existing entries', async () => {
    await using host = await startModelHost('missing');
    await using app = await openTestApp({
      'embeddings.provider': 'local',
      'embeddings.model': TINY_MODEL,
      'embeddings.remoteHost': host.url,
    });
    for (const content of TEXTS) expect((await app.memories.save({ content })).outcomes[0]?.vector).toBe('stored');
    expect(await firstHit(app.memories, 'walrus pier')).toBe(TEXTS[0]);
    const before = await app.memories.health();
    expect(before.embedder).toMatchObject({ provider: 'builtin', standsInFor: 'local' });
    expect(before.degraded.join()).toMatch(/builtin embedder stands in/);
    expect(await models(app.memories)).toEqual(['builtin:3']);

    host.behaviour = 'serve';
    await vi.waitFor(async () => expect(await models(app.memories)).toEqual(['local:3']), { timeout: 40_000, interval: 100 });
    const after = await app.memories.health();
    expect(after).toMatchObject({ degraded: [], embedder: { provider: 'local', model: TINY_MODEL } });
    expect(await firstHit(app.memories, 'the walrus sleeps on the pier')).toBe(TEXTS[0]);
  }, 60_000);
});

describe('a model that does not answer', () => {
  it('loses no save: the entry is found by keyword, and embedded later', async () => {
    await using api = await startEmbeddingApi();
    api.width = 64;
    await using app = await openTestApp({
      'embeddings.provider': 'openai',
      'embeddings.baseUrl': api.url,
      'embeddings.dimensions': 64,
      'embeddings.timeoutMs': 2000,
    });
    const refusal = { status: 400, text: '{"error":{"message":"no"}}' };
    api.faults.push(refusal, refusal, refusal);
    const receipt = await app.memories.save({ content: TEXTS[0]! });
    expect(receipt.outcomes).toMatchObject([{ status: 'stored', vector: 'pending' }]);
    expect(await firstHit(app.memories, 'walrus', 'hybrid')).toBe(TEXTS[0]);
    await expect(app.memories.recall({ query: 'walrus', searchMode: 'vector' })).rejects.toMatchObject({
      code: expect.stringMatching(/unavailable|config|invalid_input|internal/),
    });
    expect((await app.memories.health()).degraded.join()).toMatch(/1 entry is found by keyword only/);
    api.faults.length = 0;
    expect(await app.memories.migrate({})).toMatchObject({ status: 'done', stale: 1, migrated: 1 });
    expect(await firstHit(app.memories, 'walrus')).toBe(TEXTS[0]);
    expect((await app.memories.health()).degraded).toEqual([]);
    expect(await migrations(app.memories)).toEqual([]);
  });
});

describe('migrate', () => {
  it('previews with dryRun, runs, and has nothing to do afterwards', async () => {
    await using api = await startEmbeddingApi();
    api.width = 64;
    await using folder = await temporaryFolder();
    const first = await openApp(testConfig(folder.path), { log: silentLog });
    for (const content of TEXTS) await first.memories.save({ content });
    await first.memories.save({ content: 'elsewhere', namespace: 'other' });
    await first.close();

    const hosted = testConfig(folder.path, { 'embeddings.provider': 'openai', 'embeddings.baseUrl': api.url, 'embeddings.dimensions': 64 });
    await using app = await openApp(hosted, { log: silentLog });
    // Until it is migrated, the builtin vectors are searched in their own space.
    expect(await firstHit(app.memories, 'walrus pier')).toBe(TEXTS[0]);
    const asked = api.requests.length;
    expect(await app.memories.migrate({ dryRun: true })).toMatchObject({
      dryRun: true,
      status: 'planned',
      total: 4,
      stale: 4,
      migrated: 0,
    });
    expect(api.requests).toHaveLength(asked);
    expect(await app.memories.migrate({ namespace: 'test' })).toMatchObject({ status: 'done', total: 3, stale: 3, migrated: 3 });
    expect(await models(app.memories)).toEqual(['builtin:1', 'openai:3']);
    expect(await app.memories.migrate({})).toMatchObject({ status: 'done', stale: 1, migrated: 1 });
    expect(await app.memories.migrate({})).toMatchObject({ status: 'nothing to do', stale: 0 });
    expect(await migrations(app.memories)).toEqual([1, 3]);
    expect(await firstHit(app.memories, TEXTS[1]!)).toBe(TEXTS[1]);
    await vi.waitFor(async () => expect((await app.memories.health()).maintenance).toBe('idle'), PATIENCE);
  });

  it('can run in the background: health shows its progress and why it failed', async () => {
    await using api = await startEmbeddingApi();
    api.width = 64;
    await using folder = await temporaryFolder();
    const first = await openApp(testConfig(folder.path), { log: silentLog });
    for (const content of TEXTS) await first.memories.save({ content });
    await first.close();

    const hosted = testConfig(folder.path, { 'embeddings.provider': 'openai', 'embeddings.baseUrl': api.url, 'embeddings.dimensions': 64 });
    await using app = await openApp(hosted, { log: silentLog });
    const { memories } = app;
    expect((await memories.health()).migration).toBeUndefined();
    let release = (): void => undefined;
    api.hold = new Promise((resolve) => (release = resolve));
    expect(await memories.migrate({ wait: false })).toMatchObject({ status: 'running', stale: 3, migrated: 0 });
    const { migration, embedder } = await memories.health();
    expect(migration).toEqual({ done: 0, total: 3, target: embedder.next });
    const bound = restrictTo(memories, { name: 'bound', access: 'full', namespace: 'test' });
    expect((await bound.health()).migration).toBeUndefined();
    const refusal = { status: 400, text: '{"error":{"message":"no"}}' };
    api.faults.push(refusal, refusal, refusal);
    release();
    await vi.waitFor(async () => expect((await memories.health()).migration).toBeUndefined(), PATIENCE);
    expect((await memories.health()).degraded).not.toEqual([]);
    api.hold = undefined;
    api.faults.length = 0;
    expect(await memories.migrate({})).toMatchObject({ status: 'done' });
    expect((await memories.health()).degraded).toEqual([]);
  });
});
