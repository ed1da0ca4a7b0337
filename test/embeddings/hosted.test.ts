import { describe, expect, it } from 'vitest';
import type { Embedder } from '../../src/embeddings/embedder.ts';
import { createGeminiEmbedder } from '../../src/embeddings/gemini.ts';
import type { HostedOptions } from '../../src/embeddings/hosted.ts';
import { createOpenAiEmbedder } from '../../src/embeddings/openai.ts';
import { LoreError } from '../../src/memory/errors.ts';
import { startEmbeddingApi, type EmbeddingApi } from '../helpers/embedding-api.ts';
import { failureOf } from '../helpers/failure.ts';
import { deadAddress } from '../helpers/model-host.ts';

const KEY = 'sk-secret-0123456789';
const PROVIDERS: readonly [name: 'openai' | 'gemini', make: (options: HostedOptions) => Embedder][] = [
  ['openai', createOpenAiEmbedder],
  ['gemini', createGeminiEmbedder],
];

const settings = (api: Pick<EmbeddingApi, 'url'>, more: Partial<HostedOptions> = {}): HostedOptions => ({
  model: 'text-embedding-3-small',
  dimensions: 384,
  batchSize: 100,
  apiKey: KEY,
  baseUrl: api.url,
  timeoutMs: 10_000,
  retryMs: 1,
  ...more,
});

