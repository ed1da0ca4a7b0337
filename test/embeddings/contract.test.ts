import { describe, expect, it } from 'vitest';
import { createBuiltinEmbedder } from '../../src/embeddings/builtin.ts';
import { createCachedEmbedder } from '../../src/embeddings/cached.ts';
import type { Embedder } from '../../src/embeddings/embedder.ts';
import { createGeminiEmbedder } from '../../src/embeddings/gemini.ts';
import { createLocalEmbedder } from '../../src/embeddings/local.ts';
import { createOpenAiEmbedder } from '../../src/embeddings/openai.ts';
import { silentLog } from '../../src/memory/log.ts';
import { startEmbeddingApi } from '../helpers/embedding-api.ts';
import { failureOf } from '../helpers/failure.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { TINY_MODEL, writeTinyModel } from '../helpers/tiny-model.ts';

type Opened = { embedder: Embedder } & AsyncDisposable;

const hosted = { model: 'tiny', dimensions: 384, batchSize: 4, apiKey: 'test-key', timeoutMs: 10_000 };

async function openHosted(make: (baseUrl: string) => Embedder): Promise<Opened> {
  const api = await startEmbeddingApi();
  const embedder = make(api.url);
  return {
    embedder,
    async [Symbol.asyncDispose]() {
      await embedder.close();
      await api[Symbol.asyncDispose]();
    },
  };
}

async function openLocal(): Promise<Opened> {
  const folder = await temporaryFolder();
  await writeTinyModel(folder.path);
  const places = { model: TINY_MODEL, cacheDir: `${folder.path}/cache`, localModelPath: folder.path };
  const embedder = createLocalEmbedder({
    ...places,
    dimensions: 384,
    allowDownload: false,
    idleUnloadMs: 0,
    timeoutMs: 20_000,
    log: silentLog,
  });
  return {
    embedder,
    async [Symbol.asyncDispose]() {
      await embedder.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

function openBuiltin(): Promise<Opened> {
  const embedder = createBuiltinEmbedder();
  return Promise.resolve({ embedder, [Symbol.asyncDispose]: () => embedder.close() });
}

const LIMITS = { queueLimit: 10_000, maxConcurrent: 8 };
const EMBEDDERS: readonly [name: string, open: () => Promise<Opened>][] = [
  ['builtin', openBuiltin],
  ['local', openLocal],
  ['openai', () => openHosted((baseUrl) => createOpenAiEmbedder({ ...hosted, baseUrl }))],
  ['gemini', () => openHosted((baseUrl) => createGeminiEmbedder({ ...hosted, baseUrl }))],
  [
    'openai, cached',
    () => openHosted((baseUrl) => createCachedEmbedder(createOpenAiEmbedder({ ...hosted, baseUrl }), { batchSize: 4, limits: LIMITS })),
  ],
];

/** More than one batch of every embedder, of many lengths, with texts that ask for trouble. */
const TEXTS = [
  'the cat sat on the mat',
  'coffee',
  '',
  ' \n\t ',
  'we deploy with make ship, staging first. '.repeat(300),
  '🚀 向量检索 résumé',
  '!!!',
  'x'.repeat(9_000),
  '\u0000 control \u0007',
  'the dog sat on the mat',
  `cut in a pair ${'👍'.repeat(5_000)}`,
  'milk',
];

const cosine = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);

describe.each(EMBEDDERS)('the embedder %s', (name, open) => {
  const provider = name.split(',')[0] ?? '';

  it('gives one unit vector of its width for every text', async () => {
    await using opened = await open();
    const { embedder } = opened;
    const vectors = await embedder.embedDocuments(TEXTS);
    expect(vectors).toHaveLength(TEXTS.length);
    for (const vector of vectors) {
      expect(vector).toBeInstanceOf(Float32Array);
      expect(vector).toHaveLength(embedder.dimensions);
      expect(cosine(vector, vector)).toBeCloseTo(1, 5);
    }
  });

  it('keeps the order of the texts', async () => {
    await using opened = await open();
    const { embedder } = opened;
    const texts = Array.from({ length: 30 }, (_, nth) => `${'long '.repeat((nth * 7) % 11)}text about ${nth * 7919}`);
    const together = await embedder.embedDocuments(texts);
    for (const [nth, text] of texts.entries()) {
      const [alone] = await embedder.embedDocuments([text]);
      expect(cosine(together[nth] as Float32Array, alone as Float32Array)).toBeGreaterThan(0.999);
    }
  });

  it('gives texts with common words more similar vectors', async () => {
    await using opened = await open();
    const [cat, dog, deploy] = await opened.embedder.embedDocuments([
      'the cat sat on the mat',
      'the dog sat on the mat',
      'make ship first',
    ]);
    const near = cosine(cat as Float32Array, dog as Float32Array);
    expect(near).toBeGreaterThan(cosine(cat as Float32Array, deploy as Float32Array));
  });

  it('embeds queries into the same space', async () => {
    await using opened = await open();
    const query = await opened.embedder.embedQuery('the cat sat on the mat');
    const [same, other] = await opened.embedder.embedDocuments(['the cat sat on the mat', 'coffee']);
    expect(query).toHaveLength(opened.embedder.dimensions);
    expect(cosine(query, query)).toBeCloseTo(1, 5);
    expect(cosine(query, same as Float32Array)).toBeGreaterThan(cosine(query, other as Float32Array));
  });

  it('returns nothing for no texts', async () => {
    await using opened = await open();
    expect(await opened.embedder.embedDocuments([])).toEqual([]);
  });

  it('identifies its model', async () => {
    await using opened = await open();
    const { embedder } = opened;
    expect(embedder.provider).toBe(provider);
    expect(embedder.fingerprint).toBe(`${provider}/${embedder.model}/${embedder.dimensions}/2`);
    expect(embedder.kind).toBe(provider === 'builtin' ? 'lexical' : 'semantic');
  });

  it('does nothing for a cancelled caller', async () => {
    await using opened = await open();
    const signal = AbortSignal.abort();
    const gone = { code: 'unavailable', message: 'The embedding was cancelled by the caller.' };
    await expect(opened.embedder.embedDocuments(['text'], { signal })).rejects.toMatchObject(gone);
    await expect(opened.embedder.embedQuery('text', { signal })).rejects.toMatchObject(gone);
  });

  it('rejects calls after closing, and can be closed twice', async () => {
    await using opened = await open();
    const { embedder } = opened;
    await embedder.close();
    await embedder.close();
    const refusal = { code: 'unavailable', message: `The embedder ${provider} is closed.` };
    await expect(embedder.embedDocuments(['text'])).rejects.toMatchObject(refusal);
    await expect(embedder.embedQuery('text')).rejects.toMatchObject(refusal);
  });
});

describe.each(EMBEDDERS.filter(([name]) => name !== 'builtin'))('the embedder %s, which takes its time,', (_, open) => {
  it('rejects pending calls when it is closed', async () => {
    await using opened = await open();
    const pending = failureOf(opened.embedder.embedDocuments(TEXTS));
    await opened.embedder.close();
    expect(await pending).toMatchObject({ code: 'unavailable' });
  });

  it('rejects a caller that cancels while it works, and continues for the others', async () => {
    await using opened = await open();
    const leaving = new AbortController();
    const gone = failureOf(opened.embedder.embedDocuments(TEXTS, { signal: leaving.signal }));
    const staying = opened.embedder.embedDocuments(['the cat sat on the mat']);
    leaving.abort();
    expect(await gone).toMatchObject({ code: 'unavailable' });
    expect(await staying).toHaveLength(1);
  });
});