/** Everything that could ever be shown or logged of an error. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const hint = error instanceof LoreError ? (error.hint ?? '') : '';
  return `${error.message} ${hint} ${error.stack ?? ''} ${wordsOf(error.cause)}`;
}

describe('the protocol of openai', () => {
  it('follows its documentation', async () => {
    await using api = await startEmbeddingApi();
    const embedder = createOpenAiEmbedder(settings(api));
    await embedder.embedDocuments(['one', 'two']);
    expect(api.requests).toMatchObject([
      {
        path: '/v1/embeddings',
        headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
        body: { model: 'text-embedding-3-small', input: ['one', 'two'], encoding_format: 'float', dimensions: 384 },
      },
    ]);
  });

  it('requests a width only from models that support it', async () => {
    await using api = await startEmbeddingApi();
    await createOpenAiEmbedder(settings(api, { model: 'nomic-embed-text' })).embedQuery('one');
    expect(api.requests[0]?.body).not.toHaveProperty('dimensions');
  });

  it('needs no key at another address, and accepts a trailing slash', async () => {
    await using api = await startEmbeddingApi();
    const { apiKey: _, ...keyless } = settings(api, { baseUrl: `${api.url}/` });
    await createOpenAiEmbedder(keyless).embedQuery('one');
    expect(api.requests[0]?.path).toBe('/v1/embeddings');
    expect(api.requests[0]?.headers).not.toHaveProperty('authorization');
  });
});

describe('the protocol of gemini', () => {
  it('follows its documentation', async () => {
    await using api = await startEmbeddingApi();
    const embedder = createGeminiEmbedder(settings(api, { model: 'models/gemini-embedding-001' }));
    await embedder.embedDocuments(['one']);
    await embedder.embedQuery('two');
    const request = (text: string, taskType: string) => ({
      requests: [{ model: 'models/gemini-embedding-001', content: { parts: [{ text }] }, taskType, outputDimensionality: 384 }],
    });
    expect(api.requests).toMatchObject([
      {
        path: '/v1/models/gemini-embedding-001:batchEmbedContents',
        headers: { 'x-goog-api-key': KEY },
        body: request('one', 'RETRIEVAL_DOCUMENT'),
      },
      { body: request('two', 'RETRIEVAL_QUERY') },
    ]);
  });

  it('never sends more than a hundred texts in one request', async () => {
    await using api = await startEmbeddingApi();
    await createGeminiEmbedder(settings(api, { batchSize: 2_048 })).embedDocuments(Array.from({ length: 250 }, (_, nth) => `text ${nth}`));
    expect(api.requests.map(({ body }) => (body['requests'] as unknown[]).length)).toEqual([100, 100, 50]);
  });
});

describe.each(PROVIDERS)('the hosted embedder %s', (name, make) => {
  it('does not start without a key at the address of the provider', () => {
    const start = (): Embedder => make({ model: 'any', dimensions: 8, batchSize: 1, timeoutMs: 1 });
    expect(start).toThrow(
      expect.objectContaining({ code: 'config', hint: expect.stringContaining('SERVICE_EMBEDDINGS_API_KEY') as unknown }),
    );
  });

  it('sends batches of the configured size', async () => {
    await using api = await startEmbeddingApi();
    const vectors = await make(settings(api, { batchSize: 3 })).embedDocuments(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
    expect(vectors).toHaveLength(7);
    expect(api.requests).toHaveLength(3);
  });

  it.each([
    ['a limit on requests', { status: 429 }],
    ['a limit that says how long', { status: 429, headers: { 'retry-after': '0' } }],
    ['a limit that says until when', { status: 429, headers: { 'retry-after': new Date(0).toUTCString() } }],
    ['a server that is down', { status: 503 }],
    ['a server with a fault', { status: 500, text: 'oops' }],
    ['a broken connection', 'drop'],
  ] as const)('tries again after %s', async (_, fault) => {
    await using api = await startEmbeddingApi();
    api.faults.push(fault, fault);
    expect(await make(settings(api)).embedQuery('text')).toHaveLength(384);
    expect(api.requests).toHaveLength(3);
  });

  it('gives up in the end', async () => {
    await using api = await startEmbeddingApi();
    api.faults.push(...Array.from({ length: 10 }, () => ({ status: 503 })));
    await expect(make(settings(api)).embedQuery('text')).rejects.toMatchObject({
      code: 'unavailable',
      message: `${name} reports an error (503).`,
    });
    expect(api.requests).toHaveLength(4);
  });

  it('does not wait for longer than anybody would, but says how long', async () => {
    await using api = await startEmbeddingApi();
    api.faults.push({ status: 429, headers: { 'retry-after': '3600' } });
    await expect(make(settings(api)).embedQuery('text')).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 3_600 });
    expect(api.requests).toHaveLength(1);
  });

  it.each([401, 403])('says at once that the key was refused (%i), and never shows it', async (status) => {
    await using api = await startEmbeddingApi();
    api.faults.push({ status, text: JSON.stringify({ error: { message: `Incorrect API key provided: ${KEY}` } }) });
    const error = await failureOf(make(settings(api)).embedQuery('text'));
    expect(error).toMatchObject({
      code: 'config',
      message: `The key for ${name} was refused (${status}).`,
      hint: expect.stringContaining('SERVICE_EMBEDDINGS_API_KEY') as unknown,
    });
    expect(wordsOf(error)).not.toContain(KEY);
    expect(api.requests).toHaveLength(1);
  });

  it.each([
    [404, 'config'],
    [400, 'invalid_input'],
    [413, 'invalid_input'],
    [429, 'unavailable'],
    [500, 'unavailable'],
  ] as const)('never shows the key, whatever the server repeats (%i)', async (status, code) => {
    await using api = await startEmbeddingApi();
    api.faults.push(...Array.from({ length: 4 }, () => ({ status, text: `you sent ${KEY}` })));
    const error = await failureOf(make(settings(api)).embedQuery('text'));
    expect(error).toMatchObject({ code });
    expect(wordsOf(error)).not.toContain(KEY);
  });

  it('says that nobody answers', async () => {
    const dead = await deadAddress();
    await expect(make(settings(dead)).embedQuery('text')).rejects.toMatchObject({
      code: 'network',
      message: `${name} cannot be reached.`,
    });
  });

  it('gives up on a server that never answers', async () => {
    await using api = await startEmbeddingApi();
    api.faults.push('hang', 'hang', 'hang', 'hang');
    await expect(make(settings(api, { timeoutMs: 50 })).embedQuery('text')).rejects.toMatchObject({
      code: 'network',
      message: `${name} did not answer within 1 s.`,
    });
  });

  it.each([
    ['no JSON', '<html>', 'not JSON'],
    ['something else', '{"object":"list"}', 'without 1 valid vector'],
    ['null', 'null', 'without 1 valid vector'],
    ['too few', '{"data":[],"embeddings":[]}', 'without 1 valid vector'],
    ['words', '{"data":[{"embedding":["a"]}],"embeddings":[{"values":["a"]}]}', 'without 1 valid vector'],
    ['null in a vector', '{"data":[{"embedding":[null]}],"embeddings":[{"values":[null]}]}', 'without 1 valid vector'],
    ['numbers too large to be any', '{"data":[{"embedding":[1e999]}],"embeddings":[{"values":[1e999]}]}', 'without 1 valid vector'],
  ])('rejects a response with %s', async (_, text, words) => {
    await using api = await startEmbeddingApi();
    api.faults.push({ status: 200, text });
    const error = await failureOf(make(settings(api)).embedQuery('text'));
    expect(error).toMatchObject({ code: 'network', message: expect.stringContaining(words) as unknown });
  });

  it('rejects a zero vector', async () => {
    await using api = await startEmbeddingApi();
    api.scale = 0;
    await expect(make(settings(api)).embedQuery('text')).rejects.toMatchObject({ code: 'network' });
  });

  it('reports the width of the model if another is configured', async () => {
    await using api = await startEmbeddingApi();
    await expect(make(settings(api, { dimensions: 1_536 })).embedQuery('text')).rejects.toMatchObject({
      code: 'config',
      message: `The model text-embedding-3-small of ${name} makes vectors of 384 numbers; 1536 are configured.`,
    });
  });

  it('stops retrying when its caller cancels', async () => {
    await using api = await startEmbeddingApi();
    api.faults.push('hang');
    const leaving = new AbortController();
    const gone = failureOf(make(settings(api)).embedQuery('text', { signal: leaving.signal }));
    await expect.poll(() => api.requests).toHaveLength(1);
    leaving.abort();
    expect(await gone).toMatchObject({ code: 'unavailable', message: 'The embedding was cancelled by the caller.' });
    expect(api.requests).toHaveLength(1);
  });
});
